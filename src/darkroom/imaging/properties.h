#pragma once

#include <cstdint>
#include <span>
#include <vector>
#include <vips/vips8>

#include "darkroom/requests.h"

namespace tintype::darkroom {

/// The longest side at which an image is measured.
inline constexpr int32_t kMeasuredSide = 1024;

/// Measures an image in sRGB that is in memory. Throws what libvips throws.
ImageProperties MeasureProperties(const vips::VImage& image);

/// The most frequent colours among pixels of three bytes, red, green and blue. Pure.
std::vector<DominantColor> FindDominantColors(std::span<const uint8_t> pixels);

}  // namespace tintype::darkroom
