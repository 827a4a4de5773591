#include "darkroom/imaging/planes/direct.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>  // jpeglib.h needs it.
#include <string>
#include <vector>

#include <jpeglib.h>

#include "darkroom/imaging/picture.h"
#include "darkroom/imaging/planes/jpeg_writer.h"
#include "darkroom/imaging/testing/pictures.h"
#include "darkroom/imaging/testing/similarity.h"
#include "darkroom/testing/memory_file.h"

// The direct way beside that of libvips: whatever the file, both give the same picture.

namespace tintype::darkroom {
namespace {

using vips::VImage;

class DirectTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { StartPictures(); }
};

SourceImage Open(const MemoryFile& file, int32_t longest_side = kFullSize) {
  auto source = OpenSource(file.number(), {}, Strictness::kWhole, longest_side);
  CHECK(source.ok());
  return std::move(source).value();
}

Placement Whole(Dimensions size) { return {size, size}; }

std::optional<DirectPicture> Directly(const std::string& bytes, const Placement& placement,
                                      Range range = Range::kLimited) {
  const MemoryFile file(bytes);
  return ReadDirectly(file.number(), Open(file), placement, range);
}

// What libvips makes of the whole image. The reductions of its decoder, which the helper uses, are
// left out: they round the size of the image, and so move it by up to half a pixel.
VImage ByVips(const std::string& bytes, const Placement& placement) {
  const MemoryFile file(bytes);
  return ReadByVips(Open(file), placement);
}

/// A JPEG file whose luminance has so many samples for each of its colours.
std::string SampledJpeg(const VImage& image, int across, int down, bool progressive) {
  const VImage pixels = Settle(image);
  jpeg_compress_struct state = {};
  jpeg_error_mgr errors = {};
  state.err = jpeg_std_error(&errors);
  jpeg_create_compress(&state);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&state, &bytes, &size);
  state.image_width = static_cast<unsigned>(pixels.width());
  state.image_height = static_cast<unsigned>(pixels.height());
  state.input_components = 3;
  state.in_color_space = JCS_RGB;
  jpeg_set_defaults(&state);
  jpeg_set_quality(&state, 95, TRUE);
  state.comp_info[0].h_samp_factor = across;
  state.comp_info[0].v_samp_factor = down;
  if (progressive) {
    jpeg_simple_progression(&state);
  }
  jpeg_start_compress(&state, TRUE);
  auto* row = static_cast<JSAMPROW>(const_cast<void*>(pixels.data()));
  for (; state.next_scanline < state.image_height; row += pixels.width() * 3) {
    jpeg_write_scanlines(&state, &row, 1);
  }
  jpeg_finish_compress(&state);
  jpeg_destroy_compress(&state);
  std::string result(reinterpret_cast<char*>(bytes), size);
  std::free(bytes);
  return result;
}

void ExpectSame(const VImage& image, const VImage& expected, const std::string& what,
                double colors = 6) {
  ASSERT_EQ(image.width(), expected.width()) << what;
  ASSERT_EQ(image.height(), expected.height()) << what;
  EXPECT_GE(Similarity(image, expected), 0.99) << what;
  EXPECT_LE(ColorDifference(image, expected), colors) << what;
}

std::string Name(int a, int b) { return std::to_string(a) + " x " + std::to_string(b); }

// Proves that both ways give the same picture, for every way in which colours are stored, baseline
// and progressive, odd sizes included, not scaled, scaled a little and scaled much.
TEST_F(DirectTest, LooksAsByLibvips) {
  for (const auto& [width, height] : {std::pair{400, 300}, std::pair{401, 299}}) {
    const VImage scene = Scene(width, height);
    for (const auto& [across, down] :
         {std::pair{2, 2}, std::pair{2, 1}, std::pair{1, 2}, std::pair{1, 1}}) {
      for (const bool progressive : {false, true}) {
        const std::string file = SampledJpeg(scene, across, down, progressive);
        for (const int longest : {1000, 333, 205, 97, 40}) {
          const Placement placement = Whole(FitWithin({width, height}, longest));
          const auto direct = Directly(file, placement);
          ASSERT_TRUE(direct.has_value());
          EXPECT_EQ(direct->damage, Damage::kNone);
          // Colours of single pixels are mixed with their neighbours' on the direct way alone.
          ExpectSame(ToRgb(direct->picture), ByVips(file, placement),
                     Name(width, height) + " sampled " + Name(across, down) + " to " +
                         std::to_string(longest),
                     14);
        }
      }
    }
  }
}

