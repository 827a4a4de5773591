#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "darkroom/imaging/testing/heic_grid.h"
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
  /// How far two pictures are apart within a part of them, on average.
  static double Difference(const VImage& one, const VImage& other, VipsRect part) {
    const auto cut = [&](const VImage& image) {
      return image.extract_band(0, VImage::option()->set("n", 3))
          .crop(part.left, part.top, part.width, part.height)
          .cast(VIPS_FORMAT_FLOAT);
    };
    return (cut(one) - cut(other)).abs().avg();
  }
  /// The same in colours of its own, which are left to libvips.
  static VImage WithProfile(int width = 800, int height = 600) {
    return Even(width, height).icc_transform("p3", VImage::option()->set("input_profile", "srgb"));
  }
};

/// Where the table of the strips of a TIFF file begins that has its directory first.
size_t StripTableAt(const std::string& tiff) {
  constexpr std::string_view kTag = "\x11\x01\x04\0";
  const size_t entry = tiff.find(std::string(kTag.data(), 4));
  size_t offset = 0;
  for (size_t i = 0; i < 4; ++i) {
    offset |= static_cast<size_t>(static_cast<uint8_t>(tiff[entry + 8 + i])) << (8 * i);
  }
  return offset;
}

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
      EXPECT_LT(Difference(whole, shown, {0, 0, whole.width(), rows}), 4)
          << test.name << " " << part;
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
  EXPECT_EQ(from_gif->developed.original.damage, Damage::kTruncated);
  EXPECT_EQ(from_gif->developed.original.percent_there, 100);
  const auto whole_gif = Develop(gif, 200);
  ASSERT_TRUE(whole_gif.ok()) << whole_gif.error().message();
  EXPECT_EQ(whole_gif->developed.original.damage, Damage::kNone);
  const auto longer_gif = Develop(gif + "something else", 200);
  ASSERT_TRUE(longer_gif.ok()) << longer_gif.error().message();
  EXPECT_EQ(longer_gif->developed.original.damage, Damage::kNone) << "it has its end mark";
  const std::string webp = Webp(frames, VImage::option()->set("lossless", true));
  const auto from_webp = Develop(webp.substr(0, webp.size() - 12), 200);
  ASSERT_TRUE(from_webp.ok()) << from_webp.error().message();
  EXPECT_TRUE(HasUprightQuadrants(Decode(from_webp->bytes)));
  EXPECT_EQ(from_webp->developed.original.damage, Damage::kTruncated);
  EXPECT_EQ(from_webp->developed.original.percent_there, 100);
}

// Proves that of a GIF whose first picture is torn the rows are shown that there are, also in the
// order of an interlaced one, and that the others are transparent.
TEST_F(TornFilesTest, ShowsAPartOfAGif) {
  const VImage picture = Even(400, 300);
  const VImage whole = Decode(Png(picture));
  for (const bool interlaced : {false, true}) {
    for (const VImage& pages : {picture, Pages({picture, Plain(400, 300, {0, 200, 0})})}) {
      const std::string gif = Gif(pages, VImage::option()->set("interlace", interlaced));
      int32_t before = 0;
      for (const double part : {0.1, 0.5, 0.9}) {
        const auto torn = Develop(Part(gif, part), 400);
        ASSERT_TRUE(torn.ok()) << part << ": " << torn.error().message();
        const Original& original = torn->developed.original;
        EXPECT_EQ(original.damage, Damage::kTruncated) << part;
        ASSERT_TRUE(original.percent_there.has_value()) << part;
        EXPECT_GT(*original.percent_there, before) << part;
        before = *original.percent_there;
        const VImage shown = Decode(torn->bytes);
        const int rows = 300 * before / 100;
        if (!interlaced && before < 95) {
          ASSERT_EQ(shown.bands(), 4) << part;
          EXPECT_LT(Difference(whole, shown, {0, 0, 400, rows - 4}), 12) << part;
          const VImage below = shown.extract_band(3).crop(0, rows + 6, 400, 300 - rows - 6);
          EXPECT_EQ(below.max(), 0) << part;
        }
      }
    }
  }
}

