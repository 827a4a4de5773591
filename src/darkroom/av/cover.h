#pragma once

#include <optional>
#include <string>

#include "darkroom/av/input.h"
#include "darkroom/av/orientation.h"

namespace tintype::darkroom::av {

/// A picture that comes with a file, as it is there.
struct Cover {
  std::string bytes;
  std::string media_type;  ///< "image/jpeg" or "image/png".
  PictureSize size;
};

/// Whether there is one, which may not be sound.
bool HasCover(const Input& input);

/// The largest one that can be decoded, if there is one.
Result<std::optional<Cover>> FindCover(const Input& input);

}  // namespace tintype::darkroom::av
