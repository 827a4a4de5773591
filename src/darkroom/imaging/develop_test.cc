#include <fcntl.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "darkroom/imaging/testing/imaging_test.h"
#include "darkroom/media_type.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

class DevelopTest : public ImagingTest {};

// Proves the documented sizes from one call, each a WebP file of the bytes and pixels that are
// told.
TEST_F(DevelopTest, MakesEverySizeInOneGo) {
  const MemoryFile input(Jpeg(Photo(3000, 2000)));
  const struct {
    const char* name;
    int longest;
    int width;
    int height;
  } expected[] = {{"THUMB", 256, 256, 171},
                  {"LARGE", 2048, 2048, 1365},
                  {"SMALL", 512, 512, 341},
                  {"MEDIUM", 1024, 1024, 683}};
  DevelopRequest request = {.input = input.number()};
  std::vector<MemoryFile> outputs(4);
  for (size_t i = 0; i < 4; ++i) {
    request.sizes.push_back({expected[i].name, expected[i].longest, outputs[i].number()});
  }
  const auto developed = darkroom_.Develop(kAccount, request);
  ASSERT_TRUE(developed.ok()) << developed.error().message();
  EXPECT_EQ(developed->original.media_type, "image/jpeg");
  EXPECT_EQ(developed->original.width, 3000);
  EXPECT_EQ(developed->original.height, 2000);
  EXPECT_EQ(developed->original.pages, 1);
  EXPECT_FALSE(developed->original.has_alpha);
  EXPECT_EQ(developed->original.damage, Damage::kNone);
  for (size_t i = 0; i < 4; ++i) {
    const Rendition& rendition = developed->renditions[i];
    const std::string bytes = outputs[i].Content();
    EXPECT_EQ(rendition.name, expected[i].name);
    EXPECT_EQ(rendition.width, expected[i].width);
    EXPECT_EQ(rendition.height, expected[i].height);
    EXPECT_EQ(rendition.bytes, static_cast<int64_t>(bytes.size()));
    EXPECT_EQ(DetectMediaType(bytes), "image/webp");
    const VImage image = Decode(bytes);
    EXPECT_EQ(image.width(), expected[i].width);
    EXPECT_EQ(image.height(), expected[i].height);
  }
}

// Proves the eight orientations of EXIF, for sizes that are scaled and for one that is not, against
// libvips' own reading of them; and that the rendition does not ask to be turned again.
TEST_F(DevelopTest, TurnsImagesUpright) {
  for (int orientation = 1; orientation <= 8; ++orientation) {
    const VImage upright = Quadrants(400, 240);
    const std::array<VImage, 8> stored = {upright,
                                          upright.fliphor(),
                                          upright.rot180(),
                                          upright.flipver(),
                                          upright.rot90().fliphor(),
                                          upright.rot270(),
                                          upright.rot270().fliphor(),
                                          upright.rot90()};
    VImage tagged = stored[static_cast<size_t>(orientation) - 1].copy();
    tagged.set("orientation", orientation);
    const std::string file = Jpeg(tagged);
    ASSERT_TRUE(HasUprightQuadrants(Decode(file).autorot())) << orientation;
    for (const int longest : {100, 1000}) {
      const auto print = Develop(file, longest);
      ASSERT_TRUE(print.ok()) << orientation;
      const VImage image = Decode(print->bytes);
      EXPECT_TRUE(HasUprightQuadrants(image)) << orientation;
      EXPECT_EQ(image.width(), std::min(longest, 400)) << orientation;
      EXPECT_EQ(image.height(), std::min(longest, 400) * 3 / 5) << orientation;
      EXPECT_EQ(image.get_typeof("orientation"), 0U) << orientation;
      EXPECT_EQ(print->developed.original.width, 400) << orientation;
      EXPECT_EQ(print->developed.original.height, 240) << orientation;
      EXPECT_EQ(print->developed.exif.orientation, orientation);
    }
  }
}