// Proves that of a TIFF file as many strips or tiles are shown as there are, of any compression,
// and that the rest is grey.
TEST_F(TornFilesTest, ShowsTheStripsAndTilesOfATiff) {
  const VImage picture = Even(400, 320);
  const struct {
    const char* name;
    int tile_height;
    bool tiled;
    bool big = false;
  } layouts[] = {
      {"strips", 16, false},
      {"one strip", 320, false},
      {"tiles", 64, true},
      {"large", 128, true},
      {"strips of BigTIFF", 16, false, true},
      {"tiles of BigTIFF", 64, true, true},
  };
  for (const auto& layout : layouts) {
    for (const VipsForeignTiffCompression compression :
         {VIPS_FOREIGN_TIFF_COMPRESSION_NONE, VIPS_FOREIGN_TIFF_COMPRESSION_LZW,
          VIPS_FOREIGN_TIFF_COMPRESSION_DEFLATE, VIPS_FOREIGN_TIFF_COMPRESSION_PACKBITS,
          VIPS_FOREIGN_TIFF_COMPRESSION_JPEG}) {
      const std::string name = StrCat(layout.name, " ", static_cast<int>(compression));
      const std::string file =
          WithDirectoryFirst(Tiff(picture, VImage::option()
                                               ->set("compression", compression)
                                               ->set("Q", 95)
                                               ->set("tile", layout.tiled)
                                               ->set("tile_width", layout.tile_height)
                                               ->set("tile_height", layout.tile_height)
                                               ->set("bigtiff", layout.big)));
      const bool is_one_jpeg =
          layout.tile_height == 320 && compression == VIPS_FOREIGN_TIFF_COMPRESSION_JPEG;
      const auto sound = Develop(file, 400);
      ASSERT_TRUE(sound.ok()) << name << ": " << sound.error().message();
      EXPECT_EQ(sound->developed.original.damage, Damage::kNone) << name;
      const VImage whole = Decode(sound->bytes);
      int32_t before = 0;
      for (const double part : {0.1, 0.5, 0.9}) {
        const auto torn = Develop(Part(file, part), 400);
        // A JPEG is one piece here, and of a dozen tiles the first may be torn.
        const bool may_lack_all = part == 0.1 && layout.tile_height == 128;
        if (is_one_jpeg || (may_lack_all && !torn.ok())) {
          ASSERT_FALSE(torn.ok()) << name << " " << part;
          EXPECT_EQ(KindOf(torn.error()), FailureKind::kCorrupt) << name << " " << part;
          continue;
        }
        ASSERT_TRUE(torn.ok()) << name << " " << part << ": " << torn.error().message();
        const Original& original = torn->developed.original;
        EXPECT_EQ(original.damage, Damage::kTruncated) << name << " " << part;
        ASSERT_TRUE(original.percent_there.has_value()) << name << " " << part;
        EXPECT_GT(*original.percent_there, before) << name << " " << part;
        EXPECT_LE(*original.percent_there, part * 100 + 5) << name << " " << part;
        before = *original.percent_there;
        const VImage shown = Decode(torn->bytes);
        // Of tiles a whole row is there at least, or counts for the one before.
        const int rows =
            (layout.tiled ? 320 * before / 100 / layout.tile_height * layout.tile_height
                          : 320 * before / 100) -
            2;
        if (rows > 8) {
          EXPECT_LT(Difference(whole, shown, {0, 0, 400, rows}), 4) << name << " " << part;
        }
        EXPECT_TRUE(IsNear(shown, 396, 316, {128, 128, 128}, 4)) << name << " " << part;
        EXPECT_LT(Difference(shown, Plain(400, 320, {128, 128, 128}), {350, 310, 50, 10}), 3)
            << name << " " << part;
      }
      EXPECT_GE(before, is_one_jpeg ? 0 : layout.tile_height == 128 ? 60 : 80) << name;
    }
  }
}

