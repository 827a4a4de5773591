#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

#include "base/strings.h"
#include "darkroom/imaging/testing/imaging_test.h"
#include "darkroom/imaging/testing/raw_files.h"
#include "darkroom/imaging/testing/similarity.h"

// Every format that is taken, and every kind of pixels in it: what comes out looks as what went in.

namespace tintype::darkroom {
namespace {

using namespace std::literals;
using vips::VImage;

class FormatsTest : public ImagingTest {};

/// A scene with grain as fine as an image of half its size can show.
VImage GrainyScene() {
  const VImage grain = VImage::gaussnoise(
      210, 130, VImage::option()->set("mean", 0.0)->set("sigma", 20.0)->set("seed", 3));
  const VImage pixels = grain.zoom(2, 2);
  return (Scene(420, 260) + pixels.bandjoin(pixels).bandjoin(pixels))
      .cast(VIPS_FORMAT_UCHAR)
      .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB))
      .copy_memory();
}

/// How alike a rendition and its truth have to look: by Similarity at least, by ColorDifference at
/// most. Colours of single pixels are mixed with their neighbours' in every rendition.
struct Likeness {
  double similarity;
  double colors;
};
constexpr Likeness kLossless = {0.99, 14};
constexpr Likeness kLossy = {0.98, 18};
// Of previews, the decoder itself makes half the size.
constexpr Likeness kPreview = {0.96, 18};

/// What a rendition of half the size should look like.
VImage Halved(const VImage& image) { return image.resize(0.5).copy_memory(); }

testing::AssertionResult IsAlike(const VImage& image, const VImage& truth,
                                 const Likeness& likeness) {
  const double similarity = Similarity(image, truth);
  const double colors = ColorDifference(image, truth);
  const bool alike = similarity >= likeness.similarity && colors <= likeness.colors;
  return (alike ? testing::AssertionSuccess() : testing::AssertionFailure())
         << "similarity " << similarity << ", colours off by " << colors;
}

VImage Tagged(const VImage& image, int orientation) {
  VImage tagged = image.copy();
  tagged.set("orientation", orientation);
  return tagged;
}

/// How the file has to hold an image, so that it is `upright` when an orientation was applied.
VImage StoredFor(const VImage& upright, int orientation) {
  switch (orientation) {
    case 2:
      return upright.fliphor();
    case 3:
      return upright.rot180();
    case 4:
      return upright.flipver();
    case 5:
      return upright.rot90().fliphor();
    case 6:
      return upright.rot270();
    case 7:
      return upright.rot270().fliphor();
    case 8:
      return upright.rot90();
    default:
      return upright;
  }
}

/// A HEIC file that says to be an image and nothing of how it is coded.
std::string AsHeif(std::string file) {
  const size_t brands_end = static_cast<uint8_t>(file.at(3));
  for (size_t at = file.find("heic"); at < brands_end; at = file.find("heic", at)) {
    file.replace(at, 4, "mif1");
  }
  return file;
}

