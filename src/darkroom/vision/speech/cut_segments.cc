#include "darkroom/vision/speech/cut_segments.h"

#include <algorithm>

#include "darkroom/vision/speech/vocabulary.h"

namespace tintype::darkroom::vision {
namespace {

constexpr int32_t kAdvanceMin = kTimesPerSecond;

int32_t TimeOf(const WrittenToken& token) { return token.token - kFirstTimeToken; }

/// Passages between times; the last one may be without an end.
std::vector<Passage> PassagesOf(std::span<const WrittenToken> tokens, int32_t steps) {
  std::vector<Passage> passages;
  Passage open;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!IsTime(tokens[i].token)) {
      open.end = i + 1;
      continue;
    }
    const int32_t time = std::min(TimeOf(tokens[i]), steps);
    if (open.end > open.first) {
      open.end_time = time;
      passages.push_back(open);
    }
    open = {i + 1, i + 1, time, -1};
  }
  if (open.end > open.first) {
    passages.push_back(open);
  }
  return passages;
}

}  // namespace

WindowCut CutWindow(std::span<const WrittenToken> tokens, int32_t steps) {
  WindowCut cut{PassagesOf(tokens, steps), steps};
  std::vector<Passage>& passages = cut.passages;
  if (passages.empty() || passages.back().end_time >= 0) {
    // A text that ends with one time instead of two goes to the end of the window, with silence
    // behind it.
    const bool goes_on = tokens.size() > 1 && IsTime(tokens[tokens.size() - 2].token);
    if (goes_on && !passages.empty() && passages.back().end_time >= kAdvanceMin) {
      cut.advance = passages.back().end_time;
    }
    return cut;
  }
  if (passages.size() > 1 && passages[passages.size() - 2].end_time >= kAdvanceMin) {
    passages.pop_back();
    cut.advance = passages.back().end_time;
    return cut;
  }
  passages.back().end_time = steps;
  return cut;
}

}  // namespace tintype::darkroom::vision
