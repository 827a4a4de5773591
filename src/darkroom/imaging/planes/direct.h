#pragma once

#include <optional>

#include "darkroom/imaging/pixels.h"
#include "darkroom/imaging/planes/yuv_picture.h"
#include "darkroom/imaging/source_image.h"

namespace tintype::darkroom {

// The direct way from JPEG and WebP files to others: the planes are scaled as they are stored, and
// go to the encoder as they are.

struct DirectPicture {
  YuvPicture picture;
  /// What is wrong with the file; this is what there is of it.
  Damage damage = Damage::kNone;
  /// Of a truncated file, the rows of the picture that there are, as they are stored, where that is
  /// known.
  std::optional<int32_t> rows_there = {};
};

/// Decodes a file upright, scaled and cut. Nothing when it is none of those for which this is
/// possible, or when it cannot be decoded like that: libvips is then to try, and to say what is
/// wrong. `source` is the file's header. Throws what libvips throws.
std::optional<DirectPicture> ReadDirectly(int input, const SourceImage& source,
                                          const Placement& placement, Range range);

/// The picture in another size, which is not larger.
YuvPicture ScaleTo(const YuvPicture& picture, Dimensions size);

}  // namespace tintype::darkroom
