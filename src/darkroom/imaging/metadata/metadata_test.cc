#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "darkroom/imaging/testing/imaging_test.h"
#include "darkroom/imaging/testing/raw_files.h"

// What cameras write into files: read wherever it is, and none of it in what comes out; and the raw
// files of cameras.

namespace tintype::darkroom {
namespace {

using namespace std::literals;
using vips::VImage;

class MetadataTest : public ImagingTest {};

/// A photo with everything that a telephone writes into one.
VImage PhotoWithEverything() {
  VImage photo =
      Photo(320, 200).icc_transform("p3", VImage::option()->set("input_profile", "srgb")).copy();
  photo.set("exif-ifd0-Make", "Canon");
  photo.set("exif-ifd0-Model", "Canon EOS R5");
  photo.set("exif-ifd2-LensModel", "RF 50mm F1.2");
  photo.set("exif-ifd2-ISOSpeedRatings", "400");
  photo.set("exif-ifd2-ExposureTime", "1/250");
  photo.set("exif-ifd2-FNumber", "28/10");
  photo.set("exif-ifd2-FocalLength", "50/1");
  photo.set("exif-ifd2-DateTimeOriginal", "2024:05:01 10:11:12");
  photo.set("exif-ifd2-OffsetTimeOriginal", "+02:00");
  photo.set("exif-ifd3-GPSLatitudeRef", "S");
  photo.set("exif-ifd3-GPSLatitude", "33/1 51/1 2484/100");
  photo.set("exif-ifd3-GPSLongitudeRef", "E");
  photo.set("exif-ifd3-GPSLongitude", "151/1 12/1 5400/100");
  photo.set("exif-ifd3-GPSAltitude", "125/10");
  char xmp[] = "<x:xmpmeta xmlns:x='adobe:ns:meta/'>SECRET-PLACE</x:xmpmeta>";
  photo.set("xmp-data", nullptr, xmp, sizeof(xmp) - 1);
  return photo;
}

/// The names of the parts that a WebP file has.
std::set<std::string> WebpChunks(std::string_view file) {
  std::set<std::string> names;
  for (size_t at = 12; at + 8 <= file.size();) {
    names.emplace(file.substr(at, 4));
    uint32_t length = 0;
    for (size_t i = 0; i < 4; ++i) {
      length |= static_cast<uint32_t>(static_cast<uint8_t>(file[at + 4 + i])) << (8 * i);
    }
    at += 8 + length + length % 2;
  }
  return names;
}

// Proves that what a camera wrote is read from every format that can hold it, and that of the
// place, the time and all the rest not a byte is left in a rendition.
TEST_F(MetadataTest, ReadsEverythingAndLeavesNothing) {
  const VImage photo = PhotoWithEverything();
  const struct {
    const char* name;
    std::string file;
  } cases[] = {{"JPEG", Jpeg(photo)},
               {"WebP", Webp(photo)},
               {"PNG", WithPngExif(Png(photo), ExifBlockOf(Jpeg(photo)))},
               {"HEIC", Heic(photo)},
               {"AVIF", Avif(photo)}};
  for (const auto& test : cases) {
    const auto print = Develop(test.file, 256);
    ASSERT_TRUE(print.ok()) << test.name << print.error().message();
    const ExifData& exif = print->developed.exif;
    EXPECT_EQ(exif.camera, "Canon EOS R5") << test.name;
    EXPECT_EQ(exif.lens, "RF 50mm F1.2") << test.name;
    EXPECT_EQ(exif.iso, 400) << test.name;
    EXPECT_EQ(exif.shutter_speed, "1/250") << test.name;
    EXPECT_EQ(exif.aperture, 2.8) << test.name;
    EXPECT_EQ(exif.focal_length, 50) << test.name;
    EXPECT_EQ(exif.taken_at, "2024-05-01T10:11:12+02:00") << test.name;
    ASSERT_TRUE(exif.place.has_value()) << test.name;
    EXPECT_NEAR(exif.place->latitude, -33.8569, 1e-6) << test.name;
    EXPECT_NEAR(exif.place->longitude, 151.215, 1e-6) << test.name;
    EXPECT_EQ(exif.place->altitude, 12.5) << test.name;

    EXPECT_EQ(WebpChunks(print->bytes), std::set<std::string>{"VP8 "}) << test.name;
    for (const std::string_view trace :
         {"Exif", "EXIF", "XMP", "ICCP", "Canon", "SECRET-PLACE", "2024:05:01", "acsp"}) {
      EXPECT_EQ(print->bytes.find(trace), std::string::npos) << test.name << ": " << trace;
    }
  }
}

// Proves that TIFF, whose tags are EXIF's own, is read as well.
TEST_F(MetadataTest, ReadsTheTagsOfTiff) {
  const auto print = Develop(TiffWithExif(), 8);
  ASSERT_TRUE(print.ok()) << print.error().message();
  EXPECT_TRUE(IsNear(Decode(print->bytes), 4, 4, {200, 30, 30}));
  const ExifData& exif = print->developed.exif;
  EXPECT_EQ(exif.camera, "ACME Raw One");
  EXPECT_EQ(exif.aperture, 2.8);
  EXPECT_EQ(exif.taken_at, "2024-05-01T10:11:12");
  ASSERT_TRUE(exif.place.has_value());
  EXPECT_DOUBLE_EQ(exif.place->latitude, 52.5);
  EXPECT_DOUBLE_EQ(exif.place->longitude, -13.4);
  EXPECT_EQ(exif.place->altitude, -43);
}

// Proves that with transparency, too, there is nothing but pixels in a rendition.
TEST_F(MetadataTest, LeavesNothingBesideTransparency) {
  VImage photo = WithHalfTransparent(PhotoWithEverything());
  const auto print = Develop(Webp(photo), 256);
  ASSERT_TRUE(print.ok()) << print.error().message();
  const std::set<std::string> chunks = WebpChunks(print->bytes);
  EXPECT_EQ(chunks, (std::set<std::string>{"VP8X", "ALPH", "VP8 "}));
  constexpr char kAlphaOnly = 0x10;
  EXPECT_EQ(print->bytes.at(20), kAlphaOnly);
}

// Proves that what is resized on the way or edited carries no more than a rendition does.
TEST_F(MetadataTest, LeavesNothingInOtherFormats) {
  const MemoryFile input(Heic(PhotoWithEverything()));
  for (const OutputFormat format :
       {OutputFormat::kJpeg, OutputFormat::kAvif, OutputFormat::kWebp}) {
    const MemoryFile output;
    const auto resized = darkroom_.Resize(
        kAccount,
        {.input = input.number(), .output = output.number(), .width = 100, .format = format});
    ASSERT_TRUE(resized.ok()) << resized.error().message();
    const std::string bytes = output.Content();
    for (const std::string_view trace :
         {"Exif", "EXIF", "XMP", "ICC_PROFILE", "Canon", "SECRET-PLACE", "2024:05:01", "acsp"}) {
      EXPECT_EQ(bytes.find(trace), std::string::npos) << trace;
    }
  }
}

// Proves that places that make no sense are left out.
TEST_F(MetadataTest, LeavesOutPlacesThatMakeNoSense) {
  const struct {
    const char* latitude;
    const char* latitude_ref;
    const char* longitude;
    bool sensible;
  } cases[] = {
      {"10/1 0/1 0/1", "N", "20/1 0/1 0/1", true},  {"10/1 30/1 0/1", "S", "180/1 0/1 0/1", true},
      {"91/1 0/1 0/1", "N", "20/1 0/1 0/1", false}, {"10/1 61/1 0/1", "N", "20/1 0/1 0/1", false},
      {"10/1 0/1 0/1", "X", "20/1 0/1 0/1", false}, {"10/1 0/1 0/1", "N", "180/1 1/1 0/1", false},
      {"10/0 0/1 0/1", "N", "20/1 0/1 0/1", false}, {"0/1 0/1 0/1", "N", "0/1 0/1 0/1", false},
  };
  for (const auto& test : cases) {
    VImage photo = Photo(32, 32).copy();
    photo.set("exif-ifd3-GPSLatitudeRef", test.latitude_ref);
    photo.set("exif-ifd3-GPSLatitude", test.latitude);
    photo.set("exif-ifd3-GPSLongitudeRef", "W");
    photo.set("exif-ifd3-GPSLongitude", test.longitude);
    const auto print = Develop(Jpeg(photo), 32);
    ASSERT_TRUE(print.ok());
    EXPECT_EQ(print->developed.exif.place.has_value(), test.sensible)
        << test.latitude << ' ' << test.longitude;
  }
}

// Proves that a camera's raw file is developed from the preview in it, wherever its maker puts
// that, and turned by what the raw file says.
TEST_F(MetadataTest, DevelopsRawFilesByTheirPreview) {
  const RawOptions options = {Jpeg(Quadrants(320, 200)), 320, 200};
  const struct {
    const char* name;
    const char* media_type;
    std::optional<std::string> camera;
    std::string file;
  } cases[] = {
      {"DNG", "image/tiff", "ACME Raw One", Dng(options)},
      {"DNG with two previews", "image/tiff", "ACME Raw One",
       Dng(options, Jpeg(Plain(80, 50, {9, 9, 9})))},
      {"NEF", "image/tiff", "ACME Raw One", Nef(options)},
      {"ARW", "image/tiff", "SONY Raw One", Arw(options)},
      {"CR2", "image/x-canon-cr2", "ACME Raw One", Cr2(options)},
      {"ORF", "image/x-olympus-orf", "ACME Raw One", Orf(options)},
      {"RW2", "image/x-panasonic-rw2", std::nullopt, Rw2(options)},
      {"RAF", "image/x-fuji-raf", "FUJIFILM Raw One", Raf(options)},
  };
  for (const auto& test : cases) {
    const auto print = Develop(test.file, 160);
    ASSERT_TRUE(print.ok()) << test.name << ": " << print.error().message();
    EXPECT_EQ(print->developed.original.media_type, test.media_type) << test.name;
    EXPECT_EQ(print->developed.original.width, 320) << test.name;
    EXPECT_EQ(print->developed.exif.orientation, 1) << test.name;
    EXPECT_TRUE(HasUprightQuadrants(Decode(print->bytes))) << test.name;
    EXPECT_EQ(print->developed.exif.camera, test.camera) << test.name;
  }
}

// Proves which orientation counts: the preview's own, when it says one, else the raw file's.
TEST_F(MetadataTest, TurnsRawFiles) {
  const VImage upright = Quadrants(320, 200);
  const RawOptions plain = {Jpeg(upright.rot270(), VImage::option()->set("strip", true)), 200, 320,
                            6};
  VImage tagged = upright.rot180().copy();
  tagged.set("orientation", 3);
  const RawOptions own = {Jpeg(tagged), 320, 200, 6};
  for (const std::string& file : {Dng(plain), Nef(plain), Nef(own), Arw(plain), Raf(plain)}) {
    const auto print = Develop(file, 160);
    ASSERT_TRUE(print.ok()) << print.error().message();
    EXPECT_TRUE(HasUprightQuadrants(Decode(print->bytes)));
    EXPECT_EQ(print->developed.original.width, 320);
  }
}

// Proves that a raw file without a preview, or with a broken one, is refused for good, in words.
TEST_F(MetadataTest, RefusesRawFilesWithoutPreview) {
  const RawOptions none;
  const RawOptions broken = {std::string(3000, 'x'), 320, 200};
  for (const std::string& file : {Dng(none), Nef(none), Cr2(none), Orf(none), Rw2(none), Arw(none),
                                  Nef(broken), Orf(broken), Arw(broken), Raf(broken)}) {
    const auto refused = Develop(file, 160);
    ASSERT_FALSE(refused.ok());
    EXPECT_TRUE(IsPermanent(refused.error())) << refused.error().message();
    EXPECT_NE(refused.error().message().find("preview"), std::string::npos)
        << refused.error().message();
  }
}

}  // namespace
}  // namespace tintype::darkroom