// Proves that each format, in each way of writing it that is common, is known for what it is and
// comes out as it went in, with all the detail that there is room for.
TEST_F(FormatsTest, DevelopsEveryFormat) {
  const VImage photo = GrainyScene();
  const VImage gray = photo.colourspace(VIPS_INTERPRETATION_B_W);
  const VImage deep = photo.colourspace(VIPS_INTERPRETATION_RGB16);
  const VImage deep_gray = photo.colourspace(VIPS_INTERPRETATION_GREY16);
  const VImage bits = (gray > 128).cast(VIPS_FORMAT_UCHAR);
  const std::string jpeg = Jpeg(photo, VImage::option()->set("Q", 95));
  const RawOptions preview = {jpeg, 420, 260};
  const auto options = [] { return VImage::option(); };
  const auto tiff = [&](VipsForeignTiffCompression compression) {
    return Tiff(photo, VImage::option()->set("compression", compression));
  };
  const struct {
    const char* name;
    const char* media_type;
    std::string file;
    VImage truth;
    Likeness likeness;
  } cases[] = {
      {"JPEG", "image/jpeg", jpeg, photo, kLossy},
      {"PNG", "image/png", Png(photo), photo, kLossless},
      {"16-bit PNG", "image/png", Png(deep), photo, kLossless},
      {"WebP", "image/webp", Webp(photo, options()->set("Q", 95)), photo, kLossy},
      {"lossless WebP", "image/webp", Webp(photo, options()->set("lossless", true)), photo,
       kLossless},
      {"GIF", "image/gif", Gif(photo), photo, kLossy},
      {"TIFF", "image/tiff", Tiff(photo), photo, kLossless},
      {"TIFF by LZW", "image/tiff", tiff(VIPS_FOREIGN_TIFF_COMPRESSION_LZW), photo, kLossless},
      {"TIFF by deflate", "image/tiff", tiff(VIPS_FOREIGN_TIFF_COMPRESSION_DEFLATE), photo,
       kLossless},
      {"TIFF by JPEG", "image/tiff", tiff(VIPS_FOREIGN_TIFF_COMPRESSION_JPEG), photo, kLossy},
      {"TIFF in tiles", "image/tiff", Tiff(photo, options()->set("tile", true)), photo, kLossless},
      {"BigTIFF", "image/tiff", Tiff(photo, options()->set("bigtiff", true)), photo, kLossless},
      {"16-bit TIFF", "image/tiff", Tiff(deep), photo, kLossless},
      {"16-bit gray TIFF", "image/tiff", Tiff(deep_gray), gray, kLossless},
      {"gray TIFF", "image/tiff", Tiff(gray), gray, kLossless},
      {"floating TIFF", "image/tiff", Tiff(photo.colourspace(VIPS_INTERPRETATION_scRGB)), photo,
       kLossless},
      {"Lab TIFF", "image/tiff", Tiff(photo.colourspace(VIPS_INTERPRETATION_LAB)), photo,
       kLossless},
      {"1-bit TIFF", "image/tiff", Tiff(bits, options()->set("bitdepth", 1)), bits, kLossless},
      {"HEIC", "image/heic", Heic(photo), photo, kLossy},
      {"10-bit HEIC", "image/heic", Heic(deep), photo, kLossy},
      {"AVIF", "image/avif", Avif(photo), photo, kLossy},
      {"12-bit AVIF", "image/avif", Avif(deep), photo, kLossy},
      {"HEIF", "image/heif", AsHeif(Heic(photo)), photo, kLossy},
      {"DNG", "image/tiff", Dng(preview), photo, kPreview},
      {"NEF", "image/tiff", Nef(preview), photo, kPreview},
      {"ARW", "image/tiff", Arw(preview), photo, kPreview},
      {"CR2", "image/x-canon-cr2", Cr2(preview), photo, kPreview},
      {"ORF", "image/x-olympus-orf", Orf(preview), photo, kPreview},
      {"RW2", "image/x-panasonic-rw2", Rw2(preview), photo, kPreview},
      {"RAF", "image/x-fuji-raf", Raf(preview), photo, kPreview},
  };
  for (const auto& test : cases) {
    // The rendition's own losses are not of interest here.
    const auto print = Develop(test.file, 210, 100);
    ASSERT_TRUE(print.ok()) << test.name << ": " << print.error().message();
    const Original& original = print->developed.original;
    EXPECT_EQ(original.media_type, test.media_type) << test.name;
    EXPECT_EQ(original.width, 420) << test.name;
    EXPECT_EQ(original.height, 260) << test.name;
    EXPECT_EQ(original.pages, 1) << test.name;
    EXPECT_EQ(original.damage, Damage::kNone) << test.name;
    const VImage image = Decode(print->bytes);
    ASSERT_EQ(image.width(), 210) << test.name;
    ASSERT_EQ(image.height(), 130) << test.name;
    EXPECT_TRUE(IsAlike(image, Halved(test.truth), test.likeness)) << test.name;
  }
}

// Proves that a rendition which is not what it should be does not pass for it, even as a preview:
// without its finest detail, with two of its colours swapped, turned, or half a pixel off.
TEST_F(FormatsTest, TellsWhatIsAlike) {
  const VImage truth = Halved(GrainyScene());
  const auto band = [&](int number) { return truth.extract_band(number); };
  const VImage moved =
      truth.affine({1, 0, 0, 1}, VImage::option()
                                     ->set("odx", 0.5)
                                     ->set("extend", VIPS_EXTEND_COPY)
                                     ->set("oarea", std::vector<int>{0, 0, 210, 130}));
  const struct {
    const char* name;
    VImage image;
  } cases[] = {
      {"blurred", truth.gaussblur(0.7)},
      {"half the size", truth.resize(0.5).resize(2)},
      {"swapped", band(2).bandjoin(band(1)).bandjoin(band(0)).copy(
                      VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB))},
      {"upside down", truth.rot180()},
      {"mirrored", truth.fliphor()},
      {"moved", moved},
  };
  EXPECT_TRUE(IsAlike(truth, truth, kLossless));
  for (const auto& test : cases) {
    EXPECT_FALSE(IsAlike(test.image, truth, kPreview)) << test.name;
  }
}

