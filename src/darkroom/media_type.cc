#include "darkroom/media_type.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom {
namespace {

using namespace std::literals;

struct Signature {
  std::string_view bytes;
  std::string_view media_type;
};

// In this order: the first one that fits decides.
constexpr std::array kSignatures = {
    Signature{"\xFF\xD8\xFF"sv, "image/jpeg"sv},
    Signature{"\x89PNG\r\n\x1A\n"sv, "image/png"sv},
    Signature{"GIF87a"sv, "image/gif"sv},
    Signature{"GIF89a"sv, "image/gif"sv},
    // What cameras take from their sensors, where the first bytes tell it from TIFF.
    Signature{"II*\0\x10\0\0\0CR\x02\0"sv, "image/x-canon-cr2"sv},
    Signature{"IIRO"sv, "image/x-olympus-orf"sv},
    Signature{"IIRS"sv, "image/x-olympus-orf"sv},
    Signature{"MMOR"sv, "image/x-olympus-orf"sv},
    Signature{"IIU\0"sv, "image/x-panasonic-rw2"sv},
    Signature{"FUJIFILMCCD-RAW "sv, "image/x-fuji-raf"sv},
    Signature{"II*\0"sv, "image/tiff"sv},
    Signature{"MM\0*"sv, "image/tiff"sv},
    // BigTIFF.
    Signature{"II+\0"sv, "image/tiff"sv},
    Signature{"MM\0+"sv, "image/tiff"sv},
    Signature{"\0\0\0\x0CJXL \r\n\x87\n"sv, "image/jxl"sv},
    Signature{"\xFF\x0A"sv, "image/jxl"sv},
    Signature{"8BPS"sv, "image/vnd.adobe.photoshop"sv},
    Signature{"BM"sv, "image/bmp"sv},
    Signature{"%PDF-"sv, "application/pdf"sv},
    Signature{"PK\x03\x04"sv, "application/zip"sv},
    Signature{"\0\0\x01\xBA"sv, "video/mpeg"sv},
    Signature{"\0\0\x01\xB3"sv, "video/mpeg"sv},
    Signature{"FLV\x01"sv, "video/x-flv"sv},
    Signature{"fLaC"sv, "audio/flac"sv},
    Signature{"ID3"sv, "audio/mpeg"sv},
    // MPEG audio without a tag: eleven bits of synchronisation, then version, layer III.
    Signature{"\xFF\xFB"sv, "audio/mpeg"sv},
    Signature{"\xFF\xFA"sv, "audio/mpeg"sv},
    Signature{"\xFF\xF3"sv, "audio/mpeg"sv},
    Signature{"\xFF\xF2"sv, "audio/mpeg"sv},
    Signature{"\xFF\xE3"sv, "audio/mpeg"sv},
    Signature{"\xFF\xE2"sv, "audio/mpeg"sv},
    // Films of QuickTime from before there were brands. Sizes of such boxes begin with a zero,
    // which texts do not.
    Signature{"\0\0\0\x08wide"sv, "video/quicktime"sv},
    Signature{"\0\0\0\x08skip"sv, "video/quicktime"sv},
    Signature{"\0\0\0\x08"
              "free"sv,
              "video/quicktime"sv},
    Signature{"\0\0\0\x14pnot"sv, "video/quicktime"sv},
};

// What an ISO base media file ("ftyp") is, by one of its brands.
struct Brand {
  std::string_view name;
  std::string_view media_type;
};
constexpr std::array kBrands = {
    Brand{"avif"sv, "image/avif"sv},        Brand{"avis"sv, "image/avif"sv},
    Brand{"heic"sv, "image/heic"sv},        Brand{"heix"sv, "image/heic"sv},
    Brand{"heim"sv, "image/heic"sv},        Brand{"heis"sv, "image/heic"sv},
    Brand{"hevc"sv, "image/heic"sv},        Brand{"hevx"sv, "image/heic"sv},
    Brand{"mif1"sv, "image/heif"sv},        Brand{"msf1"sv, "image/heif"sv},
    Brand{"crx "sv, "image/x-canon-cr3"sv}, Brand{"M4A "sv, "audio/mp4"sv},
    Brand{"M4B "sv, "audio/mp4"sv},         Brand{"qt  "sv, "video/quicktime"sv},
    Brand{"M4P "sv, "audio/mp4"sv},
};

bool HasAt(std::string_view bytes, size_t offset, std::string_view expected) {
  return bytes.size() >= offset + expected.size() &&
         bytes.substr(offset, expected.size()) == expected;
}

std::string_view TypeOfBrand(std::string_view name) {
  for (const Brand& brand : kBrands) {
    if (brand.name == name) {
      return brand.media_type;
    }
  }
  // Those of phones have a number, or a letter for what they hold: "3gp6", "3ge7", "3g2a".
  if (name.starts_with("3g")) {
    return name.starts_with("3g2") ? "video/3gpp2"sv : "video/3gpp"sv;
  }
  return {};
}

// The major brand decides, unless it is a general one: "mif1" says that the file holds an image,
// and only its compatible brands say how that is coded. Files with other brands are films.
std::string_view DetectIsoMedia(std::string_view bytes) {
  constexpr size_t kMajorOffset = 8;
  constexpr size_t kCompatibleOffset = 16;
  constexpr size_t kBrandBytes = 4;
  const std::string_view major = TypeOfBrand(bytes.substr(kMajorOffset, kBrandBytes));
  if (!major.empty() && major != "image/heif") {
    return major;
  }
  if (major == "image/heif") {
    for (size_t at = kCompatibleOffset; at + kBrandBytes <= bytes.size(); at += kBrandBytes) {
      const std::string_view type = TypeOfBrand(bytes.substr(at, kBrandBytes));
      if (type == "image/heic" || type == "image/avif") {
        return type;
      }
    }
    return major;
  }
  return "video/mp4";
}

std::string_view DetectRiff(std::string_view bytes) {
  if (HasAt(bytes, 8, "WEBP")) {
    return "image/webp";
  }
  if (HasAt(bytes, 8, "WAVE")) {
    return "audio/wav";
  }
  if (HasAt(bytes, 8, "AVI ")) {
    return "video/x-msvideo";
  }
  return {};
}

// What old cameras write begins with its sound and pictures; a few bytes that do may be anything.
constexpr size_t kMediaDataBytesMin = 64;

// What an Ogg file holds is said by the first packet of its first stream.
std::string_view DetectOgg(std::string_view bytes) {
  constexpr size_t kPacketOffset = 28;  // Of a page with one packet, as the first one is.
  return HasAt(bytes, kPacketOffset, "\x80theora") ? "video/ogg"sv : "audio/ogg"sv;
}

// AAC in frames of its own (ADTS), by what its header may be.
bool IsAdts(std::string_view bytes) {
  if (bytes.size() < 7) {
    return false;
  }
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(bytes[i]); };
  const bool synchronised = byte(0) == 0xFF && (byte(1) & 0xF6) == 0xF0;
  const unsigned rate = (byte(2) >> 2) & 0x0FU;
  const unsigned frame_bytes = ((byte(3) & 3U) << 11) | (unsigned{byte(4)} << 3) | (byte(5) >> 5);
  constexpr unsigned kRates = 13;
  return synchronised && rate < kRates && frame_bytes > 7;
}