// Proves that small and narrow images keep at least a pixel, and that none grows.
TEST_F(DevelopTest, NeverUpscalesAndNeverVanishes) {
  const struct {
    int width, height, longest, expected_width, expected_height;
  } cases[] = {
      {1, 1, 256, 1, 1},         {300, 200, 2048, 300, 200},
      {256, 256, 256, 256, 256}, {4000, 1, 256, 256, 1},
      {1, 4000, 256, 1, 256},    {5000, 10, 256, 256, 1},
      {257, 255, 256, 256, 254}, {3, 2, 1, 1, 1},
  };
  for (const auto& test : cases) {
    for (const std::string& file : {Png(Plain(test.width, test.height, {90, 120, 200})),
                                    Jpeg(Plain(test.width, test.height, {90, 120, 200})),
                                    Webp(Plain(test.width, test.height, {90, 120, 200}))}) {
      const auto print = Develop(file, test.longest);
      ASSERT_TRUE(print.ok()) << print.error().message() << ' ' << test.width << 'x' << test.height;
      const VImage image = Decode(print->bytes);
      EXPECT_EQ(image.width(), test.expected_width) << test.width << 'x' << test.height;
      EXPECT_EQ(image.height(), test.expected_height) << test.width << 'x' << test.height;
      EXPECT_TRUE(IsNear(image, 0, 0, {90, 120, 200}, 12)) << test.width << 'x' << test.height;
    }
  }
}

// Proves that the kinds of pixels that files hold all come out in their colours, with alpha where
// it was.
TEST_F(DevelopTest, ReadsEveryKindOfPixels) {
  const VImage color = Quadrants(300, 200);
  const VImage gray = color.colourspace(VIPS_INTERPRETATION_B_W);
  const VImage deep = color.colourspace(VIPS_INTERPRETATION_RGB16);
  const struct {
    const char* name;
    std::string file;
    bool alpha;
    bool colored;
  } cases[] = {
      {"JPEG", Jpeg(color, VImage::option()->set("Q", 95)), false, true},
      {"progressive JPEG", Jpeg(color, VImage::option()->set("interlace", true)), false, true},
      {"gray JPEG", Jpeg(gray), false, false},
      {"CMYK JPEG", Jpeg(color.colourspace(VIPS_INTERPRETATION_CMYK)), false, true},
      {"PNG", Png(color), false, true},
      {"interlaced PNG", Png(color, VImage::option()->set("interlace", true)), false, true},
      {"16-bit PNG", Png(deep), false, true},
      {"gray PNG", Png(gray), false, false},
      {"1-bit PNG", Png(gray, VImage::option()->set("bitdepth", 1)), false, false},
      {"palette PNG", Png(color, VImage::option()->set("palette", true)), false, true},
      {"PNG with alpha", Png(WithHalfTransparent(color)), true, true},
      {"gray PNG with alpha", Png(WithHalfTransparent(gray)), true, false},
      {"WebP", Webp(color), false, true},
      {"lossless WebP with alpha",
       Webp(WithHalfTransparent(color), VImage::option()->set("lossless", true)), true, true},
  };
  for (const auto& test : cases) {
    const auto print = Develop(test.file, 150);
    ASSERT_TRUE(print.ok()) << test.name << ": " << print.error().message();
    const VImage image = Decode(print->bytes);
    EXPECT_EQ(print->developed.original.has_alpha, test.alpha) << test.name;
    EXPECT_EQ(image.has_alpha(), test.alpha) << test.name;
    EXPECT_EQ(image.width(), 150) << test.name;
    if (test.colored && !test.alpha) {
      // Inks cannot show every colour of a screen.
      const int tolerance = std::string_view(test.name) == "CMYK JPEG" ? 70 : 24;
      EXPECT_TRUE(IsNear(image, 37, 25, {200, 30, 30}, tolerance)) << test.name;
      EXPECT_TRUE(IsNear(image, 37, 75, {30, 40, 200}, tolerance)) << test.name;
    }
    if (test.alpha) {
      EXPECT_EQ(image.getpoint(37, 25).at(3), 255) << test.name;
      EXPECT_EQ(image.getpoint(112, 25).at(3), 0) << test.name;
    }
    EXPECT_TRUE(IsNear(image, 112, 75, {250, 250, 250}) || test.alpha) << test.name;
  }
}

