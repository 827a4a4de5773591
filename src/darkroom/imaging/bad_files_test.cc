#include <sys/types.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/strings.h"
#include "darkroom/imaging/testing/imaging_test.h"
#include "darkroom/imaging/testing/raw_files.h"

// What becomes of files that are not what they should be.

namespace tintype::darkroom {
namespace {

using namespace std::literals;
using vips::VImage;

class BadFilesTest : public ImagingTest {};

/// An animation of as many pages, of one pixel each.
std::string GifOfPages(int count) {
  std::string file = "GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xFF\xFF\xFF"s;
  for (int i = 0; i < count; ++i) {
    file += "\x21\xF9\x04\0\x0A\0\0\0\x2C\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0"s;
  }
  return file + ";";
}

/// The same, by adding the last frame of a short one again and again.
std::string WebpOfPages(int count) {
  std::string file = Webp(Pages({Plain(16, 16, {200, 0, 0}), Plain(16, 16, {0, 200, 0})}),
                          VImage::option()->set("lossless", true));
  const std::string frame = file.substr(file.rfind("ANMF"));
  for (int i = 2; i < count; ++i) {
    file += frame;
  }
  const size_t bytes = file.size() - 8;
  for (size_t i = 0; i < 4; ++i) {
    file[4 + i] = static_cast<char>(bytes >> (8 * i));
  }
  return file;
}

// Proves which files are refused for good, and as what; the helper that refused them is well.
TEST_F(BadFilesTest, RefusesWhatIsNoImage) {
  const std::string png = Png(Photo(200, 200));
  const std::string webp = Webp(Photo(200, 200));
  const std::string heic = Heic(Photo(200, 200));
  const std::string avif = Avif(Photo(200, 200));
  const struct {
    const char* name;
    std::string file;
    FailureKind expected;
  } cases[] = {
      {"empty", "", FailureKind::kNotAnImage},
      {"text", "just some text", FailureKind::kNotAnImage},
      {"one byte", "\xFF", FailureKind::kNotAnImage},
      {"script", "<svg xmlns='http://www.w3.org/2000/svg'/>", FailureKind::kNotAnImage},
      {"Photoshop", "8BPS\0\x01"s, FailureKind::kUnsupportedType},
      {"GIF without a picture", "GIF89a\x01\0\x01\0\0\0\0;"s, FailureKind::kCorrupt},
      {"TIFF header alone", "II*\0\x08\0\0\0"s, FailureKind::kCorrupt},
      {"BigTIFF header alone", "II+\0\x08\0\0\0\x10\0\0\0\0\0\0\0"s, FailureKind::kCorrupt},
      {"RAF header alone", "FUJIFILMCCD-RAW 0201"s, FailureKind::kCorrupt},
      {"ORF header alone", "IIRO\x08\0\0\0"s, FailureKind::kCorrupt},
      {"HEIC header alone", heic.substr(0, 40), FailureKind::kCorrupt},
      {"HEIC cut before its pixels", heic.substr(0, heic.find("mdat") + 30), FailureKind::kCorrupt},
      {"AVIF cut before its pixels", avif.substr(0, avif.find("mdat") + 30), FailureKind::kCorrupt},
      {"JPEG in the clothes of a HEIC", heic.substr(0, 28) + Jpeg(Photo(64, 64)),
       FailureKind::kCorrupt},
      {"film",
       "\0\0\0\x20"
       "ftypisom\0\0\0\0isom"s,
       FailureKind::kUnsupportedType},
      {"JPEG magic alone", "\xFF\xD8\xFF\xE0", FailureKind::kCorrupt},
      {"JPEG magic and noise", "\xFF\xD8\xFF" + std::string(2000, 'x'), FailureKind::kCorrupt},
      {"PNG magic alone", "\x89PNG\r\n\x1A\n", FailureKind::kCorrupt},
      {"PNG without pixels", png.substr(0, 33), FailureKind::kCorrupt},
      {"WebP header alone", webp.substr(0, 16), FailureKind::kCorrupt},
      {"WebP cut before its first row", webp.substr(0, 60), FailureKind::kCorrupt},
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

/// The most memory that a process ever had in use, in bytes.
int64_t PeakBytes(pid_t process) {
  std::ifstream status(StrCat("/proc/", process, "/status"));
  std::string word;
  while (status >> word && word != "VmHWM:") {
  }
  int64_t kilobytes = 0;
  CHECK(status >> kilobytes);
  return kilobytes * 1024;
}

// Proves that images over the limits are refused by their header, in no time and with no memory:
// the helper that did it stays small.
TEST_F(BadFilesTest, RefusesBombs) {
  Config config = HelperConfig();
  config.limits.cpu_seconds = 2;
  // Next to nothing: the pixels of the smallest picture here take 243 MB.
  [[maybe_unused]] constexpr int64_t kGrowthBytesMax = int64_t{32} << 20;
  Darkroom strict(config);
  const MemoryFile small(Png(Photo(64, 64), VImage::option()->set("interlace", true)));
  ASSERT_TRUE(DevelopOn(strict, small).ok());
  const std::vector<pid_t> helpers = strict.process_ids();
  ASSERT_EQ(helpers.size(), 1U);
  [[maybe_unused]] const int64_t peak_before = PeakBytes(helpers[0]);
  const struct {
    const char* name;
    std::string file;
  } cases[] = {
      {"interlaced", PngBomb(20'000, true)},
      {"plain", PngBomb(20'000, false)},
      {"interlaced below the limit for plain ones", PngBomb(9'000, true)},
      {"TIFF", TiffBomb(50'000)},
      {"TIFF in a single strip", TiffBomb(9'000)},
      {"GIF of many pages", GifOfPages(4'001)},
      {"WebP of many pages", WebpOfPages(4'001)},
  };
  for (const auto& test : cases) {
    const MemoryFile input(test.file);
    const MemoryFile output;
    const auto refused = strict.Develop(
        kAccount, {.input = input.number(), .sizes = {{"THUMB", 256, output.number()}}});
    ASSERT_FALSE(refused.ok()) << test.name;
    EXPECT_EQ(KindOf(refused.error()), FailureKind::kTooLarge)
        << test.name << ": " << refused.error().message();
    EXPECT_EQ(output.Content(), "") << test.name;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    // A sanitizer takes time and memory of its own.
    ASSERT_EQ(strict.process_ids(), helpers) << test.name;
    EXPECT_LE(PeakBytes(helpers[0]) - peak_before, kGrowthBytesMax) << test.name;
#endif
  }
}

// Proves the limits at their edges: width x height, the lower one for what is held whole, and
// pages.
TEST_F(BadFilesTest, CountsPixels) {
  Config config = HelperConfig();
  config.limits.pixels = {.pixels = 20'000, .pixels_held_whole = 10'000, .pages = 3};
  Darkroom small(config);
  const std::vector<VImage> frames = {Plain(60, 60, {200, 0, 0}), Plain(60, 60, {0, 200, 0}),
                                      Plain(60, 60, {0, 0, 200})};
  const VImage animated = Pages(frames);
  const VImage longer = Pages({frames[0], frames[1], frames[2], frames[0]});
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
      {"GIF over", Gif(Photo(101, 100)), false},
      {"HEIC over", Heic(Photo(102, 100)), false},
      {"AVIF over", Avif(Photo(102, 100)), false},
      {"TIFF of the same size in strips", Tiff(Photo(70, 200)), true},
      {"TIFF whose strip is over", Tiff(Photo(101, 100)), false},
      {"three pages", Webp(animated), true},
      {"three pages of a GIF", Gif(animated), true},
      {"four pages", Webp(longer), false},
      {"four pages of a GIF", Gif(longer), false},
      {"four pages of a TIFF", Tiff(longer), false},
  };
  for (const auto& test : cases) {
    const MemoryFile input(test.file);
    const auto developed = DevelopOn(small, input);
    EXPECT_EQ(developed.ok(), test.fits) << test.name;
    if (!developed.ok()) {
      EXPECT_EQ(KindOf(developed.error()), FailureKind::kTooLarge) << developed.error().message();
    }
  }
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
// Proves that a file within the limits on pixels which still needs more memory than there is, is
// given up with words for it, by the real decoders: an interlaced PNG is held whole.
TEST_F(BadFilesTest, GivesUpWhatNeedsTooMuchMemory) {
  Config config = HelperConfig();
  config.limits.pixels.pixels_held_whole = config.limits.pixels.pixels;
  config.limits.address_space_bytes = int64_t{512} << 20;
  Darkroom darkroom(config);
  const MemoryFile input(PngBomb(11'500, true));
  const MemoryFile output;
  const auto refused =
      darkroom.Develop(kAccount, {.input = input.number(), .sizes = {{"T", 256, output.number()}}});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(FailureName(KindOf(refused.error())), FailureName(FailureKind::kOutOfMemory));
  EXPECT_EQ(refused.error().message(), "The image needs more memory than is allowed");
}

// Proves the same for the processor's time: sixteen large renditions, each of them worked out as
// hard as can be.
TEST_F(BadFilesTest, GivesUpWhatTakesTooLong) {
  Config config = HelperConfig();
  config.limits.cpu_seconds = 1;
  Darkroom darkroom(config);
  const MemoryFile input(PngBomb(8'000, false));
  const MemoryFile output;
  const std::vector<SizeRequest> sizes(kSizesMax, {"T", 8'000, output.number()});
  const auto refused =
      darkroom.Develop(kAccount, {.input = input.number(), .sizes = sizes, .effort = 6});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(FailureName(KindOf(refused.error())), FailureName(FailureKind::kOutOfTime));
  EXPECT_EQ(refused.error().message(), "The file took too much processor time");
}
#endif

// Proves that damaged files, whatever the damage, are developed or refused, and that every other
// file is served all the same. The seed is fixed.
TEST_F(BadFilesTest, SurvivesDamage) {
  const VImage photo = Photo(160, 120);
  std::mt19937 random(11);
  int refused = 0;
  for (const std::string& whole :
       {Jpeg(photo), Png(photo), Webp(photo), Gif(photo), Tiff(photo), Heic(photo), Avif(photo),
        Dng({Jpeg(photo), 160, 120}), Nef({Jpeg(photo), 160, 120})}) {
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
