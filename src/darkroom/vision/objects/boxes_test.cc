#include "darkroom/vision/objects/boxes.h"

#include <gtest/gtest.h>

#include <limits>

namespace tintype::darkroom::vision {
namespace {

/// What a detector gives that sees nothing, until a test has it see something.
class Numbers {
 public:
  Numbers() : moves_(Anchors().size() * 4), scores_(Anchors().size() * kObjectKindsMax) {}

  void See(size_t anchor, size_t kind, float score) {
    scores_[anchor * kObjectKindsMax + kind] = score;
  }
  float& MoveOf(size_t anchor, size_t number) { return moves_[anchor * 4 + number]; }
  std::vector<FoundObject> Objects() const { return ObjectsOf(moves_, scores_); }

 private:
  std::vector<float> moves_;
  std::vector<float> scores_;
};

// Proves that there are as many anchors as the model has outputs, the small ones first.
TEST(BoxesTest, HasTheModelsAnchors) {
  ASSERT_EQ(Anchors().size(), 1917U);
  EXPECT_DOUBLE_EQ(Anchors().front().x, 0.5 / 19);
  EXPECT_DOUBLE_EQ(Anchors().front().width, 0.1);
  EXPECT_DOUBLE_EQ(Anchors().back().x, 0.5);
  EXPECT_NEAR(Anchors().back().height, 0.974679, 1e-6);
}

// Proves that nothing is found in nothing, nor what the detector doubts, nor the class of nothing.
TEST(BoxesTest, DoubtsAreNoObjects) {
  Numbers numbers;
  EXPECT_TRUE(numbers.Objects().empty());
  numbers.See(100, 18, 0.49F);
  numbers.See(200, 0, 0.99F);
  numbers.See(300, 5, std::numeric_limits<float>::quiet_NaN());
  EXPECT_TRUE(numbers.Objects().empty());
}

// Proves that a box is where the anchor is moved to, and ends at the picture's edges.
TEST(BoxesTest, MovesAnchors) {
  Numbers numbers;
  const size_t last = Anchors().size() - 1;
  numbers.See(last, 18, 0.9F);
  numbers.MoveOf(last, 2) = 5 * -0.6931472F;  // Half as high.
  numbers.MoveOf(last, 1) = 10 * 0.5F;        // To the right by half its width.
  const auto objects = numbers.Objects();
  ASSERT_EQ(objects.size(), 1U);
  const double size = Anchors().back().width;
  EXPECT_EQ(objects[0].kind, 18);
  EXPECT_NEAR(objects[0].confidence, 0.9, 1e-6);
  EXPECT_NEAR(objects[0].left, 0.5, 1e-6);
  EXPECT_NEAR(objects[0].width, 0.5, 1e-6) << "no more than there is of the picture";
  EXPECT_NEAR(objects[0].height, size / 2, 1e-5);
  EXPECT_NEAR(objects[0].top, 0.5 - size / 4, 1e-5);
}

// Proves that of boxes over each other the surest stays, unless they are of two classes.
TEST(BoxesTest, KeepsOneBoxOfAThing) {
  Numbers numbers;
  const size_t last = Anchors().size() - 1;
  numbers.See(last, 18, 0.7F);
  numbers.See(last - 5, 18, 0.8F);  // The same place, of nearly that size.
  numbers.See(last, 17, 0.6F);
  const auto objects = numbers.Objects();
  ASSERT_EQ(objects.size(), 2U);
  EXPECT_NEAR(objects[0].confidence, 0.8, 1e-6);
  EXPECT_EQ(objects[1].kind, 17);
}

// Proves that nonsense gives boxes all the same, that lie in the picture, and no more than an
// answer may have.
TEST(BoxesTest, BearsNonsense) {
  Numbers numbers;
  for (size_t anchor = 0; anchor < Anchors().size(); ++anchor) {
    for (size_t kind = 1; kind < 4; ++kind) {
      numbers.See(anchor, kind, 7.0F);
    }
    numbers.MoveOf(anchor, 3) = anchor % 2 == 0 ? 1e30F : -1e30F;
  }
  const auto objects = numbers.Objects();
  EXPECT_LE(objects.size(), kObjectsMax);
  for (const FoundObject& object : objects) {
    EXPECT_GE(object.left, 0);
    EXPECT_LE(object.left + object.width, 1 + 1e-9);
    EXPECT_LE(object.confidence, 1);
  }
}

}  // namespace
}  // namespace tintype::darkroom::vision
