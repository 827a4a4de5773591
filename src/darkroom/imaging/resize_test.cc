#include <string>
#include <vector>

#include "darkroom/imaging/testing/imaging_test.h"
#include "darkroom/media_type.h"

namespace tintype::darkroom {
namespace {

using vips::VImage;

class ResizeTest : public ImagingTest {
 protected:
  struct Print {
    Resized resized;
    std::string bytes;
  };
  Result<Print> Resize(std::string_view file, ResizeRequest request) {
    const MemoryFile input(file);
    const MemoryFile output;
    request.input = input.number();
    request.output = output.number();
    ASSIGN_OR_RETURN(Resized resized, darkroom_.Resize(kAccount, request));
    return Print{resized, output.Content()};
  }
};

// Proves the size that each request comes to: in proportion, rounded, cut when it covers, and never
// larger than the original; and that what is told is what the file has.
TEST_F(ResizeTest, FitsAndCovers) {
  const struct {
    int width, height;
    ResizeRequest request;
    int expected_width, expected_height;
  } cases[] = {
      {600, 400, {.width = 300}, 300, 200},
      {600, 400, {.height = 100}, 150, 100},
      {600, 400, {}, 600, 400},
      {600, 400, {.width = 5000, .height = 5000}, 600, 400},
      {600, 400, {.width = 300, .height = 300}, 300, 200},
      {400, 600, {.width = 300, .height = 300}, 200, 300},
      {600, 400, {.width = 300, .height = 300, .fit = Fit::kCover}, 300, 300},
      {600, 400, {.width = 90, .height = 300, .fit = Fit::kCover}, 90, 300},
      {600, 400, {.width = 300, .fit = Fit::kCover}, 300, 200},
      {600, 400, {.width = 500, .height = 500, .fit = Fit::kCover}, 500, 400},
      {600, 400, {.width = 900, .height = 900, .fit = Fit::kCover}, 600, 400},
      {601, 401, {.width = 33}, 33, 22},
      {4000, 1, {.width = 256, .height = 256}, 256, 1},
      {1, 1, {.width = 1, .height = 1, .fit = Fit::kCover}, 1, 1},
  };
  for (const auto& test : cases) {
    for (const std::string& file : {Jpeg(Plain(test.width, test.height, {90, 120, 200})),
                                    Png(Plain(test.width, test.height, {90, 120, 200}))}) {
      const auto print = Resize(file, test.request);
      ASSERT_TRUE(print.ok()) << print.error().message();
      const VImage image = Decode(print->bytes);
      EXPECT_EQ(image.width(), test.expected_width) << test.width << 'x' << test.height;
      EXPECT_EQ(image.height(), test.expected_height) << test.width << 'x' << test.height;
      EXPECT_EQ(print->resized.width, image.width());
      EXPECT_EQ(print->resized.height, image.height());
      EXPECT_EQ(print->resized.bytes, static_cast<int64_t>(print->bytes.size()));
      EXPECT_TRUE(IsNear(image, 0, 0, {90, 120, 200}, 12));
    }
  }
}

// Proves that each format is written as what it is, upright, in its colours, without metadata, from
// photos that lie on their side; that transparency is kept, or white in JPEG; and that quality
// counts.
TEST_F(ResizeTest, WritesEveryFormat) {
  VImage lying = Quadrants(400, 240).rot270().copy();
  lying.set("orientation", 6);
  lying.set("exif-ifd0-Make", "Canon");
  const std::string photo = Jpeg(lying, VImage::option()->set("Q", 95));
  const std::string transparent = Png(WithHalfTransparent(Quadrants(300, 200)));
  const std::string noisy = Jpeg(Photo(300, 200));
  for (const auto& [format, type] :
       {std::pair{OutputFormat::kWebp, "image/webp"}, std::pair{OutputFormat::kJpeg, "image/jpeg"},
        std::pair{OutputFormat::kAvif, "image/avif"}}) {
    const auto print = Resize(photo, {.width = 200, .format = format});
    ASSERT_TRUE(print.ok()) << type << ": " << print.error().message();
    EXPECT_EQ(DetectMediaType(print->bytes), type);
    const VImage image = Decode(print->bytes);
    EXPECT_TRUE(HasUprightQuadrants(image)) << type;
    EXPECT_EQ(image.width(), 200) << type;
    EXPECT_EQ(image.height(), 120) << type;
    for (const char* name : {"orientation", "exif-data", "xmp-data", "icc-profile-data"}) {
      EXPECT_TRUE(image.get_typeof(name) == 0U ||
                  (std::string_view(name) == "orientation" && image.get_int(name) == 1))
          << type << ' ' << name;
    }

    const auto clear = Resize(transparent, {.width = 150, .format = format});
    ASSERT_TRUE(clear.ok()) << type << ": " << clear.error().message();
    const VImage half = Decode(clear->bytes);
    EXPECT_EQ(half.has_alpha(), format != OutputFormat::kJpeg) << type;
    if (format == OutputFormat::kJpeg) {
      EXPECT_TRUE(IsNear(half, 112, 25, {255, 255, 255}, 4));
    } else {
      EXPECT_LT(half.getpoint(112, 25).at(3), 4) << type;
    }
    EXPECT_TRUE(IsNear(half, 37, 25, {200, 30, 30})) << type;

    const auto low = Resize(noisy, {.format = format, .quality = 30});
    const auto high = Resize(noisy, {.format = format, .quality = 90});
    ASSERT_TRUE(low.ok() && high.ok()) << type;
    EXPECT_LT(low->bytes.size(), high->bytes.size() / 2) << type;
  }
}

// Proves that what sticks out is cut off on both sides.
TEST_F(ResizeTest, CoversAroundTheMiddle) {
  for (const std::string& file : {Jpeg(Quadrants(600, 200)), Png(Quadrants(600, 200))}) {
    const auto print = Resize(file, {.width = 100, .height = 100, .fit = Fit::kCover});
    ASSERT_TRUE(print.ok()) << print.error().message();
    EXPECT_TRUE(HasUprightQuadrants(Decode(print->bytes)));
  }
}

// Proves that a file that ends early is resized as far as it goes, and that others are refused.
TEST_F(ResizeTest, TakesWhatThereIs) {
  const std::string whole = Jpeg(Photo(800, 600));
  const auto print = Resize(whole.substr(0, whole.size() / 2), {.width = 400});
  ASSERT_TRUE(print.ok()) << print.error().message();
  EXPECT_EQ(print->resized.height, 300);
  const auto text = Resize("hello", {.width = 400});
  ASSERT_FALSE(text.ok());
  EXPECT_EQ(KindOf(text.error()), FailureKind::kNotAnImage);
}

}  // namespace
}  // namespace tintype::darkroom
