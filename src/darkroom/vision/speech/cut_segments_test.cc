#include "darkroom/vision/speech/cut_segments.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/strings.h"
#include "darkroom/vision/speech/vocabulary.h"

namespace tintype::darkroom::vision {
namespace {

constexpr int32_t kWindow = 1'500;
/// A time, in Whisper's steps.
int32_t At(int32_t step) { return kFirstTimeToken + step; }

/// `first-end@begin..end` for each passage, and where the next window begins.
std::string Cut(const std::vector<int32_t>& tokens, int32_t steps = kWindow) {
  std::vector<WrittenToken> written;
  for (const int32_t token : tokens) {
    written.push_back({token, 0});
  }
  const WindowCut cut = CutWindow(written, steps);
  std::string text;
  for (const Passage& passage : cut.passages) {
    text += StrCat(passage.first, "-", passage.end, "@", passage.begin_time, "..", passage.end_time,
                   " ");
  }
  return StrCat(text, "> ", cut.advance);
}

// Proves that passages lie between their times, and that a window whose text ends with one time is
// finished.
TEST(CutSegmentsTest, CutsAtTimes) {
  EXPECT_EQ(Cut({At(0), 1, 2, At(100), At(120), 3, At(200)}), "1-3@0..100 5-6@120..200 > 1500");
}

// Proves that what is not finished is left for the next window, which begins where the last
// finished passage ends.
TEST(CutSegmentsTest, LeavesWhatIsNotFinished) {
  EXPECT_EQ(Cut({At(0), 1, 2, At(100), At(100), 3, 4}), "1-3@0..100 > 100");
  EXPECT_EQ(Cut({At(0), 1, 2, At(100), At(100)}), "1-3@0..100 > 100") << "something follows";
}

// Proves that each window goes on: where nothing is finished, or hardly anything, all is taken.
TEST(CutSegmentsTest, AlwaysGoesOn) {
  EXPECT_EQ(Cut({At(0), 1, 2}), "1-3@0..1500 > 1500");
  EXPECT_EQ(Cut({At(0), 1, At(49), At(49), 2}), "1-2@0..49 4-5@49..1500 > 1500");
  EXPECT_EQ(Cut({At(0), 1, At(49), At(49)}), "1-2@0..49 > 1500");
  EXPECT_EQ(Cut({At(0)}), "> 1500");
  EXPECT_EQ(Cut({}), "> 1500");
}

// Proves that times behind the end of the recording become its end.
TEST(CutSegmentsTest, EndsWithTheRecording) {
  EXPECT_EQ(Cut({At(0), 1, At(900)}, 300), "1-2@0..300 > 300");
  EXPECT_EQ(Cut({At(20), 1}, 300), "1-2@20..300 > 300");
}

}  // namespace
}  // namespace tintype::darkroom::vision