// A packet of an MPEG transport stream that begins with the table of its programmes, or with that
// of their names, as files that were made as files do. `bytes` may have four bytes of a camcorder's
// before that.
bool IsTransportStream(std::string_view bytes) {
  for (const size_t start : {size_t{0}, size_t{4}}) {
    const std::string_view packet = bytes.substr(std::min(start, bytes.size()), 6);
    const bool has_payload = packet.size() == 6 && (packet[3] & 0xF0) == 0x10;
    const bool programmes = packet.starts_with("\x47\x40\0"sv) && packet.ends_with("\0\0"sv);
    const bool names = packet.starts_with("\x47\x40\x11"sv) && packet.ends_with("\0\x42"sv);
    if (has_payload && (programmes || names)) {
      return true;
    }
  }
  return false;
}

// What moves a printing head: tab, line feed, form feed, carriage return.
constexpr std::string_view kPrinterControls = "\t\n\f\r";

// UTF-8 without control characters but those.
bool IsPrintable(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t end = std::min(bytes.find_first_of(kPrinterControls), bytes.size());
    if (!IsCleanUtf8(bytes.substr(0, end))) {
      return false;
    }
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return true;
}

// How many of the bytes are before a last character of UTF-8 that is cut.
size_t WholeUtf8(std::string_view bytes) {
  for (size_t back = 1; back <= std::min<size_t>(3, bytes.size()); ++back) {
    const auto byte = static_cast<unsigned char>(bytes[bytes.size() - back]);
    if ((byte & 0xC0U) == 0x80) {
      continue;
    }
    const bool is_cut = (byte & 0xE0U) == 0xC0   ? back < 2
                        : (byte & 0xF0U) == 0xE0 ? back < 3
                                                 : (byte & 0xF8U) == 0xF0 && back < 4;
    return is_cut ? bytes.size() - back : bytes.size();
  }
  return bytes.size();
}

// UTF-16 in which surrogates come in pairs, without control characters but those.
bool IsUtf16(std::string_view bytes, bool little_endian) {
  bool after_high = false;
  for (size_t i = 0; i + 1 < bytes.size(); i += 2) {
    const auto low = static_cast<unsigned char>(bytes[i + (little_endian ? 0 : 1)]);
    const auto high = static_cast<unsigned char>(bytes[i + (little_endian ? 1 : 0)]);
    const bool is_low_surrogate = (high & 0xFCU) == 0xDC;
    if (is_low_surrogate != after_high) {
      return false;
    }
    after_high = (high & 0xFCU) == 0xD8;
    const bool is_control = high == 0 && (low < 0x20 || (low >= 0x7F && low < 0xA0));
    if (is_control && kPrinterControls.find(static_cast<char>(low)) == std::string_view::npos) {
      return false;
    }
  }
  return bytes.size() >= 2;
}

}  // namespace

