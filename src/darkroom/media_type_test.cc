#include "darkroom/media_type.h"

#include <gtest/gtest.h>

#include <string>

namespace tintype::darkroom {
namespace {

using namespace std::literals;

std::string Ftyp(std::string_view brands) {
  return "\0\0\0\x20"
         "ftyp"s +
         std::string(brands.substr(0, 4)) + "\0\0\0\0"s + std::string(brands.substr(4));
}

// Proves that each kind of file is known by its first bytes, and that look-alikes are not.
TEST(MediaTypeTest, KnowsFilesByTheirFirstBytes) {
  const struct {
    std::string bytes;
    std::string_view expected;
  } cases[] = {
      {"\xFF\xD8\xFF\xE0\0\x10JFIF"s, "image/jpeg"},
      {"\x89PNG\r\n\x1A\n\0\0\0\rIHDR"s, "image/png"},
      {"RIFF\x10\0\0\0WEBPVP8 "s, "image/webp"},
      {"RIFF\x10\0\0\0WAVEfmt "s, "audio/wav"},
      {"RIFF\x10\0\0\0AVI LIST"s, "video/x-msvideo"},
      {"RIFF\x10\0\0\0ACONanih"s, "application/octet-stream"},
      {"GIF89a\x01\0\x01\0"s, "image/gif"},
      {"II*\0\x08\0\0\0"s, "image/tiff"},
      {"MM\0*\0\0\0\x08"s, "image/tiff"},
      {"II+\0\x08\0\0\0"s, "image/tiff"},
      {"MM\0+\0\x08\0\0"s, "image/tiff"},
      {"II*\0\x10\0\0\0CR\x02\0"s, "image/x-canon-cr2"},
      {"II*\0\x10\0\0\0CR\x03\0"s, "image/tiff"},
      {"IIRO\x08\0\0\0"s, "image/x-olympus-orf"},
      {"IIRS\x08\0\0\0"s, "image/x-olympus-orf"},
      {"MMOR\0\0\0\x08"s, "image/x-olympus-orf"},
      {"IIU\0\x18\0\0\0"s, "image/x-panasonic-rw2"},
      {"FUJIFILMCCD-RAW 0201"s, "image/x-fuji-raf"},
      {Ftyp("crx crx isom"), "image/x-canon-cr3"},
      {"GIF87a\x01\0\x01\0"s, "image/gif"},
      {Ftyp("heicmif1"), "image/heic"},
      {Ftyp("heixmif1heic"), "image/heic"},
      {Ftyp("msf1msf1hevc"), "image/heic"},
      {Ftyp("avisavif"), "image/avif"},
      {Ftyp("mif1mif1heic"), "image/heic"},
      {Ftyp("mif1mif1avif"), "image/avif"},
      {Ftyp("mif1mif1"), "image/heif"},
      {Ftyp("avifmif1"), "image/avif"},
      {Ftyp("isomiso2avc1mp41"), "video/mp4"},
      {Ftyp("qt  "), "video/quicktime"},
      {Ftyp("M4A isom"), "audio/mp4"},
      {"\x1A\x45\xDF\xA3\x9F\x42\x86\x81\x01\x42\x82\x84webm"s, "video/webm"},
      {"\x1A\x45\xDF\xA3\x9F\x42\x82\x88matroska"s, "video/x-matroska"},
      {"ID3\x03"s, "audio/mpeg"},
      {"\xFF\xFB\x90\x64"s, "audio/mpeg"},
      {"fLaC\0\0\0\x22"s, "audio/flac"},
      {"%PDF-1.7"s, "application/pdf"},
      {""s, "application/octet-stream"},
      {"\xFF\xD8"s, "application/octet-stream"},
      {"\0\0\0\x20"
       "ftyp"s,
       "application/octet-stream"},
      {"<svg xmlns='http://www.w3.org/2000/svg'/>"s, "application/octet-stream"},
      {"GIF88a"s, "application/octet-stream"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(DetectMediaType(test.bytes), test.expected) << testing::PrintToString(test.bytes);
  }
}

// Proves that no cut of a known beginning reads past its end (the sanitizer build looks).
TEST(MediaTypeTest, AcceptsAnyLength) {
  const std::string whole = Ftyp("mif1mif1heicmiaf");
  for (size_t length = 0; length <= whole.size(); ++length) {
    const std::string cut = whole.substr(0, length);
    EXPECT_FALSE(DetectMediaType(cut).empty());
  }
}

// Proves which types the helper takes; the others are refused before their bytes are looked at.
TEST(MediaTypeTest, SaysWhatCanBeDeveloped) {
  for (const char* type : {"image/jpeg", "image/png", "image/webp", "image/gif", "image/tiff",
                           "image/heic", "image/heif", "image/avif", "image/x-canon-cr2",
                           "image/x-fuji-raf", "image/x-olympus-orf", "image/x-panasonic-rw2"}) {
    EXPECT_TRUE(CanDevelop(type)) << type;
  }
  for (const char* type : {"image/x-canon-cr3", "image/jxl", "image/bmp", "image/svg+xml",
                           "application/pdf", "video/mp4", "application/octet-stream", ""}) {
    EXPECT_FALSE(CanDevelop(type)) << type;
  }
}

}  // namespace
}  // namespace tintype::darkroom
