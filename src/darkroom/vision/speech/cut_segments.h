#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "darkroom/vision/speech/token_rules.h"

namespace tintype::darkroom::vision {

/// Some of a window's tokens, and the times around them, in steps of Whisper from its beginning.
struct Passage {
  size_t first = 0;
  size_t end = 0;
  int32_t begin_time = 0;
  int32_t end_time = 0;
};

/// What is taken from a window, and where the next one begins.
struct WindowCut {
  std::vector<Passage> passages;
  /// In Whisper's steps.
  int32_t advance = 0;
};

/// Cuts what the model wrote of a window of so many steps into passages. What it did not finish is
/// left for the next window, which begins where the last finished passage ends. Where nearly
/// nothing was finished, all is taken, so that each window goes on by a second at least.
WindowCut CutWindow(std::span<const WrittenToken> tokens, int32_t steps);

}  // namespace tintype::darkroom::vision
