#pragma once

#include <cstdint>
#include <span>
#include <vector>
#include <vips/vips8>

#include "darkroom/imaging/planes/yuv_picture.h"
#include "darkroom/requests.h"

namespace tintype::darkroom {

/// The longest side at which an image is measured.
inline constexpr int32_t kMeasuredSide = 1024;

/// The longest side of what colours are found in.
inline constexpr int32_t kSmallSide = 128;

/// Measures an image in sRGB that is in memory. Throws what libvips throws.
ImageProperties MeasureProperties(const vips::VImage& image);
ImageProperties MeasureProperties(const YuvPicture& picture);

/// What both come to: the luminance, at most kMeasuredSide long, in the full range; and the same
/// picture in red, green and blue, at most kSmallSide long, in memory.
ImageProperties MeasureProperties(const Plane& luminance, const vips::VImage& small);

/// The most frequent colours among pixels of three bytes, red, green and blue. Pure.
std::vector<DominantColor> FindDominantColors(std::span<const uint8_t> pixels);

}  // namespace tintype::darkroom
