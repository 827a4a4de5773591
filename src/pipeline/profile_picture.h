#pragma once

#include <cstddef>
#include <semaphore>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/result.h"
#include "darkroom/darkroom.h"

namespace tintype::pipeline {

/// The file is no picture that a profile can have: it is torn, damaged or too small.
inline constexpr Reason kCannotUsePicture{ErrorKind::kValidation, "CannotUsePicture"};

/// Makes profile pictures of whatever people choose. Owned by the program's wiring. Thread-safe;
/// keeps nothing.
class ProfilePictures {
 public:
  /// The darkroom outlives it.
  explicit ProfilePictures(darkroom::Darkroom& darkroom) : darkroom_(darkroom) {}

  /// The square in the middle of a picture, upright, in sRGB and without metadata, as a JPEG of at
  /// most kProfilePictureSide pixels a side. `input` is a regular file of that account, of which
  /// this has the offset. Blocks; few are made at once, and whoever would wait for long for the
  /// others is refused with kOverloaded. Errors: kCannotUsePicture;
  /// darkroom::kUnsupportedMediaType; kRequestTooLarge for too many pixels; others of the darkroom.
  Result<std::string> Make(std::string_view account_id, int input);

 private:
  static constexpr std::ptrdiff_t kAtOnce = 2;

  darkroom::Darkroom& darkroom_;
  std::counting_semaphore<kAtOnce> places_{kAtOnce};
};

/// In pixels: enough for the largest place in which the page shows one, on a fine screen.
inline constexpr int32_t kProfilePictureSide = 512;

}  // namespace tintype::pipeline
