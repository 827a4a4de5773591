#pragma once

#include "darkroom/av/input.h"

namespace tintype::darkroom::av {

/// The longest side that goes with a short one: that of a picture of 16 to 9.
constexpr int LongSideOf(int short_side) { return (short_side * 16 + 8) / 9; }

/// More than that in a second makes those wait who have no fast line.
inline constexpr int64_t kModestBitRate = 6'000'000;

/// Whether every browser plays a stream of pictures as it is: H.264 of 8 bits and 4:2:0, with whole
/// pictures and ordinary light, of a size within these bounds, and not too many bits.
bool IsFitVideo(const Input& input, const AVStream* stream, int short_side);

/// The same of sound: AAC with one channel or two.
bool IsFitAudio(const AVStream* stream);

}  // namespace tintype::darkroom::av
