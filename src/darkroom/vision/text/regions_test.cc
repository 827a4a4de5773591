#include "darkroom/vision/text/regions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace tintype::darkroom::vision {
namespace {

/// A map with bars of text in it, each at any angle.
class Map {
 public:
  Map(int32_t width, int32_t height)
      : width_(width), values_(static_cast<size_t>(width) * static_cast<size_t>(height)) {}

  void Draw(const Rectangle& bar, float value) {
    for (int32_t y = 0; y < height(); ++y) {
      for (int32_t x = 0; x < width_; ++x) {
        const double dx = x + 0.5 - bar.center.x;
        const double dy = y + 0.5 - bar.center.y;
        if (std::abs(dx * bar.along.x + dy * bar.along.y) <= bar.width / 2 &&
            std::abs(dy * bar.along.x - dx * bar.along.y) <= bar.height / 2) {
          values_[static_cast<size_t>(y) * static_cast<size_t>(width_) + static_cast<size_t>(x)] =
              value;
        }
      }
    }
  }
  std::vector<Rectangle> Find(size_t count_max = 100) const {
    return FindTextRegions({width_, height(), values_}, count_max);
  }

 private:
  int32_t height() const {
    return static_cast<int32_t>(values_.size() / static_cast<size_t>(width_));
  }
  int32_t width_;
  std::vector<float> values_;
};

Point AtAngle(double degrees) {
  const double radians = degrees * std::numbers::pi / 180;
  return {std::cos(radians), std::sin(radians)};
}

// Proves that a line is found where it is, at any angle, and wider than its core by what detectors
// leave off.
TEST(TextRegionsTest, FindsLinesAtAnyAngle) {
  for (const double degrees : {0.0, 10.0, -10.0, 30.0, -40.0}) {
    Map map(200, 200);
    const Rectangle bar{{100, 90}, 80, 12, AtAngle(degrees)};
    map.Draw(bar, 0.9F);
    const auto found = map.Find();
    ASSERT_EQ(found.size(), 1U) << degrees;
    const double widened = 80.0 * 12 * 1.5 / (2 * (80 + 12));
    EXPECT_NEAR(found[0].center.x, 100, 1) << degrees;
    EXPECT_NEAR(found[0].center.y, 90, 1) << degrees;
    EXPECT_NEAR(found[0].width, 80 + 2 * widened, 4) << degrees;
    EXPECT_NEAR(found[0].height, 12 + 2 * widened, 4) << degrees;
    EXPECT_NEAR(found[0].along.y, AtAngle(degrees).y, 0.06) << degrees;
    EXPECT_GT(found[0].along.x, 0.7) << degrees;
  }
}

// Proves that a line from top to bottom is higher than wide, and not lying on its side.
TEST(TextRegionsTest, KeepsUprightLinesUpright) {
  Map map(200, 200);
  map.Draw({{50, 100}, 10, 120, {1, 0}}, 0.9F);
  const auto found = map.Find();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_GT(found[0].height, 5 * found[0].width);
}

// Proves that lines which do not touch are two, the larger one first, and that no more are given
// than were asked for.
TEST(TextRegionsTest, TellsLinesApart) {
  Map map(200, 200);
  map.Draw({{100, 50}, 60, 10, {1, 0}}, 0.8F);
  map.Draw({{100, 120}, 120, 10, {1, 0}}, 0.8F);
  const auto found = map.Find();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_NEAR(found[0].center.y, 120, 1);
  EXPECT_NEAR(found[1].center.y, 50, 1);
  EXPECT_EQ(map.Find(1).size(), 1U);
}

// Proves that what is unlikely, or too small to be read, is no line; nor is an empty picture.
TEST(TextRegionsTest, LeavesOutWhatIsNoText) {
  EXPECT_TRUE(Map(64, 32).Find().empty());
  Map doubtful(200, 100);
  doubtful.Draw({{100, 50}, 60, 10, {1, 0}}, 0.5F);
  EXPECT_TRUE(doubtful.Find().empty());
  Map small(200, 100);
  small.Draw({{100, 50}, 60, 2, {1, 0}}, 0.9F);
  EXPECT_TRUE(small.Find().empty());
  Map full(64, 32);
  full.Draw({{32, 16}, 100, 100, {1, 0}}, 1.0F);
  EXPECT_EQ(full.Find().size(), 1U) << "as large as the picture";
}

// Proves that the smallest rectangle is found of the points of one, of a line and of one alone.
TEST(TextRegionsTest, FindsTheSmallestRectangle) {
  const Rectangle turned = SmallestAround({{0, 0}, {3, 4}, {-4, 3}, {-1, 7}, {-0.5, 3.5}});
  EXPECT_NEAR(turned.width * turned.height, 25, 1e-9);
  const Rectangle line = SmallestAround({{1, 1}, {5, 1}, {3, 1}});
  EXPECT_NEAR(line.width, 4, 1e-9);
  EXPECT_NEAR(line.height, 0, 1e-9);
  EXPECT_NEAR(SmallestAround({{2, 3}}).center.x, 2, 1e-9);
}

}  // namespace
}  // namespace tintype::darkroom::vision