// Proves that the colour that hides under transparent pixels does not show at their edges.
TEST_F(DevelopTest, KeepsHiddenColorsHidden) {
  const VImage blue = Plain(200, 400, {0, 0, 250});
  const VImage hidden = Plain(400, 400, {250, 0, 0}).insert(blue, 0, 0);
  // To a size in which the edge falls within a pixel.
  const auto print = Develop(Png(WithHalfTransparent(hidden)), 47);
  ASSERT_TRUE(print.ok());
  const VImage image = Decode(print->bytes);
  for (int x = 0; x < image.width(); ++x) {
    const auto pixel = image.getpoint(x, 23);
    EXPECT_TRUE(pixel[3] < 32 || pixel[0] < 60)
        << x << ": red " << pixel[0] << " alpha " << pixel[3];
  }
}

// Proves that colours are converted from the profile of the file to sRGB, and that a profile that
// is rubbish does no harm.
TEST_F(DevelopTest, ConvertsColorsToSrgb) {
  const VImage wide =
      Plain(64, 64, {200, 60, 60})
          .icc_transform("p3", VImage::option()->set("input_profile", "srgb")->set("depth", 8));
  ASSERT_FALSE(IsNear(wide, 5, 5, {200, 60, 60}, 6)) << "the profile changes nothing";
  const auto converted = Develop(Png(wide), 64);
  ASSERT_TRUE(converted.ok());
  EXPECT_TRUE(IsNear(Decode(converted->bytes), 5, 5, {200, 60, 60}, 6));

  VImage broken = Plain(64, 64, {200, 60, 60}).copy();
  char rubbish[] = "this is no profile";
  broken.set("icc-profile-data", nullptr, rubbish, sizeof(rubbish));
  const auto ignored = Develop(Jpeg(broken), 64);
  ASSERT_TRUE(ignored.ok()) << ignored.error().message();
  EXPECT_TRUE(IsNear(Decode(ignored->bytes), 5, 5, {200, 60, 60}, 6));
}

// Proves that what the camera wrote is read, and that none of it is left in a rendition.
TEST_F(DevelopTest, ReadsExifAndStripsIt) {
  VImage photo = Photo(320, 200).copy();
  photo.set("exif-ifd0-Make", "Canon");
  photo.set("exif-ifd0-Model", "Canon EOS R5");
  photo.set("exif-ifd2-LensModel", "RF 50mm F1.2");
  photo.set("exif-ifd2-ISOSpeedRatings", "400");
  photo.set("exif-ifd2-ExposureTime", "1/250");
  photo.set("exif-ifd2-DateTimeOriginal", "2024:05:01 10:11:12");
  photo.set("exif-ifd2-OffsetTimeOriginal", "+02:00");
  char xmp[] = "<x:xmpmeta xmlns:x='adobe:ns:meta/'/>";
  photo.set("xmp-data", nullptr, xmp, sizeof(xmp) - 1);
  for (const std::string& file : {Jpeg(photo), Webp(photo)}) {
    const auto print = Develop(file, 256);
    ASSERT_TRUE(print.ok());
    const ExifData& exif = print->developed.exif;
    EXPECT_EQ(exif.camera, "Canon EOS R5");
    EXPECT_EQ(exif.lens, "RF 50mm F1.2");
    EXPECT_EQ(exif.iso, 400);
    EXPECT_EQ(exif.shutter_speed, "1/250");
    EXPECT_EQ(exif.taken_at, "2024-05-01T10:11:12+02:00");
    EXPECT_EQ(exif.orientation, 1);
    const VImage image = Decode(print->bytes);
    for (const char* name : {"exif-data", "xmp-data", "icc-profile-data", "iptc-data"}) {
      EXPECT_EQ(image.get_typeof(name), 0U) << name;
    }
  }
}

