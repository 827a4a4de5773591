#include "darkroom/imaging/exif.h"

#include <cmath>
#include <cstdio>
#include <exception>
#include <exiv2/exiv2.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom {
namespace {

using namespace std::literals;

/// The tags of one EXIF block, none of which need be there.
class Tags {
 public:
  explicit Tags(std::string_view block) {
    Exiv2::ExifParser::decode(data_, reinterpret_cast<const Exiv2::byte*>(block.data()),
                              static_cast<uint32_t>(block.size()));
  }

  std::optional<std::string> Text(const char* name) const {
    const auto found = data_.findKey(Exiv2::ExifKey(name));
    if (found == data_.end()) {
      return std::nullopt;
    }
    std::string text = CleanText(found->toString(), kExifTextBytesMax);
    return text.empty() ? std::nullopt : std::optional(std::move(text));
  }

  std::optional<double> Number(const char* name) const {
    const auto found = data_.findKey(Exiv2::ExifKey(name));
    if (found == data_.end() || found->count() == 0) {
      return std::nullopt;
    }
    const Exiv2::Rational rational = found->toRational(0);
    if (rational.second == 0) {
      return std::nullopt;
    }
    return static_cast<double>(rational.first) / rational.second;
  }

 private:
  Exiv2::ExifData data_;
};

std::optional<std::string> Camera(const Tags& tags) {
  auto make = tags.Text("Exif.Image.Make");
  auto model = tags.Text("Exif.Image.Model");
  if (!make || !model) {
    return model ? model : make;
  }
  // Many models name their maker already: "Canon", "Canon EOS R5".
  if (EqualsIgnoreCase(model->substr(0, make->size()), *make)) {
    return model;
  }
  return CleanText(StrCat(*make, " ", *model), kExifTextBytesMax);
}

std::optional<int32_t> Iso(const Tags& tags) {
  const auto iso = tags.Number("Exif.Photo.ISOSpeedRatings");
  return iso && *iso >= 1 && *iso <= 100'000'000 ? std::optional(static_cast<int32_t>(*iso))
                                                 : std::nullopt;
}

std::optional<std::string> ShutterSpeed(const Tags& tags) {
  const auto seconds = tags.Number("Exif.Photo.ExposureTime");
  if (!seconds || *seconds < 1e-7 || *seconds > 1e6) {
    return std::nullopt;
  }
  if (*seconds <= 0.3) {
    return StrCat("1/", std::lround(1 / *seconds));
  }
  const long tenths = std::lround(*seconds * 10);
  return tenths % 10 == 0 ? StrCat(tenths / 10) : StrCat(tenths / 10, ".", tenths % 10);
}

// EXIF writes "2024:05:01 10:11:12"; cameras without a set clock write spaces or zeros.
std::optional<std::string> TakenAt(const Tags& tags) {
  const auto text = tags.Text("Exif.Photo.DateTimeOriginal");
  int year = 0;
  int month = 0;
  int day = 0;
  int hour = 0;
  int minute = 0;
  int second = 0;
  char after = 0;
  if (!text || std::sscanf(text->c_str(), "%4d:%2d:%2d %2d:%2d:%2d%c", &year, &month, &day, &hour,
                           &minute, &second, &after) != 6) {
    return std::nullopt;
  }
  if (year < 1800 || month < 1 || month > 12 || day < 1 || day > 31 || hour < 0 || hour > 23 ||
      minute < 0 || minute > 59 || second < 0 || second > 60) {
    return std::nullopt;
  }
  char iso[64];
  std::snprintf(iso, sizeof(iso), "%04d-%02d-%02dT%02d:%02d:%02d", year, month, day, hour, minute,
                second);
  const auto offset = tags.Text("Exif.Photo.OffsetTimeOriginal");
  char sign = 0;
  if (offset && std::sscanf(offset->c_str(), "%c%2d:%2d%c", &sign, &hour, &minute, &after) == 3 &&
      (sign == '+' || sign == '-') && hour >= 0 && hour <= 14 && minute >= 0 && minute <= 59) {
    return StrCat(iso, *offset);
  }
  return iso;
}

}  // namespace

void SilenceExiv2() { Exiv2::LogMsg::setLevel(Exiv2::LogMsg::mute); }

Exif ReadExif(const vips::VImage& image, int orientation) {
  Exif exif;
  try {
    if (image.get_typeof(VIPS_META_EXIF_NAME) != 0) {
      size_t size = 0;
      const auto* bytes = static_cast<const char*>(image.get_blob(VIPS_META_EXIF_NAME, &size));
      std::string_view block(bytes, size);
      constexpr std::string_view kMark = "Exif\0\0"sv;
      block.remove_prefix(block.starts_with(kMark) ? kMark.size() : 0);
      const Tags tags(block);
      exif.camera = Camera(tags);
      exif.lens = tags.Text("Exif.Photo.LensModel");
      exif.iso = Iso(tags);
      exif.shutter_speed = ShutterSpeed(tags);
      exif.taken_at = TakenAt(tags);
    }
  } catch (const std::exception&) {
    exif = Exif();
    vips_error_clear();
  }
  exif.orientation = orientation;
  return exif;
}

}  // namespace tintype::darkroom
