#include "darkroom/imaging/picture.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

#include "darkroom/imaging/testing/pictures.h"
#include "darkroom/testing/memory_file.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

class PictureTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { StartPictures(); }
};

// Proves which files go the fast way, as planes, and which by libvips: what comes out looks the
// same, so nothing else would tell that the fast way was lost. Without a range there is none.
TEST_F(PictureTest, TakesTheFastWayWhereThereIsOne) {
  const VImage scene = Scene(200, 150);
  const VImage wide =
      scene.icc_transform("p3", VImage::option()->set("input_profile", "srgb")->set("depth", 8));
  VImage lying = scene.copy();
  lying.set("orientation", 6);
  const auto sampled = [&](VipsForeignSubsample mode) {
    return Jpeg(scene, VImage::option()->set("subsample_mode", mode));
  };
  const std::string plain = sampled(VIPS_FOREIGN_SUBSAMPLE_ON);
  const struct {
    const char* name;
    std::string file;
    bool is_fast;
  } cases[] = {
      {"JPEG 4:2:0", plain, true},
      {"JPEG 4:4:4", sampled(VIPS_FOREIGN_SUBSAMPLE_OFF), true},
      {"gray JPEG", Jpeg(scene.colourspace(VIPS_INTERPRETATION_B_W)), true},
      {"progressive JPEG", Jpeg(scene, VImage::option()->set("interlace", true)), true},
      {"JPEG that lies on its side", Jpeg(lying), true},
      {"JPEG cut off", plain.substr(0, plain.size() / 2), true},
      {"WebP", Webp(scene), true},
      {"CMYK JPEG", Jpeg(scene.colourspace(VIPS_INTERPRETATION_CMYK)), false},
      {"JPEG of a wide gamut", Jpeg(wide), false},
      {"PNG", Png(scene), false},
      {"TIFF", Tiff(scene), false},
  };
  const auto place = [](Dimensions original) {
    const Dimensions size = FitWithin(original, 80);
    return Placement{size, size};
  };
  for (const auto& test : cases) {
    const MemoryFile file(test.file);
    const auto fast = ReadPicture(file.number(), {}, place, Range::kLimited);
    ASSERT_TRUE(fast.ok()) << test.name << ": " << fast.error().message();
    EXPECT_EQ(std::holds_alternative<YuvPicture>(fast->pixels), test.is_fast) << test.name;
    const auto slow = ReadPicture(file.number(), {}, place, std::nullopt);
    ASSERT_TRUE(slow.ok()) << test.name << ": " << slow.error().message();
    EXPECT_TRUE(std::holds_alternative<VImage>(slow->pixels)) << test.name;
  }
}

}  // namespace
}  // namespace tintype::darkroom
