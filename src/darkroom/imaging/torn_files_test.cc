#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/strings.h"
#include "darkroom/imaging/testing/imaging_test.h"
#include "darkroom/imaging/testing/raw_files.h"

// What becomes of files that end early, format by format.

namespace tintype::darkroom {
namespace {

using vips::VImage;

class TornFilesTest : public ImagingTest {
 protected:
  static std::string Part(const std::string& file, double part) {
    return file.substr(0, static_cast<size_t>(static_cast<double>(file.size()) * part));
  }
  /// A photo whose rows take about as many bytes each.
  static VImage Even(int width = 800, int height = 600) { return Scene(width, height); }
  /// The same in colours of its own, which are left to libvips.
  static VImage WithProfile() {
    return Even().icc_transform("p3", VImage::option()->set("input_profile", "srgb"));
  }
};

/// A file whose rows stand one after the other.
struct RowByRow {
  const char* name;
  std::string file;
};

// Proves that of formats that hold a picture row by row as many rows are developed as there are,
// that the answer says how many, and that a file without any is refused.
TEST_F(TornFilesTest, ShowsTheRowsThatThereAre) {
  const VImage lossless = Even(400, 300);
  const RowByRow files[] = {
      {"JPEG", Jpeg(Even())},
      {"JPEG without colours", Jpeg(Even().colourspace(VIPS_INTERPRETATION_B_W))},
      {"JPEG by way of libvips", Jpeg(WithProfile())},
      {"PNG", Png(lossless)},
      {"PNG with alpha", Png(WithHalfTransparent(lossless))},
      {"WebP with alpha", Webp(WithHalfTransparent(Even()))},
      {"WebP without loss", Webp(lossless, VImage::option()->set("lossless", true))},
      {"WebP", Webp(Even())},
  };
  for (const RowByRow& test : files) {
    const auto sound = Develop(test.file, 400);
    ASSERT_TRUE(sound.ok()) << test.name;
    EXPECT_EQ(sound->developed.original.damage, Damage::kNone) << test.name;
    EXPECT_EQ(sound->developed.original.percent_there, std::nullopt) << test.name;
    const VImage whole = Decode(sound->bytes);
    int32_t before = 0;
    for (const double part : {0.45, 0.7, 0.95}) {
      const auto torn = Develop(Part(test.file, part), 400);
      ASSERT_TRUE(torn.ok()) << test.name << " " << part << ": " << torn.error().message();
      const Original& original = torn->developed.original;
      EXPECT_EQ(original.damage, Damage::kTruncated) << test.name << " " << part;
      EXPECT_EQ(original.width, sound->developed.original.width) << test.name;
      ASSERT_TRUE(original.percent_there.has_value()) << test.name << " " << part;
      EXPECT_GT(*original.percent_there, before) << test.name << " " << part;
      EXPECT_LE(*original.percent_there, 99) << test.name << " " << part;
      before = *original.percent_there;
      // The upper part is that of the whole picture, with room for what is cut within a row.
      const VImage shown = Decode(torn->bytes);
      const int rows = whole.height() * (before - 3) / 100;
      ASSERT_GT(rows, 0) << test.name << " " << part;
      const auto upper = [&](const VImage& image) {
        return image.extract_band(0, VImage::option()->set("n", 3))
            .crop(0, 0, image.width(), rows)
            .cast(VIPS_FORMAT_FLOAT);
      };
      EXPECT_LT((upper(whole) - upper(shown)).abs().avg(), 4) << test.name << " " << part;
    }
    // About as much of the picture as of the file. The first of WebP's bytes are about all rows.
    EXPECT_GT(before, 85) << test.name;
    for (const size_t bytes : {size_t{200}, size_t{700}}) {
      const auto nothing = Develop(test.file.substr(0, bytes), 400);
      ASSERT_FALSE(nothing.ok()) << test.name << " " << bytes;
      EXPECT_EQ(KindOf(nothing.error()), FailureKind::kCorrupt) << test.name << " " << bytes;
    }
  }
}

// Proves the same for formats that hold a picture in several passes: there is one or none, and
// nobody can tell how much of it.
TEST_F(TornFilesTest, ShowsAPictureOfPasses) {
  const std::string progressive = Jpeg(Even(), VImage::option()->set("interlace", true));
  for (const double part : {0.5, 0.9}) {
    const auto torn = Develop(Part(progressive, part), 400);
    ASSERT_TRUE(torn.ok()) << part << ": " << torn.error().message();
    EXPECT_EQ(torn->developed.original.damage, Damage::kTruncated) << part;
    EXPECT_EQ(torn->developed.original.percent_there, std::nullopt) << part;
  }
  // The first pass is short: a few hundred bytes hold some rows of it.
  const auto nothing = Develop(progressive.substr(0, progressive.find("\xFF\xDA") + 40), 400);
  ASSERT_FALSE(nothing.ok());
  EXPECT_EQ(KindOf(nothing.error()), FailureKind::kCorrupt);
}

// Proves that of an animation the first picture counts: it is whole when a later one is torn.
TEST_F(TornFilesTest, ShowsTheFirstPictureOfAnimations) {
  const VImage frames = Pages({Quadrants(200, 160), Plain(200, 160, {0, 200, 0})});
  const std::string gif = Gif(frames);
  const auto from_gif = Develop(gif.substr(0, gif.size() - 12), 200);
  ASSERT_TRUE(from_gif.ok()) << from_gif.error().message();
  EXPECT_TRUE(HasUprightQuadrants(Decode(from_gif->bytes)));
  const std::string webp = Webp(frames, VImage::option()->set("lossless", true));
  const auto from_webp = Develop(webp.substr(0, webp.size() - 12), 200);
  ASSERT_TRUE(from_webp.ok()) << from_webp.error().message();
  EXPECT_TRUE(HasUprightQuadrants(Decode(from_webp->bytes)));
  EXPECT_EQ(from_webp->developed.original.damage, Damage::kTruncated);
  EXPECT_EQ(from_webp->developed.original.percent_there, 100);
}

// Proves that a GIF whose only picture is torn is shown as far as it goes, and says so.
TEST_F(TornFilesTest, ShowsAPartOfAGif) {
  const std::string gif = Gif(Even(400, 300));
  for (const double part : {0.5, 0.9}) {
    const auto torn = Develop(Part(gif, part), 400);
    ASSERT_TRUE(torn.ok()) << part << ": " << torn.error().message();
    EXPECT_EQ(torn->developed.original.damage, Damage::kTruncated) << part;
    EXPECT_EQ(torn->developed.original.percent_there, std::nullopt) << part;
  }
}

// Proves that the formats that say at their end, or in one piece, what is in them give nothing when
// they are torn; they are refused, and not shown as a grey field.
TEST_F(TornFilesTest, RefusesWhatCannotBeHadInParts) {
  const RowByRow files[] = {
      {"HEIC", Heic(Even())},
      {"AVIF", Avif(Even())},
      {"TIFF", Tiff(Even())},
  };
  for (const RowByRow& test : files) {
    for (const double part : {0.1, 0.5, 0.9}) {
      const auto torn = Develop(Part(test.file, part), 400);
      ASSERT_FALSE(torn.ok()) << test.name << " " << part;
      EXPECT_EQ(KindOf(torn.error()), FailureKind::kCorrupt) << test.name << " " << part;
    }
  }
}

// Proves that damage within a file is told from an early end: nothing is said of a part.
TEST_F(TornFilesTest, TellsDamageFromAnEnd) {
  std::string jpeg = Jpeg(Even());
  jpeg.replace(jpeg.size() / 2, 200, 200, '\x55');
  std::string png = Png(Even(400, 300));
  png.replace(png.size() / 2, 200, 200, '\x55');
  for (const std::string& file : {jpeg, png}) {
    const auto damaged = Develop(file, 400);
    ASSERT_TRUE(damaged.ok()) << damaged.error().message();
    EXPECT_EQ(damaged->developed.original.damage, Damage::kDamaged);
    EXPECT_EQ(damaged->developed.original.percent_there, std::nullopt);
  }
}

// Proves that a torn file is edited and resized as far as it goes too.
TEST_F(TornFilesTest, AreEditedAndResized) {
  for (const std::string& whole : {Jpeg(Even()), Webp(Even()), Png(Even(400, 300))}) {
    const MemoryFile input(Part(whole, 0.7));
    const MemoryFile edited;
    const auto edit = darkroom_.Edit(
        {.input = input.number(), .operations = {Rotate{180}}, .output = edited.number()});
    ASSERT_TRUE(edit.ok()) << edit.error().message();
    const MemoryFile resized;
    const auto resize =
        darkroom_.Resize({.input = input.number(), .output = resized.number(), .width = 100});
    ASSERT_TRUE(resize.ok()) << resize.error().message();
    EXPECT_EQ(Decode(resized.Content()).width(), 100);
  }
}

// Proves that a file that is cut at any byte is developed or refused, by the same helper, and that
// the count of torn pictures is right.
TEST_F(TornFilesTest, AnyCutIsSurvived) {
  const VImage photo = Photo(48, 40);
  uint64_t damaged = 0;
  for (const std::string& whole :
       {Jpeg(photo), Jpeg(photo, VImage::option()->set("interlace", true)), Png(photo), Webp(photo),
        Webp(photo, VImage::option()->set("lossless", true)), Webp(Pages({photo, photo})),
        Gif(photo), Dng({Jpeg(photo), 48, 40})}) {
    for (size_t bytes = 1; bytes < whole.size(); bytes += whole.size() / 60 + 1) {
      const auto torn = Develop(whole.substr(0, bytes), 32);
      if (!torn.ok()) {
        EXPECT_TRUE(IsPermanent(torn.error())) << torn.error().message();
      } else {
        damaged += torn->developed.original.damage == Damage::kNone ? 0 : 1;
      }
    }
  }
  EXPECT_GT(damaged, 100U);
  EXPECT_EQ(
      darkroom_.stats().damaged[Damage::kTruncated] + darkroom_.stats().damaged[Damage::kDamaged],
      damaged);
  EXPECT_EQ(darkroom_.process_ids().size(), 1U);
}

}  // namespace
}  // namespace tintype::darkroom