// Proves that EXIF that makes no sense is left out, and costs nothing else.
TEST_F(DevelopTest, LeavesOutExifThatMakesNoSense) {
  VImage photo = Photo(64, 64).copy();
  photo.set("exif-ifd0-Make", "ACME");
  photo.set("exif-ifd0-Model", "Box");
  photo.set("exif-ifd2-ExposureTime", "5/2");
  photo.set("exif-ifd2-DateTimeOriginal", "0000:00:00 00:00:00");
  const auto print = Develop(Jpeg(photo), 64);
  ASSERT_TRUE(print.ok());
  EXPECT_EQ(print->developed.exif.camera, "ACME Box");
  EXPECT_EQ(print->developed.exif.shutter_speed, "2.5");
  EXPECT_EQ(print->developed.exif.taken_at, std::nullopt);
  EXPECT_EQ(print->developed.exif.lens, std::nullopt);

  // The block itself is damaged: everything after its mark is noise.
  std::string file = Jpeg(photo);
  const size_t mark = file.find("Exif");
  ASSERT_NE(mark, std::string::npos);
  for (size_t i = mark + 6; i < mark + 60; ++i) {
    file[i] = static_cast<char>(i * 37);
  }
  const auto damaged = Develop(file, 64);
  ASSERT_TRUE(damaged.ok()) << damaged.error().message();
  EXPECT_EQ(damaged->developed.exif.camera, std::nullopt);
}

// Proves that quality and effort reach the encoder.
TEST_F(DevelopTest, EncodesAsAsked) {
  const MemoryFile input(Jpeg(Photo(800, 600)));
  const auto bytes = [&](int quality, int effort) {
    const MemoryFile output;
    const auto developed = darkroom_.Develop(kAccount, {.input = input.number(),
                                                        .sizes = {{"", 800, output.number()}},
                                                        .quality = quality,
                                                        .effort = effort});
    return developed.ok() ? developed->renditions[0].bytes : 0;
  };
  EXPECT_LT(bytes(40, 4), bytes(85, 4));
  EXPECT_NE(bytes(85, 6), bytes(85, 0));
}

// Proves that an output that takes no bytes is told as what it is.
TEST_F(DevelopTest, SaysThatAnOutputCannotBeWritten) {
  const MemoryFile input(Jpeg(Photo(64, 64)));
  const Descriptor read_only(::open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
  const auto failed = darkroom_.Develop(
      kAccount, {.input = input.number(), .sizes = {{"", 64, read_only.number()}}});
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(KindOf(failed.error()), FailureKind::kOutput);
  EXPECT_EQ(failed.error().kind(), ErrorKind::kIo);
}

// Proves that the measures follow what they measure.
TEST_F(DevelopTest, MeasuresProperties) {
  const auto measure = [&](const VImage& image) {
    const auto print = Develop(Png(image), 2048);
    EXPECT_TRUE(print.ok());
    return print.ok() ? print->developed.properties : ImageProperties();
  };
  const ImageProperties red = measure(Plain(100, 100, {200, 30, 30}));
  ASSERT_EQ(red.dominant_colors.size(), 1U);
  EXPECT_NEAR(red.dominant_colors[0].red, 200, 6);
  EXPECT_NEAR(red.dominant_colors[0].blue, 30, 6);
  EXPECT_DOUBLE_EQ(red.dominant_colors[0].percent, 100);
  EXPECT_NEAR(red.contrast, 0, 0.5);

  const ImageProperties four = measure(Quadrants(200, 200));
  ASSERT_EQ(four.dominant_colors.size(), 4U);
  EXPECT_NEAR(four.dominant_colors[0].percent, 25, 2);
  EXPECT_GT(four.contrast, 20);

  EXPECT_GT(measure(Plain(50, 50, {250, 250, 250})).brightness, 95);
  EXPECT_LT(measure(Plain(50, 50, {5, 5, 5})).brightness, 5);
  const ImageProperties sharp = measure(Photo(1000, 700));
  const ImageProperties blurred = measure(Photo(1000, 700).gaussblur(4));
  EXPECT_GT(sharp.sharpness, 50);
  EXPECT_LT(blurred.sharpness, sharp.sharpness / 2);
}

}  // namespace
}  // namespace tintype::darkroom