// Proves that of HEIC and AVIF files the rows are shown that there are, and that the rest is grey.
TEST_F(TornFilesTest, ShowsTheRowsOfHeicAndAvif) {
  const VImage picture = Even(640, 960);
  const RowByRow files[] = {{"HEIC", Heic(picture)},
                            {"HEIC with a profile", Heic(WithProfile(640, 960))},
                            {"AVIF", Avif(picture)}};
  for (const RowByRow& test : files) {
    const auto sound = Develop(test.file, 960);
    ASSERT_TRUE(sound.ok()) << test.name;
    EXPECT_EQ(sound->developed.original.damage, Damage::kNone) << test.name;
    const VImage whole = Decode(sound->bytes);
    int32_t before = 0;
    for (const double part : {0.2, 0.5, 0.9}) {
      const auto torn = Develop(Part(test.file, part), 960);
      ASSERT_TRUE(torn.ok()) << test.name << " " << part << ": " << torn.error().message();
      const Original& original = torn->developed.original;
      EXPECT_EQ(original.damage, Damage::kTruncated) << test.name << " " << part;
      EXPECT_EQ(original.height, 960) << test.name << " " << part;
      ASSERT_TRUE(original.percent_there.has_value()) << test.name << " " << part;
      EXPECT_GT(*original.percent_there, before) << test.name << " " << part;
      EXPECT_LT(*original.percent_there, part * 100 + 10) << test.name << " " << part;
      before = *original.percent_there;
      const VImage shown = Decode(torn->bytes);
      const int rows = 960 * before / 100;
      EXPECT_LT(Difference(whole, shown, {0, 0, 640, rows - 2}), 3) << test.name << " " << part;
      EXPECT_LT(
          Difference(shown, Plain(640, 960, {128, 128, 128}), {0, rows + 14, 640, 946 - rows}), 3)
          << test.name << " " << part;
    }
    EXPECT_GT(before, 70) << test.name;
    // Without what is behind the pixels, all of them are there; without pixels, nothing is.
    const size_t pixels = test.file.find("mdat") + 4;
    const auto nothing = Develop(test.file.substr(0, pixels + 40), 960);
    ASSERT_FALSE(nothing.ok()) << test.name;
    EXPECT_EQ(KindOf(nothing.error()), FailureKind::kCorrupt) << test.name;
  }
}

// Proves that of a picture in tiles, as phones write it, each tile is shown that there is, wherever
// it is once the picture is turned, and that the others are grey.
TEST_F(TornFilesTest, ShowsTheTilesOfAHeic) {
  const VImage picture = Quadrants(256, 384);
  const struct {
    int quarter_turns;
    VipsAngle angle;
  } turns[] = {{0, VIPS_ANGLE_D0}, {1, VIPS_ANGLE_D270}, {2, VIPS_ANGLE_D180}, {3, VIPS_ANGLE_D90}};
  for (const auto& turn : turns) {
    const std::string file = HeicGrid(picture, turn.quarter_turns);
    const VImage upright = picture.rot(turn.angle);
    const auto sound = Develop(file, 400);
    ASSERT_TRUE(sound.ok()) << turn.quarter_turns << ": " << sound.error().message();
    EXPECT_EQ(sound->developed.original.damage, Damage::kNone) << turn.quarter_turns;
    EXPECT_EQ(sound->developed.original.width, upright.width()) << turn.quarter_turns;
    const VImage whole = Decode(sound->bytes);
    EXPECT_LT(Difference(upright, whole, {0, 0, upright.width(), upright.height()}), 8)
        << turn.quarter_turns;
    for (const int there : {1, 3, 5}) {
      const auto torn = Develop(file.substr(0, TileAt(file, there) + 9), 400);
      ASSERT_TRUE(torn.ok()) << turn.quarter_turns << ": " << torn.error().message();
      const Original& original = torn->developed.original;
      EXPECT_EQ(original.damage, Damage::kTruncated) << turn.quarter_turns;
      EXPECT_EQ(original.width, upright.width()) << turn.quarter_turns;
      ASSERT_TRUE(original.percent_there.has_value()) << turn.quarter_turns;
      EXPECT_NEAR(*original.percent_there, 100.0 * there / 6, 1) << turn.quarter_turns;
      VImage expected = picture;
      for (int tile = there; tile < 6; ++tile) {
        expected =
            expected.insert(Plain(128, 128, {128, 128, 128}), tile % 2 * 128, tile / 2 * 128);
      }
      const VImage shown = Decode(torn->bytes);
      EXPECT_LT(Difference(expected.rot(turn.angle), shown, {0, 0, shown.width(), shown.height()}),
                8)
          << turn.quarter_turns << " " << there;
    }
    const auto nothing = Develop(file.substr(0, TileAt(file, 0) + 9), 400);
    ASSERT_FALSE(nothing.ok()) << turn.quarter_turns;
    EXPECT_EQ(KindOf(nothing.error()), FailureKind::kCorrupt) << turn.quarter_turns;
  }
}

// Proves that formats which say at their end what is in them give nothing when they are torn; they
// are refused, and not shown as a grey field.
TEST_F(TornFilesTest, RefusesWhatCannotBeHadInParts) {
  const std::string tiff = Tiff(Even());
  for (const double part : {0.1, 0.5, 0.9}) {
    const auto torn = Develop(Part(tiff, part), 400);
    ASSERT_FALSE(torn.ok()) << part;
    EXPECT_EQ(KindOf(torn.error()), FailureKind::kCorrupt) << part;
  }
}

