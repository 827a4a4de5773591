#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "darkroom/av/orientation.h"
#include "darkroom/av/peaks.h"
#include "darkroom/av/scenes.h"

// What needs no file.

namespace tintype::darkroom::av {
namespace {

// Proves that peaks are the same however the sound comes in, and hold all of it. The seed is fixed.
TEST(PeaksTest, HoldsEverySample) {
  std::mt19937 random(7);
  for (const size_t count : {size_t{0}, size_t{1}, size_t{15}, size_t{1'000}, size_t{300'000}}) {
    std::vector<int16_t> samples(count);
    std::ranges::generate(samples, [&] { return static_cast<int16_t>(random()); });
    Peaks whole(10);
    whole.Add(samples);
    Peaks pieces(10);
    for (size_t at = 0; at < count;) {
      const size_t length = std::min<size_t>(1 + random() % 5'000, count - at);
      pieces.Add(std::span(samples).subspan(at, length));
      at += length;
    }
    ASSERT_EQ(whole.Finish().size(), 10U);
    EXPECT_EQ(whole.Finish(), pieces.Finish());
    EXPECT_EQ(whole.samples(), static_cast<int64_t>(count));
    if (count == 0) {
      continue;
    }
    int16_t low = 32'767;
    int16_t high = -32'768;
    for (const Peaks::Range& range : whole.Finish()) {
      low = std::min(low, range.first);
      high = std::max(high, range.second);
    }
    EXPECT_EQ(low, *std::ranges::min_element(samples));
    EXPECT_EQ(high, *std::ranges::max_element(samples));
  }
}

std::vector<Thumb> ThumbsOf(const std::vector<int>& brightness) {
  std::vector<Thumb> thumbs;
  for (const int value : brightness) {
    thumbs.emplace_back().fill(static_cast<uint8_t>(value));
  }
  return thumbs;
}

// Proves that scenes begin where pictures change, that the greatest changes are preferred, and that
// films with few are filled up evenly.
TEST(ScenesTest, ChoosesWhatShowsMost) {
  using testing::ElementsAre;
  const auto cuts = ThumbsOf({10, 11, 100, 101, 102, 130, 131, 250});
  EXPECT_THAT(ChooseScenes(cuts, 4), ElementsAre(0, 2, 5, 7));
  EXPECT_THAT(ChooseScenes(cuts, 3), ElementsAre(0, 2, 7));
  EXPECT_THAT(ChooseScenes(cuts, 1), ElementsAre(0));
  EXPECT_THAT(ChooseScenes(cuts, 64), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  EXPECT_THAT(ChooseScenes({}, 4), ElementsAre());
  EXPECT_THAT(ChooseScenes(ThumbsOf({9}), 4), ElementsAre(0));
  // A slow change is no scene; pictures in it are as far apart as can be.
  EXPECT_THAT(ChooseScenes(ThumbsOf({0, 2, 4, 6, 8, 10, 12, 14, 16}), 3), ElementsAre(0, 4, 8));
  // Those that look the same are of no use.
  EXPECT_THAT(ChooseScenes(ThumbsOf({50, 50, 50, 50, 50}), 4), ElementsAre(0));
}

// Proves that a size within bounds keeps both, is even, and is never larger than it was.
TEST(OrientationTest, FitsWithinBounds) {
  const auto fits = [](int width, int height, int long_side, int short_side) {
    const PictureSize size = FitWithin({width, height}, long_side, short_side);
    return std::pair(size.width, size.height);
  };
  EXPECT_EQ(fits(1920, 1080, 1280, 720), std::pair(1280, 720));
  EXPECT_EQ(fits(1080, 1920, 1280, 720), std::pair(720, 1280));
  EXPECT_EQ(fits(640, 480, 1280, 720), std::pair(640, 480));
  EXPECT_EQ(fits(641, 481, 1280, 720), std::pair(640, 480));
  EXPECT_EQ(fits(4000, 3000, 1280, 720), std::pair(960, 720));
  EXPECT_EQ(fits(1, 1, 1280, 720), std::pair(2, 2));
  EXPECT_EQ(fits(100'000, 3, 1280, 720), std::pair(1280, 2));
  for (int side = 16; side < 800; side += 7) {
    const PictureSize size = FitWithin({1279, 717}, side, side);
    EXPECT_LE(size.width, side);
    EXPECT_EQ(size.width % 2 + size.height % 2, 0);
  }
}

}  // namespace
}  // namespace tintype::darkroom::av
