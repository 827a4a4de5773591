#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "darkroom/imaging/testing/imaging_test.h"

// What becomes of files that are not what they should be.

namespace tintype::darkroom {
namespace {

using namespace std::literals;
using vips::VImage;

class BadFilesTest : public ImagingTest {};

// Proves which files are refused for good, and as what; the helper that refused them is well.
TEST_F(BadFilesTest, RefusesWhatIsNoImage) {
  const std::string png = Png(Photo(200, 200));
  const std::string webp = Webp(Photo(200, 200));
  const struct {
    const char* name;
    std::string file;
    FailureKind expected;
  } cases[] = {
      {"empty", "", FailureKind::kNotAnImage},
      {"text", "just some text", FailureKind::kNotAnImage},
      {"one byte", "\xFF", FailureKind::kNotAnImage},
      {"script", "<svg xmlns='http://www.w3.org/2000/svg'/>", FailureKind::kNotAnImage},
      {"GIF", "GIF89a\x01\0\x01\0\0\0\0;"s, FailureKind::kUnsupportedType},
      {"film",
       "\0\0\0\x20"
       "ftypisom\0\0\0\0isom"s,
       FailureKind::kUnsupportedType},
      {"JPEG magic alone", "\xFF\xD8\xFF\xE0", FailureKind::kCorrupt},
      {"JPEG magic and noise", "\xFF\xD8\xFF" + std::string(2000, 'x'), FailureKind::kCorrupt},
      {"PNG magic alone", "\x89PNG\r\n\x1A\n", FailureKind::kCorrupt},
      {"PNG without pixels", png.substr(0, 33), FailureKind::kCorrupt},
      {"WebP header alone", webp.substr(0, 16), FailureKind::kCorrupt},
      {"WebP cut in its pixels", webp.substr(0, webp.size() / 2), FailureKind::kCorrupt},
  };
  for (const auto& test : cases) {
    const auto refused = Develop(test.file, 256);
    ASSERT_FALSE(refused.ok()) << test.name;
    EXPECT_EQ(FailureName(KindOf(refused.error())), FailureName(test.expected))
        << test.name << ": " << refused.error().message();
    EXPECT_TRUE(IsPermanent(refused.error())) << test.name;
    EXPECT_FALSE(refused.error().message().empty()) << test.name;
  }
  EXPECT_EQ(darkroom_.process_ids().size(), 1U);
}

// Proves that a photo whose upload broke off is developed as far as it goes, and that the record
// says so.
TEST_F(BadFilesTest, DevelopsWhatThereIs) {
  const VImage photo = Quadrants(800, 600);
  for (const std::string& whole :
       {Jpeg(photo), Jpeg(photo, VImage::option()->set("interlace", true)),
        Png(photo, VImage::option()->set("compression", 0))}) {
    const auto sound = Develop(whole, 400);
    ASSERT_TRUE(sound.ok());
    EXPECT_FALSE(sound->developed.original.truncated);
    const auto cut = Develop(whole.substr(0, whole.size() * 3 / 5), 400);
    ASSERT_TRUE(cut.ok()) << cut.error().message();
    EXPECT_TRUE(cut->developed.original.truncated);
    EXPECT_EQ(cut->developed.original.width, 800);
    EXPECT_TRUE(IsNear(Decode(cut->bytes), 100, 50, {200, 30, 30}));
  }
}

// Proves that images over the limits are refused by their header, in no time and with no memory:
// the helper that did it stays small.
TEST_F(BadFilesTest, RefusesBombs) {
  Config config = HelperConfig();
  config.limits.cpu_seconds = 2;
  Darkroom strict(config);
  const struct {
    const char* name;
    std::string file;
  } cases[] = {
      {"interlaced", PngBomb(20'000, true)},
      {"plain", PngBomb(20'000, false)},
      {"interlaced below the limit for plain ones", PngBomb(9'000, true)},
  };
  for (const auto& test : cases) {
    const MemoryFile input(test.file);
    const MemoryFile output;
    const auto refused =
        strict.Develop({.input = input.number(), .sizes = {{"THUMB", 256, output.number()}}});
    ASSERT_FALSE(refused.ok()) << test.name;
    EXPECT_EQ(KindOf(refused.error()), FailureKind::kTooLarge)
        << test.name << ": " << refused.error().message();
    const auto probed = strict.Probe({input.number()});
    ASSERT_FALSE(probed.ok()) << test.name;
    EXPECT_EQ(KindOf(probed.error()), FailureKind::kTooLarge) << test.name;
    EXPECT_EQ(output.Content(), "") << test.name;
  }
}

// Proves the limits at their edges: width x height x pages, and the lower one for what is held
// whole.
TEST_F(BadFilesTest, CountsPixels) {
  Config config = HelperConfig();
  config.limits.pixels = {.pixels = 20'000, .pixels_held_whole = 10'000};
  Darkroom small(config);
  const std::vector<VImage> frames = {Plain(60, 60, {200, 0, 0}), Plain(60, 60, {0, 200, 0}),
                                      Plain(60, 60, {0, 0, 200})};
  const VImage pages = VImage::arrayjoin(frames, VImage::option()->set("across", 1));
  VImage animated = pages.copy();
  animated.set("page-height", 60);
  const struct {
    const char* name;
    std::string file;
    bool fits;
  } cases[] = {
      {"PNG that just fits", Png(Photo(200, 100)), true},
      {"PNG one column over", Png(Photo(201, 100)), false},
      {"interlaced PNG that just fits",
       Png(Photo(100, 100), VImage::option()->set("interlace", true)), true},
      {"interlaced PNG over", Png(Photo(101, 100), VImage::option()->set("interlace", true)),
       false},
      {"JPEG that just fits", Jpeg(Photo(200, 100)), true},
      {"progressive JPEG over", Jpeg(Photo(101, 100), VImage::option()->set("interlace", true)),
       false},
      {"WebP over", Webp(Photo(101, 100)), false},
      {"three pages of 3600", Webp(animated), false},
  };
  for (const auto& test : cases) {
    const MemoryFile input(test.file);
    const auto probed = small.Probe({input.number()});
    EXPECT_EQ(probed.ok(), test.fits) << test.name;
    if (!probed.ok()) {
      EXPECT_EQ(KindOf(probed.error()), FailureKind::kTooLarge) << probed.error().message();
    }
  }
}

// Proves that damaged files, whatever the damage, are developed or refused, and that every other
// file is served all the same. The seed is fixed.
TEST_F(BadFilesTest, SurvivesDamage) {
  const VImage photo = Photo(160, 120);
  std::mt19937 random(11);
  int refused = 0;
  for (const std::string& whole : {Jpeg(photo), Png(photo), Webp(photo)}) {
    for (int i = 0; i < 40; ++i) {
      std::string damaged = whole;
      for (int change = 0; change < 4; ++change) {
        // Mostly in the headers, where it matters most.
        const size_t range = change < 3 ? std::min<size_t>(300, damaged.size()) : damaged.size();
        damaged[16 + random() % (range - 16)] = static_cast<char>(random());
      }
      const auto result = Develop(damaged, 64);
      refused += result.ok() ? 0 : 1;
      if (!result.ok()) {
        EXPECT_TRUE(IsPermanent(result.error())) << result.error().message();
      }
    }
    EXPECT_TRUE(Develop(whole, 64).ok());
  }
  EXPECT_GT(refused, 10);
}

}  // namespace
}  // namespace tintype::darkroom
