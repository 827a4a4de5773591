#include "darkroom/imaging/metadata/perceptual_hash.h"

#include <gtest/gtest.h>

#include <bit>
#include <random>
#include <string>
#include <vector>

#include "darkroom/imaging/metadata/properties.h"
#include "darkroom/imaging/testing/pictures.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

/// A picture of soft shapes, another for each seed.
VImage Scene(uint32_t seed, int width, int height) {
  std::mt19937 random(seed);
  const auto below = [&](int limit) {
    return static_cast<int>(random() % static_cast<uint32_t>(limit));
  };
  VImage scene = Plain(width, height, {below(256), below(256), below(256)}).copy_memory();
  for (int i = 0; i < 25; ++i) {
    const std::vector<double> color = {static_cast<double>(below(256)),
                                       static_cast<double>(below(256)),
                                       static_cast<double>(below(256))};
    scene.draw_circle(color, below(width), below(height), 2 + below(width / 4),
                      VImage::option()->set("fill", true));
  }
  return scene.gaussblur(2);
}

class PerceptualHashTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { StartPictures(); }

  static uint64_t Hash(const VImage& image) {
    const auto hash = MeasureProperties(image.copy_memory()).perceptual_hash;
    EXPECT_TRUE(hash.has_value());
    return hash.value_or(0);
  }
  static int Apart(const VImage& one, const VImage& other) {
    return std::popcount(Hash(one) ^ Hash(other));
  }
};

// Proves that what leaves a picture the same to the eye leaves its hash nearly the same.
TEST_F(PerceptualHashTest, StaysWhenThePictureStays) {
  constexpr int kNear = 8;
  for (uint32_t seed = 1; seed <= 5; ++seed) {
    const VImage scene = Scene(seed, 600, 400);
    const struct {
      const char* name;
      VImage image;
    } cases[] = {
        {"half the size", scene.resize(0.5)},
        {"a fifth of the size", scene.resize(0.2)},
        {"twice the size", scene.resize(2)},
        {"a little out of proportion", scene.resize(0.5, VImage::option()->set("vscale", 0.53))},
        {"a poor JPEG", Decode(Jpeg(scene, VImage::option()->set("Q", 35)))},
        {"a poor small WebP", Decode(Webp(scene.resize(0.3), VImage::option()->set("Q", 30)))},
        {"a GIF", Decode(Gif(scene))},
        {"brighter", (scene + 18).cast(VIPS_FORMAT_UCHAR)},
        {"darker", (scene * 0.85).cast(VIPS_FORMAT_UCHAR)},
        {"blurred", scene.gaussblur(3)},
        {"gray", scene.colourspace(VIPS_INTERPRETATION_B_W).colourspace(VIPS_INTERPRETATION_sRGB)},
        {"noisy", (scene + VImage::gaussnoise(
                               600, 400, VImage::option()->set("mean", 0.0)->set("sigma", 10.0)))
                      .cast(VIPS_FORMAT_UCHAR)},
    };
    for (const auto& test : cases) {
      const VImage same =
          test.image.copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
      EXPECT_LE(Apart(scene, same), kNear) << seed << ": " << test.name;
    }
  }
}

// Proves that different pictures are far apart, turned and mirrored ones too.
TEST_F(PerceptualHashTest, DiffersWhenThePictureDiffers) {
  constexpr int kFar = 15;
  std::vector<uint64_t> hashes;
  for (uint32_t seed = 1; seed <= 12; ++seed) {
    const VImage scene = Scene(seed, 300, 200);
    hashes.push_back(Hash(scene));
    EXPECT_GE(Apart(scene, scene.rot180()), kFar) << seed;
    EXPECT_GE(Apart(scene, scene.fliphor()), kFar) << seed;
  }
  for (size_t i = 0; i < hashes.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      EXPECT_GE(std::popcount(hashes[i] ^ hashes[j]), kFar) << i << " and " << j;
    }
  }
}

// Proves that a picture without shapes has none, so that a white wall is not like every other.
TEST_F(PerceptualHashTest, HasNoneWithoutShapes) {
  for (const VImage& plain : {Plain(300, 200, {255, 255, 255}), Plain(1, 1, {9, 9, 9}),
                              Decode(Jpeg(Plain(300, 200, {120, 90, 60})))}) {
    EXPECT_EQ(MeasureProperties(plain.copy_memory()).perceptual_hash, std::nullopt);
  }
  EXPECT_TRUE(MeasureProperties(Quadrants(64, 64).copy_memory()).perceptual_hash.has_value());
}

// Proves that the bits do not change between versions, since they are kept: the number was computed
// from the definition by another program.
TEST_F(PerceptualHashTest, IsTheSameForever) {
  std::vector<uint8_t> pixels;
  for (int y = 0; y < kHashedSide; ++y) {
    for (int x = 0; x < kHashedSide; ++x) {
      pixels.push_back(static_cast<uint8_t>((x * x + 7 * y) % 256));
    }
  }
  EXPECT_EQ(PerceptualHash(pixels), 0x4012C2CEFB1343DFU);
}

}  // namespace
}  // namespace tintype::darkroom