// Proves that of a raw file the preview is shown as far as it goes, and that a file which lost only
// what the sensor saw says so too.
TEST_F(TornFilesTest, ShowsThePreviewOfARawFile) {
  const std::string preview = Jpeg(Even());
  const VImage whole = Decode(Develop(preview, 400)->bytes);
  const RowByRow files[] = {{"CR2", Cr2({preview, 800, 600})}, {"RAF", Raf({preview, 800, 600})}};
  for (const RowByRow& test : files) {
    const auto sound = Develop(test.file, 400);
    ASSERT_TRUE(sound.ok()) << test.name << ": " << sound.error().message();
    EXPECT_EQ(sound->developed.original.damage, Damage::kNone) << test.name;
    int32_t before = 0;
    for (const double part : {0.1, 0.5, 0.9}) {
      const auto torn = Develop(Part(test.file, part), 400);
      ASSERT_TRUE(torn.ok()) << test.name << " " << part << ": " << torn.error().message();
      const Original& original = torn->developed.original;
      EXPECT_EQ(original.damage, Damage::kTruncated) << test.name << " " << part;
      ASSERT_TRUE(original.percent_there.has_value()) << test.name << " " << part;
      EXPECT_GT(*original.percent_there, before) << test.name << " " << part;
      before = *original.percent_there;
      EXPECT_LT(Difference(whole, Decode(torn->bytes), {0, 0, 400, 300 * before / 100 - 8}), 4)
          << test.name << " " << part;
    }
    EXPECT_LT(before, 95) << test.name;
  }
  const std::string& raf = files[1].file;
  const auto without_sensor = Develop(raf.substr(0, raf.size() - 200), 400);
  ASSERT_TRUE(without_sensor.ok()) << without_sensor.error().message();
  EXPECT_EQ(without_sensor->developed.original.damage, Damage::kTruncated);
  EXPECT_EQ(without_sensor->developed.original.percent_there, 100);
}

// Proves that damage within a file is told from an early end: nothing is said of a part.
TEST_F(TornFilesTest, TellsDamageFromAnEnd) {
  std::string jpeg = Jpeg(Even());
  jpeg.replace(jpeg.size() / 2, 200, 200, '\x55');
  std::string png = Png(Even(400, 300));
  png.replace(png.size() / 2, 200, 200, '\x55');
  // One that says to be where nothing is, while those behind it are there.
  std::string tiff = WithDirectoryFirst(Tiff(Even(), VImage::option()->set("tile_height", 16)));
  tiff.replace(StripTableAt(tiff) + 7, 1, 1, '\x7F');
  const auto strip = Develop(tiff, 400);
  EXPECT_TRUE(!strip.ok() || strip->developed.original.damage == Damage::kDamaged);
  std::string gif = Gif(Even(400, 300));
  gif.replace(gif.size() / 2, 1, 1, static_cast<char>(gif[gif.size() / 2] ^ 0x55));
  const auto picture = Develop(gif, 400);
  EXPECT_TRUE(!picture.ok() || picture->developed.original.damage != Damage::kTruncated);
  for (const std::string& whole : {Heic(Even()), Avif(Even())}) {
    std::string file = whole;
    file.replace(file.size() / 2, 1, 1, static_cast<char>(file[file.size() / 2] ^ 0x55));
    const auto flipped = Develop(file, 400);
    EXPECT_TRUE(!flipped.ok() || flipped->developed.original.damage != Damage::kTruncated);
  }
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
        kAccount,
        {.input = input.number(), .operations = {Rotate{180}}, .output = edited.number()});
    ASSERT_TRUE(edit.ok()) << edit.error().message();
    const MemoryFile resized;
    const auto resize = darkroom_.Resize(
        kAccount, {.input = input.number(), .output = resized.number(), .width = 100});
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
        Gif(photo), Gif(Pages({photo, photo})), Dng({Jpeg(photo), 48, 40}),
        Cr2({Jpeg(photo), 48, 40}), Raf({Jpeg(photo), 48, 40}), Heic(photo), Avif(photo),
        WithDirectoryFirst(Tiff(photo)),
        WithDirectoryFirst(Tiff(
            photo,
            VImage::option()->set("tile", true)->set("tile_width", 16)->set("tile_height", 16)))}) {
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
