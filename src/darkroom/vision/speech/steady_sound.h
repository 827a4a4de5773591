#pragma once

#include <cstddef>
#include <span>

namespace tintype::darkroom::vision {

/// Whether some frames of what LogMel gave have about the same strength where voices are: noise or
/// a tone, and nobody speaks. Models find words in it all the same. Of less than a second that
/// cannot be told, since a vowel is steady too. REQUIRES: first <= end, end is at most
/// kWindowFrames.
bool IsSteady(std::span<const float> mels, size_t first, size_t end);

}  // namespace tintype::darkroom::vision
