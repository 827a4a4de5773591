#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "darkroom/requests.h"
#include "darkroom/vision/speech/token_rules.h"
#include "darkroom/vision/speech/vocabulary.h"

namespace tintype::darkroom::vision {

/// Where in the window a model looked while it wrote each token: rows of kAttentionSteps for each
/// of its heads that follow the speech, one token after the other.
struct Attention {
  size_t heads = 0;
  std::vector<float> rows;
};
/// In a window, in Whisper's steps of 20 milliseconds.
inline constexpr size_t kAttentionSteps = 1'500;

/// The step at which each token begins, and that at which the last one ends: the path through the
/// attention that never goes back. `steps` is how many the window has with sound.
std::vector<int32_t> TokenTimes(const Attention& attention, size_t tokens, size_t steps);

/// The words of a passage, whose tokens these are; `times` has the milliseconds at which each of
/// them begins, and the last one ends.
std::vector<SpeechWord> WordsOf(const Vocabulary& vocabulary, std::string_view language,
                                std::span<const WrittenToken> tokens,
                                std::span<const int64_t> times);

}  // namespace tintype::darkroom::vision