std::string_view DetectMediaType(std::string_view first_bytes) {
  const std::string_view bytes = first_bytes.substr(0, kMediaTypeBytes);
  std::string_view type;
  if (HasAt(bytes, 4, "ftyp") && bytes.size() >= 12) {
    type = DetectIsoMedia(bytes);
  } else if (bytes.starts_with("RIFF")) {
    type = DetectRiff(bytes);
  } else if (bytes.starts_with("RF64") && HasAt(bytes, 8, "WAVE")) {
    type = "audio/wav";
  } else if (bytes.starts_with("OggS")) {
    type = DetectOgg(bytes);
  } else if (bytes.starts_with('\0') && HasAt(bytes, 4, "moov")) {
    type = "video/quicktime";
  } else if (HasAt(bytes, 4, "mdat") && bytes.size() >= kMediaDataBytesMin) {
    type = "video/quicktime";
  } else if (bytes.starts_with("\x1A\x45\xDF\xA3")) {
    // Matroska and WebM share one container; the document type is among the first elements.
    type = bytes.find("webm") != std::string_view::npos ? "video/webm" : "video/x-matroska";
  }
  if (!type.empty()) {
    return type;
  }
  for (const Signature& signature : kSignatures) {
    if (bytes.starts_with(signature.bytes)) {
      return signature.media_type;
    }
  }
  if (IsAdts(bytes)) {
    return "audio/aac";
  }
  return IsTransportStream(bytes) ? "video/mp2t" : "application/octet-stream";
}

MediaKind KindOfMediaType(std::string_view media_type) {
  constexpr std::array kDocuments = {
      "application/pdf"sv,      "application/rtf"sv,  "application/msword"sv,
      "application/epub+zip"sv, "application/vnd."sv, "text/"sv,
  };
  if (media_type.starts_with("image/")) {
    return MediaKind::kImage;
  }
  if (media_type.starts_with("video/")) {
    return MediaKind::kVideo;
  }
  if (media_type.starts_with("audio/")) {
    return MediaKind::kAudio;
  }
  const bool document = std::ranges::any_of(
      kDocuments, [&](std::string_view start) { return media_type.starts_with(start); });
  return document ? MediaKind::kDocument : MediaKind::kOther;
}

bool CanPlay(std::string_view media_type) {
  constexpr std::array kPlayed = {
      "video/mp4"sv,  "video/quicktime"sv, "video/3gpp"sv, "video/3gpp2"sv, "video/x-matroska"sv,
      "video/webm"sv, "video/x-msvideo"sv, "video/mpeg"sv, "video/mp2t"sv,  "video/x-flv"sv,
      "video/ogg"sv,  "audio/mp4"sv,       "audio/mpeg"sv, "audio/aac"sv,   "audio/flac"sv,
      "audio/ogg"sv,  "audio/wav"sv,
  };
  return std::ranges::find(kPlayed, media_type) != kPlayed.end();
}

bool CanDevelop(std::string_view media_type) {
  // Canon's CR3 is not among them: the version of exiv2 that we have finds no preview in it.
  constexpr std::array kDeveloped = {
      "image/jpeg"sv,       "image/png"sv,           "image/webp"sv,
      "image/gif"sv,        "image/tiff"sv,          "image/heic"sv,
      "image/heif"sv,       "image/avif"sv,          "image/x-canon-cr2"sv,
      "image/x-fuji-raf"sv, "image/x-olympus-orf"sv, "image/x-panasonic-rw2"sv,
  };
  return std::ranges::find(kDeveloped, media_type) != kDeveloped.end();
}

bool CanReadDocument(std::string_view media_type) {
  return media_type == "application/pdf" || media_type == "text/plain" ||
         media_type == "text/markdown";
}

bool LooksLikeText(std::string_view first_bytes) {
  if (first_bytes.starts_with("\xFF\xFE") || first_bytes.starts_with("\xFE\xFF")) {
    return IsUtf16(first_bytes.substr(2), first_bytes[0] == '\xFF');
  }
  if (first_bytes.starts_with("\xEF\xBB\xBF")) {
    first_bytes.remove_prefix(3);
  }
  return !first_bytes.empty() && IsPrintable(first_bytes.substr(0, WholeUtf8(first_bytes)));
}

std::string UploadedType(std::string_view first_bytes) {
  const std::string_view type = DetectMediaType(first_bytes);
  const bool is_text = type == "application/octet-stream" && LooksLikeText(first_bytes);
  return std::string(is_text ? "text/plain" : type);
}

Result<std::string> PictureType(std::string_view first_bytes) {
  const std::string_view type = DetectMediaType(first_bytes);
  if (!CanDevelop(type)) {
    return Error(
        kUnsupportedMediaType,
        StrCat("Files of the type ", type, " are not taken. These are: ", kDevelopedTypes, "."));
  }
  return std::string(type);
}

}  // namespace tintype::darkroom