// Proves that each orientation is undone, with odd and even numbers of pixels: a shift of the
// colours by half a sample would show.
TEST_F(DirectTest, TurnsUpright) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    for (const auto& [width, height] : {std::pair{200, 120}, std::pair{201, 121}}) {
      VImage tagged = Scene(width, height).copy();
      tagged.set("orientation", orientation);
      const std::string file = Jpeg(tagged, VImage::option()->set("Q", 95));
      const bool lying = orientation >= 5;
      const Dimensions full = {lying ? height : width, lying ? width : height};
      for (const int longest : {1000, 133, 50}) {
        const Placement placement = Whole(FitWithin(full, longest));
        const auto direct = Directly(file, placement);
        ASSERT_TRUE(direct.has_value()) << orientation;
        ExpectSame(ToRgb(direct->picture), ByVips(file, placement),
                   "orientation " + std::to_string(orientation) + " to " + std::to_string(longest),
                   14);
      }
    }
  }
}

// Proves that a part is cut out of the middle as libvips does it, also of images that lie on their
// side, and with nothing left over of the rest.
TEST_F(DirectTest, CutsAroundTheMiddle) {
  for (const int orientation : {1, 3, 6, 8}) {
    VImage tagged = Scene(300, 201).copy();
    tagged.set("orientation", orientation);
    const std::string file = Jpeg(tagged, VImage::option()->set("Q", 95));
    const bool lying = orientation >= 5;
    const Dimensions full = {lying ? 201 : 300, lying ? 300 : 201};
    for (const auto& [width, height] :
         {std::pair{100, 100}, std::pair{57, 201}, std::pair{201, 33}, std::pair{20, 15}}) {
      const Placement placement =
          PlaceFor(full, {.width = width, .height = height, .fit = Fit::kCover});
      const auto direct = Directly(file, placement);
      ASSERT_TRUE(direct.has_value());
      ExpectSame(ToRgb(direct->picture), ByVips(file, placement),
                 Name(width, height) + " of orientation " + std::to_string(orientation), 14);
    }
  }
}

// Proves the smallest, the narrowest and the longest images that JPEG can have.
TEST_F(DirectTest, TakesExtremeSizes) {
  const struct {
    int width, height, longest;
  } cases[] = {{1, 1, 256},     {2, 1, 1},         {16, 1, 256}, {1, 16, 4},
               {7, 3, 2},       {17, 33, 256},     {17, 33, 16}, {65500, 1, 256},
               {1, 65500, 256}, {65500, 1, 16383}, {9000, 2, 1}, {2, 9000, 300}};
  for (const auto& test : cases) {
    const std::string file = Jpeg(Plain(test.width, test.height, {90, 120, 200}));
    const Placement placement = Whole(FitWithin({test.width, test.height}, test.longest));
    const auto direct = Directly(file, placement);
    ASSERT_TRUE(direct.has_value()) << Name(test.width, test.height);
    ExpectSame(ToRgb(direct->picture), ByVips(file, placement), Name(test.width, test.height), 2);
  }
}

// Proves that each size that is made of another still looks like one made of the file.
TEST_F(DirectTest, ScalesStepByStep) {
  const VImage scene = Scene(1500, 1001);
  const std::string file = Jpeg(scene, VImage::option()->set("Q", 95));
  auto direct = Directly(file, Whole(FitWithin({1500, 1001}, 1200)));
  ASSERT_TRUE(direct.has_value());
  YuvPicture picture = std::move(direct->picture);
  for (const int longest : {600, 301, 150, 64}) {
    const Dimensions size = FitWithin({1500, 1001}, longest);
    picture = ScaleTo(picture, size);
    ExpectSame(ToRgb(picture), ByVips(file, Whole(size)), std::to_string(longest), 14);
  }
}

// Proves that images without colours go the same way, and have none.
TEST_F(DirectTest, TakesGray) {
  const std::string file =
      Jpeg(Scene(301, 200).colourspace(VIPS_INTERPRETATION_B_W), VImage::option()->set("Q", 95));
  for (const int longest : {301, 100}) {
    const Placement placement = Whole(FitWithin({301, 200}, longest));
    const auto direct = Directly(file, placement);
    ASSERT_TRUE(direct.has_value());
    const VImage image = ToRgb(direct->picture);
    ExpectSame(image, ByVips(file, placement), std::to_string(longest), 3);
    EXPECT_EQ((image.extract_band(0) - image.extract_band(2)).abs().max(), 0);
  }
}

// Proves that WebP files with loss go the same way, of any size and orientation, into both ranges.
TEST_F(DirectTest, TakesWebp) {
  for (const auto& [width, height] : {std::pair{400, 300}, std::pair{401, 299}}) {
    for (const int orientation : {1, 3, 6}) {
      VImage tagged = Scene(width, height).copy();
      tagged.set("orientation", orientation);
      const std::string file = Webp(tagged, VImage::option()->set("Q", 95));
      const bool lying = orientation >= 5;
      const Dimensions full = {lying ? height : width, lying ? width : height};
      for (const int longest : {1000, 205, 97}) {
        for (const Range range : {Range::kLimited, Range::kFull}) {
          const Placement placement = Whole(FitWithin(full, longest));
          const auto direct = Directly(file, placement, range);
          ASSERT_TRUE(direct.has_value());
          EXPECT_EQ(direct->picture.range, range);
          ExpectSame(ToRgb(direct->picture), ByVips(file, placement),
                     Name(width, height) + " turned " + std::to_string(orientation) + " to " +
                         std::to_string(longest),
                     14);
        }
      }
    }
  }
}

