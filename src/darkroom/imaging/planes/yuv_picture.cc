#include "darkroom/imaging/planes/yuv_picture.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tintype::darkroom {
namespace {

// Rows and columns change places. In squares that fit into the processor's cache, or every sample
// would cost a trip to memory.
Plane Transposed(const Plane& plane) {
  constexpr int32_t kSquare = 32;
  Plane result(Dimensions{plane.height(), plane.width()});
  for (int32_t top = 0; top < plane.height(); top += kSquare) {
    const int32_t bottom = std::min(top + kSquare, plane.height());
    for (int32_t left = 0; left < plane.width(); left += kSquare) {
      const int32_t right = std::min(left + kSquare, plane.width());
      for (int32_t x = left; x < right; ++x) {
        uint8_t* row = result.Row(x);
        for (int32_t y = top; y < bottom; ++y) {
          row[y] = plane.Row(y)[x];
        }
      }
    }
  }
  return result;
}

void MirrorLeftRight(Plane& plane) {
  for (int32_t y = 0; y < plane.height(); ++y) {
    std::reverse(plane.Row(y), plane.Row(y) + plane.width());
  }
}

void MirrorTopBottom(Plane& plane) {
  for (int32_t top = 0, bottom = plane.height() - 1; top < bottom; ++top, --bottom) {
    std::swap_ranges(plane.Row(top), plane.Row(top) + plane.width(), plane.Row(bottom));
  }
}

// Red, green and blue out of luminance and colour differences, in units of 1/65536.
struct Matrix {
  int32_t black;
  int32_t luminance;
  int32_t red_of_v;
  int32_t green_of_u;
  int32_t green_of_v;
  int32_t blue_of_u;
};
constexpr Matrix kFullMatrix = {0, 65536, 91881, -22554, -46802, 116130};
constexpr Matrix kLimitedMatrix = {16, 76309, 104597, -25675, -53279, 132201};

uint8_t Clamped(int32_t value) {
  return static_cast<uint8_t>(std::clamp((value + 32768) >> 16, 0, 255));
}

}  // namespace

Dimensions ColorSizeOf(Dimensions size) { return {(size.width + 1) / 2, (size.height + 1) / 2}; }

Plane Upright(Plane plane, int orientation) {
  // As EXIF numbers them: from 5 on the image lies on its side.
  if (orientation >= 5) {
    plane = Transposed(plane);
  }
  if (orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7) {
    MirrorLeftRight(plane);
  }
  if (orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8) {
    MirrorTopBottom(plane);
  }
  return plane;
}

vips::VImage ToRgb(const YuvPicture& picture) {
  const Matrix& matrix = picture.range == Range::kFull ? kFullMatrix : kLimitedMatrix;
  const auto [width, height] = picture.size;
  std::vector<uint8_t> pixels(static_cast<size_t>(width) * static_cast<size_t>(height) * 3);
  uint8_t* pixel = pixels.data();
  for (int32_t y = 0; y < height; ++y) {
    const uint8_t* luminance = picture.y.Row(y);
    const uint8_t* us = picture.u.Row(y / 2);
    const uint8_t* vs = picture.v.Row(y / 2);
    for (int32_t x = 0; x < width; ++x, pixel += 3) {
      const int32_t light = (luminance[x] - matrix.black) * matrix.luminance;
      const int32_t u = us[x / 2] - 128;
      const int32_t v = vs[x / 2] - 128;
      pixel[0] = Clamped(light + v * matrix.red_of_v);
      pixel[1] = Clamped(light + u * matrix.green_of_u + v * matrix.green_of_v);
      pixel[2] = Clamped(light + u * matrix.blue_of_u);
    }
  }
  return Settle(vips::VImage::new_from_memory(pixels.data(), pixels.size(), width, height, 3,
                                              VIPS_FORMAT_UCHAR)
                    .copy(vips::VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB)));
}

}  // namespace tintype::darkroom
