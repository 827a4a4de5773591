#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/result.h"
#include "darkroom/limits.h"

namespace tintype::darkroom::vision {

/// A picture in memory: rows of pixels from the top, of three bytes each, blue first, as the models
/// want them.
struct Picture {
  int32_t width = 0;
  int32_t height = 0;
  std::vector<uint8_t> pixels;

  const uint8_t* At(int32_t x, int32_t y) const {
    return &pixels[(static_cast<size_t>(y) * static_cast<size_t>(width) + static_cast<size_t>(x)) *
                   3];
  }
};

/// Decodes a WebP file, as all renditions are; transparent parts are white. Errors: of this room's
/// failures, kNotAnImage, kTooLarge, kCorrupt.
Result<Picture> DecodePicture(int file, const PixelLimits& limits);

/// The picture in another size, each pixel the mean of those that it covers, or between the nearest
/// where it becomes larger. REQUIRES: width and height are at least 1.
Picture Resized(const Picture& picture, int32_t width, int32_t height);

}  // namespace tintype::darkroom::vision