// Proves the eight orientations in every format whose EXIF says them, for sizes that are scaled and
// for one that is not.
TEST_F(FormatsTest, TurnsEveryFormatUpright) {
  const VImage upright = Quadrants(400, 240);
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const VImage stored = Tagged(StoredFor(upright, orientation), orientation);
    const std::string block = ExifBlockOf(Jpeg(stored));
    const struct {
      const char* name;
      std::string file;
    } cases[] = {{"JPEG", Jpeg(stored)},
                 {"WebP", Webp(stored)},
                 {"TIFF", Tiff(stored)},
                 {"BigTIFF", Tiff(stored, VImage::option()->set("bigtiff", true))},
                 {"PNG", WithPngExif(Png(stored), block)}};
    for (const auto& test : cases) {
      for (const int longest : {100, 1000}) {
        const auto print = Develop(test.file, longest);
        ASSERT_TRUE(print.ok()) << test.name << orientation << print.error().message();
        EXPECT_EQ(print->developed.exif.orientation, orientation) << test.name;
        EXPECT_EQ(print->developed.original.width, 400) << test.name << orientation;
        EXPECT_EQ(print->developed.original.height, 240) << test.name << orientation;
        EXPECT_TRUE(HasUprightQuadrants(Decode(print->bytes))) << test.name << orientation;
      }
    }
  }
}

/// The file with its property `pixi`, which nobody needs, replaced by one of a single byte.
std::string WithProperty(std::string file, std::string_view name, char value) {
  const size_t at = file.find("pixi");
  CHECK(at != std::string::npos);
  file.replace(at, 4, name);
  file[at + 4] = value;
  return file;
}

// Proves that HEIC and AVIF are turned by what they say in their own way, once, and that what their
// EXIF says besides is left alone.
TEST_F(FormatsTest, TurnsHeicOnce) {
  const VImage upright = Quadrants(400, 240);
  const struct {
    const char* name;
    VImage stored;
    std::string_view property;
    char value;
  } cases[] = {
      // Quarters of a turn against the clock.
      {"not at all", upright, "irot", 0},
      {"a quarter", upright.rot90(), "irot", 1},
      {"half", upright.rot180(), "irot", 2},
      {"three quarters", upright.rot270(), "irot", 3},
      {"left for right", upright.fliphor(), "imir", 1},
      {"top for bottom", upright.flipver(), "imir", 0},
  };
  for (const auto& test : cases) {
    for (const int exif_orientation : {1, 6}) {
      const VImage tagged = Tagged(test.stored, exif_orientation);
      for (const std::string& file : {Heic(tagged), Avif(tagged)}) {
        const auto print = Develop(WithProperty(file, test.property, test.value), 200);
        ASSERT_TRUE(print.ok()) << test.name << print.error().message();
        EXPECT_TRUE(HasUprightQuadrants(Decode(print->bytes))) << test.name << exif_orientation;
        EXPECT_EQ(print->developed.original.width, 400) << test.name;
        EXPECT_EQ(print->developed.exif.orientation, 1) << test.name;
      }
    }
  }
}

// Proves that of a HEIC file with several images its primary one is developed.
TEST_F(FormatsTest, DevelopsThePrimaryImage) {
  std::string file = Heic(Pages({Plain(64, 64, {200, 30, 30}), Plain(64, 64, {30, 40, 200})}));
  const auto first = Develop(file, 64);
  ASSERT_TRUE(first.ok()) << first.error().message();
  EXPECT_EQ(first->developed.original.pages, 2);
  EXPECT_TRUE(IsNear(Decode(first->bytes), 30, 30, {200, 30, 30}));
  // The number of the primary image stands in its box, that of each image three bytes before its
  // type.
  const size_t primary = file.find("pitm");
  const size_t other = file.find("hvc1", file.find("hvc1") + 4);
  ASSERT_NE(primary, std::string::npos);
  ASSERT_NE(other, std::string::npos);
  file[primary + 9] = file[other - 3];
  const auto second = Develop(file, 64);
  ASSERT_TRUE(second.ok()) << second.error().message();
  EXPECT_TRUE(IsNear(Decode(second->bytes), 30, 30, {30, 40, 200}));
}

