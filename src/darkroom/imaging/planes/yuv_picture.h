#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>
#include <vips/vips8>

#include "darkroom/imaging/pixels.h"

namespace tintype::darkroom {

/// One band of an image, 8 bits a sample, in memory.
class Plane {
 public:
  Plane() = default;
  explicit Plane(Dimensions size, uint8_t value = 0)
      : size_(size),
        samples_(static_cast<size_t>(size.width) * static_cast<size_t>(size.height), value) {}

  int32_t width() const { return size_.width; }
  int32_t height() const { return size_.height; }
  /// There is no gap between rows.
  const uint8_t* Row(int32_t y) const { return &samples_[Offset(y)]; }
  uint8_t* Row(int32_t y) { return &samples_[Offset(y)]; }

 private:
  size_t Offset(int32_t y) const {
    return static_cast<size_t>(y) * static_cast<size_t>(size_.width);
  }

  Dimensions size_;
  std::vector<uint8_t> samples_;
};

/// What the numbers of a picture mean, both by BT.601: JPEG uses all 256 values, WebP those from 16
/// to 235, and to 240 for colours.
enum class Range { kFull, kLimited };

/// A picture in luminance and two colour differences of half its width and height, rounded up:
/// 4:2:0, each colour sample in the middle of four pixels. So JPEG has most photos, and so WebP and
/// JPEG want them, which saves the way through red, green and blue.
struct YuvPicture {
  Dimensions size;
  Range range = Range::kFull;
  Plane y;
  Plane u;
  Plane v;
};

/// The width and height of the colours of a picture.
Dimensions ColorSizeOf(Dimensions size);

/// Turned and mirrored as an EXIF orientation asks, 1 to 8.
Plane Upright(Plane plane, int orientation);

/// The same in red, green and blue, in memory.
vips::VImage ToRgb(const YuvPicture& picture);

}  // namespace tintype::darkroom
