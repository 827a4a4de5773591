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
      {"\xFF\xFA\x90\x64"s, "audio/mpeg"},
      {"\xFF\xF1\x50\x80\x10\x1F\xFC"s, "audio/aac"},
      {"\xFF\xF9\x50\x80\x10\x1F\xFC"s, "audio/aac"},
      {"\xFF\xF1\x7C\x80\x10\x1F\xFC"s, "application/octet-stream"},
      {"\xFF\xF1\x50\x80\0\x1F\xFC"s, "application/octet-stream"},
      {Ftyp("3gp6isom"), "video/3gpp"},
      {Ftyp("3ge7isom"), "video/3gpp"},
      {Ftyp("3g2aisom"), "video/3gpp2"},
      {Ftyp("M4V isom"), "video/mp4"},
      {Ftyp("M4B isom"), "audio/mp4"},
      {"\0\0\x10\0moov"s, "video/quicktime"},
      {"\0\0\0\x08wide"s, "video/quicktime"},
      {"The free lunch"s, "application/octet-stream"},
      {"Moremoov"s, "application/octet-stream"},
      {"x\0\0\x08mdat"s, "application/octet-stream"},
      {"\0\0\x10\0mdat"s + std::string(60, 'x'), "video/quicktime"},
      {"RF64\xFF\xFF\xFF\xFFWAVEds64"s, "audio/wav"},
      {"\0\0\x01\xBA\x44"s, "video/mpeg"},
      {"\0\0\x01\xB3\x14"s, "video/mpeg"},
      {"FLV\x01\x05"s, "video/x-flv"},
      {"OggS\0\x02"s + std::string(22, '\0') + "OpusHead", "audio/ogg"},
      {"OggS\0\x02"s + std::string(22, '\0') + "\x80theora", "video/ogg"},
      {"\x47\x40\0\x15\0\0\xB0\x0D"s, "video/mp2t"},
      {"\x47\x40\x11\x10\0\x42\xF0\x25"s, "video/mp2t"},
      {"\x01\x02\x03\x04\x47\x40\0\x10\0\0\xB0\x0D"s, "video/mp2t"},
      {"\x47\x40\0\x15\0\x01"s, "application/octet-stream"},
      {"G@ text that is none"s, "application/octet-stream"},
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

// Proves what files are to people, and which of them are played.
TEST(MediaTypeTest, SaysWhatCanBePlayed) {
  const struct {
    std::string_view media_type;
    MediaKind kind;
    bool played;
  } cases[] = {
      {"image/jpeg", MediaKind::kImage, false},
      {"image/gif", MediaKind::kImage, false},
      {"video/mp4", MediaKind::kVideo, true},
      {"video/mp2t", MediaKind::kVideo, true},
      {"video/x-unheard-of", MediaKind::kVideo, false},
      {"audio/mpeg", MediaKind::kAudio, true},
      {"audio/ogg", MediaKind::kAudio, true},
      {"application/pdf", MediaKind::kDocument, false},
      {"text/plain", MediaKind::kDocument, false},
      {"application/zip", MediaKind::kOther, false},
      {"application/octet-stream", MediaKind::kOther, false},
      {"", MediaKind::kOther, false},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(KindOfMediaType(test.media_type), test.kind) << test.media_type;
    EXPECT_EQ(CanPlay(test.media_type), test.played) << test.media_type;
    EXPECT_FALSE(CanPlay(test.media_type) && CanDevelop(test.media_type));
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

// Proves what counts as text, which has no signature: each encoding, and what cannot be in it.
TEST(LooksLikeTextTest, TellsTextFromOtherBytes) {
  const struct {
    std::string_view bytes;
    bool expected;
  } cases[] = {
      {"plain text\r\n\twith tabs\f", true},
      {"caf\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x98\x80", true},
      {"\xEF\xBB\xBFmarked", true},
      {"\xFF\xFEh\0i\0"sv, true},
      {"\xFE\xFF\0h\0i"sv, true},
      {"\xFE\xFF\xD8\x3D\xDE\0"sv, true},
      // The last character is cut.
      {"caf\xC3", true},
      {"\xE6\x97\xA5\xE6\x97", true},
      {"\xE6\x97\xA5\xE6", true},
      {"x\xF0\x9F\x98", true},
      {"\xFF\xFEh\0i"sv, true},
      {"\xFE\xFF\0h\xD8\x3D"sv, true},
      {"", false},
      {"\xFF\xFE", false},
      {"\xEF\xBB\xBF", false},
      {"a\0b"sv, false},
      {"\x1B[31m", false},
      {"bell\x07", false},
      {"delete\x7F", false},
      {"caf\xE9 in Latin-1", false},
      {"cut in the middle \xE6\x97 here", false},
      {"\x97\xA5", false},
      {"overlong \xC0\xAF", false},
      {"\xED\xA0\x80 surrogate", false},
      {"\xFE\xFF\0h\0\0"sv, false},
      {"\xFE\xFF\xD8\x3D\0h"sv, false},
      {"\xFE\xFF\xDE\0\0h"sv, false},
      {"\xFF\xD8\xFF\xE0\0\x10JFIF"sv, false},
      {"\x89PNG\r\n\x1A\n", false},
      {"MZ\x90\0"sv, false},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(LooksLikeText(test.bytes), test.expected) << test.bytes;
  }
  // Wherever a text is cut, it is one.
  const std::string_view text = "caf\xC3\xA9 \xE6\x97\xA5 \xF0\x9F\x98\x80!";
  for (size_t length = 1; length <= text.size(); ++length) {
    EXPECT_TRUE(LooksLikeText(text.substr(0, length))) << length;
  }
}

}  // namespace
}  // namespace tintype::darkroom