// Proves that of animations and of documents the first page is developed, and that all are counted.
TEST_F(FormatsTest, DevelopsTheFirstPage) {
  const VImage pages = Pages({Quadrants(200, 120), Plain(200, 120, {0, 200, 0}),
                              Plain(200, 120, {0, 0, 200}), Plain(200, 120, {9, 9, 9})});
  const struct {
    const char* name;
    std::string file;
  } cases[] = {{"GIF", Gif(pages)}, {"WebP", Webp(pages)}, {"TIFF", Tiff(pages)}};
  for (const auto& test : cases) {
    const auto print = Develop(test.file, 100);
    ASSERT_TRUE(print.ok()) << test.name << print.error().message();
    EXPECT_EQ(print->developed.original.pages, 4) << test.name;
    EXPECT_EQ(print->developed.original.height, 120) << test.name;
    EXPECT_TRUE(HasUprightQuadrants(Decode(print->bytes))) << test.name;
  }
}

// Proves that transparency is kept by every format that has it.
TEST_F(FormatsTest, KeepsTransparency) {
  const VImage half = WithHalfTransparent(Quadrants(200, 120));
  const struct {
    const char* name;
    std::string file;
  } cases[] = {
      {"PNG", Png(half)},   {"16-bit PNG", Png(half.colourspace(VIPS_INTERPRETATION_RGB16))},
      {"WebP", Webp(half)}, {"GIF", Gif(half)},
      {"TIFF", Tiff(half)}, {"HEIC", Heic(half)},
      {"AVIF", Avif(half)}};
  for (const auto& test : cases) {
    const auto print = Develop(test.file, 100);
    ASSERT_TRUE(print.ok()) << test.name << print.error().message();
    EXPECT_TRUE(print->developed.original.has_alpha) << test.name;
    const VImage image = Decode(print->bytes);
    ASSERT_TRUE(image.has_alpha()) << test.name;
    EXPECT_GT(image.getpoint(20, 30).at(3), 250) << test.name;
    EXPECT_LT(image.getpoint(80, 30).at(3), 5) << test.name;
    EXPECT_TRUE(IsNear(image, 20, 15, {200, 30, 30})) << test.name;
  }
}

/// A profile with the primaries of Adobe RGB, as a file: that of Display P3 with others in their
/// place.
std::string AdobeProfile() {
  VImage p3 =
      Plain(8, 8, {0, 0, 0}).icc_transform("p3", VImage::option()->set("input_profile", "srgb"));
  size_t size = 0;
  const auto* bytes = static_cast<const char*>(p3.get_blob(VIPS_META_ICC_NAME, &size));
  std::string profile(bytes, size);
  const std::pair<std::string_view, std::array<double, 3>> primaries[] = {
      {"rXYZ", {0.60974, 0.31111, 0.01947}},
      {"gXYZ", {0.20528, 0.62567, 0.06087}},
      {"bXYZ", {0.14919, 0.06322, 0.74457}}};
  for (const auto& [name, values] : primaries) {
    const size_t entry = profile.find(name);
    CHECK(entry != std::string::npos);
    size_t offset = 0;
    for (size_t i = 4; i < 8; ++i) {
      offset = offset << 8 | static_cast<uint8_t>(profile[entry + i]);
    }
    for (size_t i = 0; i < 3; ++i) {
      const auto fixed = static_cast<uint32_t>(values[i] * 65536);
      for (size_t byte = 0; byte < 4; ++byte) {
        profile[offset + 8 + 4 * i + byte] = static_cast<char>(fixed >> (24 - 8 * byte));
      }
    }
  }
  return profile;
}