// Proves which files are left to libvips: those whose colours have to be converted. A profile that
// is sRGB's own, or rubbish, converts nothing.
TEST_F(DirectTest, LeavesColorsToLibvips) {
  const VImage scene = Scene(64, 48);
  const auto in_profile = [&](const char* profile) {
    return Jpeg(scene.icc_transform(
        profile, VImage::option()->set("input_profile", "srgb")->set("depth", 8)));
  };
  VImage broken = scene.copy();
  char rubbish[] = "this is no profile";
  broken.set(VIPS_META_ICC_NAME, nullptr, rubbish, sizeof(rubbish));
  const struct {
    const char* name;
    std::string file;
    bool direct;
  } cases[] = {
      {"no profile", Jpeg(scene), true},
      {"sRGB", in_profile("srgb"), true},
      {"rubbish", Jpeg(broken), true},
      {"Display P3", in_profile("p3"), false},
      {"CMYK", Jpeg(scene.colourspace(VIPS_INTERPRETATION_CMYK)), false},
      {"PNG", Png(scene), false},
      {"WebP", Webp(scene), true},
      {"WebP without loss", Webp(scene, VImage::option()->set("lossless", true)), false},
      {"WebP with alpha", Webp(WithHalfTransparent(scene)), false},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(Directly(test.file, Whole({32, 24})).has_value(), test.direct) << test.name;
  }
}

// Proves that a file that ends early comes as far as it goes and says so, and that one that cannot
// be decoded is left to libvips.
TEST_F(DirectTest, SaysWhatIsMissing) {
  const std::string whole = Jpeg(Quadrants(800, 600), VImage::option()->set("Q", 95));
  const Placement placement = Whole({400, 300});
  const auto cut = Directly(whole.substr(0, whole.size() / 2), placement);
  ASSERT_TRUE(cut.has_value());
  EXPECT_EQ(cut->damage, Damage::kTruncated);
  ASSERT_TRUE(cut->rows_there.has_value());
  EXPECT_GE(*cut->rows_there, 64);
  EXPECT_LT(*cut->rows_there, 600);
  EXPECT_TRUE(IsNear(ToRgb(cut->picture), 100, 30, {200, 30, 30}));

  std::string damaged = whole;
  std::fill_n(damaged.begin() + static_cast<ptrdiff_t>(whole.size() / 2), 200, '\x55');
  const auto bad = Directly(damaged, placement);
  ASSERT_TRUE(bad.has_value());
  EXPECT_EQ(bad->damage, Damage::kDamaged);

  // A second beginning of an image within the first.
  std::string twice = whole;
  const size_t scan = whole.find("\xFF\xDA");
  twice.insert(scan, "\xFF\xD8");
  const MemoryFile file(twice);
  const MemoryFile sound(whole);
  EXPECT_FALSE(ReadDirectly(file.number(), Open(sound), placement, Range::kLimited).has_value());

  const std::string webp = Webp(Quadrants(800, 600));
  const MemoryFile webp_cut(webp.substr(0, webp.size() / 2));
  const MemoryFile webp_sound(webp);
  EXPECT_FALSE(ReadDirectly(webp_cut.number(), Open(webp_sound), placement, Range::kLimited));
}

// Proves that a JPEG file written from planes holds them, at every size relative to its blocks.
TEST_F(DirectTest, WritesJpeg) {
  for (const auto& [width, height] : {std::pair{160, 96}, std::pair{161, 97}, std::pair{15, 17},
                                      std::pair{1, 1}, std::pair{33, 8}, std::pair{8, 33}}) {
    const VImage scene = Scene(width, height);
    const auto direct =
        Directly(Jpeg(scene, VImage::option()->set("Q", 98)), Whole({width, height}), Range::kFull);
    ASSERT_TRUE(direct.has_value());
    const auto bytes = EncodeJpeg(direct->picture, 98);
    ASSERT_TRUE(bytes.ok());
    ExpectSame(Decode(*bytes), Decode(Jpeg(scene, VImage::option()->set("Q", 98))),
               Name(width, height), 14);
    const auto low = EncodeJpeg(direct->picture, 20);
    ASSERT_TRUE(low.ok());
    EXPECT_LE(low->size(), bytes->size());
  }
}

}  // namespace
}  // namespace tintype::darkroom
