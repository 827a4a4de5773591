#include "darkroom/media_type.h"
#include "base/strings.h"

#include <algorithm>
#include <array>

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
    Signature{"OggS"sv, "audio/ogg"sv},
    Signature{"fLaC"sv, "audio/flac"sv},
    Signature{"ID3"sv, "audio/mpeg"sv},
    // MPEG audio without a tag: eleven bits of synchronisation, then version, layer III.
    Signature{"\xFF\xFB"sv, "audio/mpeg"sv},
    Signature{"\xFF\xF3"sv, "audio/mpeg"sv},
    Signature{"\xFF\xF2"sv, "audio/mpeg"sv},
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
    Brand{"3gp4"sv, "video/3gpp"sv},        Brand{"3gp5"sv, "video/3gpp"sv},
    Brand{"3gp6"sv, "video/3gpp"sv},
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

}  // namespace

std::string_view DetectMediaType(std::string_view first_bytes) {
  const std::string_view bytes = first_bytes.substr(0, kMediaTypeBytes);
  std::string_view type;
  if (HasAt(bytes, 4, "ftyp") && bytes.size() >= 12) {
    type = DetectIsoMedia(bytes);
  } else if (bytes.starts_with("RIFF")) {
    type = DetectRiff(bytes);
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
  return "application/octet-stream";
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

Result<std::string> AcceptedType(std::string_view first_bytes) {
  const std::string_view type = DetectMediaType(first_bytes);
  if (!CanDevelop(type)) {
    return Error(
        kUnsupportedMediaType,
        StrCat("Files of the type ", type, " are not taken. These are: ", kDevelopedTypes, "."));
  }
  return std::string(type);
}

}  // namespace tintype::darkroom
