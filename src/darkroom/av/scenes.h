#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "darkroom/av/libav.h"

namespace tintype::darkroom::av {

/// A picture in 32 x 18 means of its brightness, by which pictures are compared.
using Thumb = std::array<uint8_t, size_t{32} * 18>;
Thumb ThumbOf(const AVFrame& frame);

/// How far apart two are, 0 to 255.
double DifferenceOf(const Thumb& a, const Thumb& b);

/// Which of a film's pictures, by their order, show what is in it: the first one, those where
/// another scene begins, the greatest changes first, and where these are few, those that are
/// farthest from the ones chosen and not the same. At most `count_max`, in their order.
std::vector<size_t> ChooseScenes(std::span<const Thumb> pictures, size_t count_max);

}  // namespace tintype::darkroom::av
