#include <string>
#include <vector>

#include "darkroom/imaging/testing/imaging_test.h"
#include "darkroom/media_type.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

class EditTest : public ImagingTest {
 protected:
  struct Print {
    Edited edited;
    std::string bytes;
  };
  Result<Print> Edit(std::string_view file, std::vector<EditOperation> operations,
                     OutputFormat format = OutputFormat::kWebp) {
    const MemoryFile input(file);
    const MemoryFile output;
    ASSIGN_OR_RETURN(Edited edited, darkroom_.Edit(kAccount, {.input = input.number(),
                                                              .operations = std::move(operations),
                                                              .format = format,
                                                              .output = output.number()}));
    return Print{edited, output.Content()};
  }
};

// Proves that rotations are clockwise and full-size, in both formats, and that what is told is
// true.
TEST_F(EditTest, Rotates) {
  const VImage upright = Quadrants(200, 120);
  for (const OutputFormat format : {OutputFormat::kWebp, OutputFormat::kJpeg}) {
    for (const int degrees : {90, 180, 270}) {
      // Turned the other way before, it comes out as it was.
      const VImage turned = degrees == 90    ? upright.rot270()
                            : degrees == 180 ? upright.rot180()
                                             : upright.rot90();
      const auto print = Edit(Png(turned), {Rotate{degrees}}, format);
      ASSERT_TRUE(print.ok());
      EXPECT_EQ(print->edited.width, 200);
      EXPECT_EQ(print->edited.height, 120);
      EXPECT_EQ(print->edited.format, format);
      EXPECT_EQ(print->edited.bytes, static_cast<int64_t>(print->bytes.size()));
      EXPECT_EQ(DetectMediaType(print->bytes),
                format == OutputFormat::kWebp ? "image/webp" : "image/jpeg");
      EXPECT_TRUE(HasUprightQuadrants(Decode(print->bytes))) << degrees;
    }
  }
}

// Proves that operations run in their order, on the image as it is looked at: the file lies on its
// side.
TEST_F(EditTest, CropsTheUprightImage) {
  VImage lying = Quadrants(200, 120).rot270().copy();
  lying.set("orientation", 6);
  const std::string file = Jpeg(lying, VImage::option()->set("Q", 95));
  const auto right = Edit(file, {Crop{100, 0, 100, 60}});
  ASSERT_TRUE(right.ok()) << right.error().message();
  EXPECT_EQ(right->edited.width, 100);
  EXPECT_EQ(right->edited.height, 60);
  EXPECT_TRUE(IsNear(Decode(right->bytes), 50, 30, {30, 170, 40}));
  const auto turned_first = Edit(file, {Rotate{90}, Crop{60, 0, 60, 100}});
  ASSERT_TRUE(turned_first.ok()) << turned_first.error().message();
  EXPECT_TRUE(IsNear(Decode(turned_first->bytes), 30, 50, {200, 30, 30}));
}

// Proves that a crop must be wholly inside, to the pixel, and that the refusal is for good.
TEST_F(EditTest, RefusesCropsOutside) {
  const std::string file = Png(Quadrants(200, 120));
  EXPECT_TRUE(Edit(file, {Crop{0, 0, 200, 120}}).ok());
  EXPECT_TRUE(Edit(file, {Crop{199, 119, 1, 1}}).ok());
  for (const Crop& crop : {Crop{1, 0, 200, 120}, Crop{0, 1, 200, 120}, Crop{0, 0, 201, 120},
                           Crop{200, 0, 1, 1}, Crop{9'999'999, 0, 9'999'999, 1}}) {
    const auto refused = Edit(file, {crop});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(KindOf(refused.error()), FailureKind::kInvalidRequest);
    EXPECT_TRUE(IsPermanent(refused.error()));
  }
  EXPECT_FALSE(Edit(file, {Rotate{90}, Crop{0, 0, 200, 120}}).ok());
}

// Proves that levels are stretched to the whole range, the same for every band, and no further.
TEST_F(EditTest, StretchesLevels) {
  const VImage flat =
      Plain(200, 100, {90, 90, 90}).insert(Plain(100, 100, {150, 150, 150}), 100, 0);
  const auto print = Edit(Png(flat), {AutoLevels{}});
  ASSERT_TRUE(print.ok());
  const VImage image = Decode(print->bytes);
  EXPECT_TRUE(IsNear(image, 20, 50, {0, 0, 0}, 8));
  EXPECT_TRUE(IsNear(image, 180, 50, {255, 255, 255}, 8));
  const auto plain = Edit(Png(Plain(50, 50, {90, 120, 60})), {AutoLevels{}});
  ASSERT_TRUE(plain.ok());
  EXPECT_TRUE(IsNear(Decode(plain->bytes), 25, 25, {90, 120, 60}, 8));
}

// Proves that black and white has no colour left, and that transparency stays.
TEST_F(EditTest, TakesColorsAway) {
  const auto print = Edit(Png(WithHalfTransparent(Quadrants(200, 120))), {BlackAndWhite{}});
  ASSERT_TRUE(print.ok());
  const VImage image = Decode(print->bytes);
  ASSERT_EQ(image.bands(), 4);
  const auto pixel = image.getpoint(50, 30);
  EXPECT_NEAR(pixel[0], pixel[1], 4);
  EXPECT_NEAR(pixel[1], pixel[2], 4);
  EXPECT_EQ(pixel[3], 255);
  EXPECT_EQ(image.getpoint(150, 30).at(3), 0);
}

// Proves that JPEG, which has no transparency, shows white instead.
TEST_F(EditTest, PutsTransparencyOnWhiteForJpeg) {
  const auto print =
      Edit(Png(WithHalfTransparent(Plain(100, 100, {10, 10, 10}))), {}, OutputFormat::kJpeg);
  ASSERT_TRUE(print.ok());
  const VImage image = Decode(print->bytes);
  EXPECT_TRUE(IsNear(image, 20, 50, {10, 10, 10}));
  EXPECT_TRUE(IsNear(image, 80, 50, {255, 255, 255}));
}

// Proves the limit on what an edit holds in memory, and WebP's own on sides.
TEST_F(EditTest, RefusesWhatIsTooLarge) {
  Config config = HelperConfig();
  config.limits.pixels.pixels_held_whole = 10'000;
  Darkroom small(config);
  const MemoryFile input(Png(Plain(101, 100, {1, 2, 3})));
  const MemoryFile output;
  const auto refused = small.Edit(kAccount, {.input = input.number(), .output = output.number()});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(KindOf(refused.error()), FailureKind::kTooLarge);

  const std::string wide = Png(Plain(17'000, 3, {1, 2, 3}));
  const auto too_wide = Edit(wide, {});
  ASSERT_FALSE(too_wide.ok());
  EXPECT_EQ(KindOf(too_wide.error()), FailureKind::kTooLarge);
  EXPECT_TRUE(Edit(wide, {}, OutputFormat::kJpeg).ok());
}

}  // namespace
}  // namespace tintype::darkroom
