#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace tintype::darkroom {

/// The side of the square of grey pixels that a perceptual hash is made from.
inline constexpr int kHashedSide = 32;

/// A number of 64 bits that is nearly the same for pictures that look nearly the same: which of the
/// 64 lowest frequencies of the picture are stronger than their median. Scaling, another encoding
/// and a change of brightness change a few bits; turning and mirroring change all. Nothing for a
/// picture without shapes, in which there is nothing to compare. Pure.
/// REQUIRES: kHashedSide x kHashedSide pixels of a byte, row by row.
std::optional<uint64_t> PerceptualHash(std::span<const uint8_t> pixels);

}  // namespace tintype::darkroom