// Proves that colour profiles are applied, in every format that carries one: of screens with more
// colours than sRGB, and of print; and that print without a profile comes out near.
TEST_F(FormatsTest, AppliesProfiles) {
  const std::string adobe = testing::TempDir() + "formats_test_adobe.icc";
  std::ofstream(adobe) << AdobeProfile();
  const VImage plain = Plain(96, 96, {170, 90, 70});
  const auto in = [&](const char* profile, const VImage& image) {
    return image.icc_transform(profile, VImage::option()->set("input_profile", "srgb"));
  };
  const VImage p3 = in("p3", plain);
  const VImage wide = in(adobe.c_str(), plain);
  const VImage print = in("cmyk", plain);
  VImage bare = print.copy();
  bare.remove(VIPS_META_ICC_NAME);
  ASSERT_FALSE(IsNear(p3, 5, 5, {170, 90, 70}, 6)) << "the profile changes nothing";
  ASSERT_FALSE(IsNear(wide, 5, 5, {170, 90, 70}, 6)) << "the profile changes nothing";
  const struct {
    const char* name;
    std::string file;
    int tolerance;
  } cases[] = {{"P3 JPEG", Jpeg(p3), 7},
               {"P3 PNG", Png(p3), 6},
               {"P3 WebP", Webp(p3), 7},
               {"P3 TIFF", Tiff(p3), 6},
               {"P3 HEIC", Heic(p3), 8},
               {"P3 AVIF", Avif(p3), 8},
               {"16-bit P3 TIFF",
                Tiff(plain.icc_transform(
                    "p3", VImage::option()->set("input_profile", "srgb")->set("depth", 16))),
                6},
               {"Adobe JPEG", Jpeg(wide), 7},
               {"Adobe TIFF", Tiff(wide), 6},
               {"CMYK JPEG", Jpeg(print), 12},
               {"CMYK TIFF", Tiff(print), 12},
               {"CMYK JPEG without a profile", Jpeg(bare), 12},
               {"CMYK TIFF without a profile", Tiff(bare), 12}};
  for (const auto& test : cases) {
    const auto developed = Develop(test.file, 64);
    ASSERT_TRUE(developed.ok()) << test.name << developed.error().message();
    const VImage image = Decode(developed->bytes);
    const std::vector<double> pixel = image.getpoint(30, 30);
    EXPECT_TRUE(IsNear(image, 30, 30, {170, 90, 70}, test.tolerance))
        << test.name << ": " << pixel[0] << ' ' << pixel[1] << ' ' << pixel[2];
    EXPECT_FALSE(developed->developed.original.has_alpha) << test.name;
  }
  std::remove(adobe.c_str());
}

// Proves that images of one pixel, and of one row of as many as most formats have, are developed.
TEST_F(FormatsTest, DevelopsTheSmallestAndTheLongest) {
  const VImage dot = Plain(1, 1, {90, 120, 200});
  const VImage line = Plain(65'535, 1, {90, 120, 200});
  const struct {
    const char* name;
    std::string file;
    int width;
  } cases[] = {
      {"PNG", Png(dot), 1},         {"WebP", Webp(dot), 1},
      {"JPEG", Jpeg(dot), 1},       {"GIF", Gif(dot), 1},
      {"TIFF", Tiff(dot), 1},       {"AVIF", Avif(dot), 1},
      {"long PNG", Png(line), 256}, {"long TIFF", Tiff(line), 256},
      {"long GIF", Gif(line), 256}, {"long JPEG", Jpeg(Plain(65'500, 1, {90, 120, 200})), 256},
  };
  for (const auto& test : cases) {
    const auto print = Develop(test.file, 256);
    ASSERT_TRUE(print.ok()) << test.name << ": " << print.error().message();
    const VImage image = Decode(print->bytes);
    EXPECT_EQ(image.width(), test.width) << test.name;
    EXPECT_EQ(image.height(), 1) << test.name;
    EXPECT_TRUE(IsNear(image, 0, 0, {90, 120, 200}, 12)) << test.name;
  }
}

// Proves that images with more bands than anyone can look at are developed all the same.
TEST_F(FormatsTest, LeavesOutFurtherBands) {
  const VImage color = Quadrants(100, 60);
  const VImage spot = (VImage::black(100, 60) + 128).cast(VIPS_FORMAT_UCHAR);
  const VImage opaque = (VImage::black(100, 60) + 255).cast(VIPS_FORMAT_UCHAR);
  const auto print = Develop(Tiff(color.bandjoin(opaque).bandjoin(spot).bandjoin(spot)), 100);
  ASSERT_TRUE(print.ok()) << print.error().message();
  EXPECT_TRUE(HasUprightQuadrants(Decode(print->bytes)));
}

}  // namespace
}  // namespace tintype::darkroom
