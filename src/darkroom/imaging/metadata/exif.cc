#include "darkroom/imaging/metadata/exif.h"

#include <cmath>
#include <cstdio>
#include <exception>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom {
namespace {

std::optional<std::string> Camera(const ExifTags& tags) {
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

/// A number that lies within what can be; at most a tenth of a unit is kept of it.
std::optional<double> Between(std::optional<double> number, double min, double max) {
  if (!number || !(*number >= min && *number <= max)) {
    return std::nullopt;
  }
  return std::round(*number * 10) / 10;
}

std::optional<int32_t> Iso(const ExifTags& tags) {
  const auto iso = Between(tags.Number("Exif.Photo.ISOSpeedRatings"), 1, kIsoMax);
  return iso ? std::optional(static_cast<int32_t>(*iso)) : std::nullopt;
}

std::optional<std::string> ShutterSpeed(const ExifTags& tags) {
  const auto seconds = tags.Number("Exif.Photo.ExposureTime");
  if (!seconds || !(*seconds >= 1e-7 && *seconds <= 1e6)) {
    return std::nullopt;
  }
  if (*seconds <= 0.3) {
    return StrCat("1/", std::lround(1 / *seconds));
  }
  const long tenths = std::lround(*seconds * 10);
  return tenths % 10 == 0 ? StrCat(tenths / 10) : StrCat(tenths / 10, ".", tenths % 10);
}

// EXIF writes "2024:05:01 10:11:12"; cameras without a set clock write spaces or zeros.
std::optional<std::string> TakenAt(const ExifTags& tags) {
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

// Degrees, minutes and seconds, with a letter for the half of the globe.
std::optional<double> Coordinate(const ExifTags& tags, const std::string& name, double max,
                                 std::string_view positive, std::string_view negative) {
  const auto reference = tags.Text(StrCat(name, "Ref"));
  const auto degrees = tags.Number(name, 0);
  if (!degrees || (reference != positive && reference != negative)) {
    return std::nullopt;
  }
  const double minutes = tags.Number(name, 1).value_or(0);
  const double seconds = tags.Number(name, 2).value_or(0);
  const double value = *degrees + minutes / 60 + seconds / 3600;
  if (!(*degrees >= 0 && minutes >= 0 && minutes < 60 && seconds >= 0 && seconds < 60 &&
        value <= max)) {
    return std::nullopt;
  }
  return reference == positive ? value : -value;
}

std::optional<GpsPosition> PlaceOf(const ExifTags& tags) {
  const auto latitude = Coordinate(tags, "Exif.GPSInfo.GPSLatitude", 90, "N", "S");
  const auto longitude = Coordinate(tags, "Exif.GPSInfo.GPSLongitude", 180, "E", "W");
  // A receiver that has found nothing yet writes zeros.
  if (!latitude || !longitude || (*latitude == 0 && *longitude == 0)) {
    return std::nullopt;
  }
  GpsPosition place = {*latitude, *longitude, {}};
  place.altitude = Between(tags.Number("Exif.GPSInfo.GPSAltitude"), 0, kAltitudeMax);
  if (place.altitude && tags.Number("Exif.GPSInfo.GPSAltitudeRef") == 1) {
    place.altitude = -*place.altitude;
  }
  return place;
}

}  // namespace

void SilenceExiv2() { Exiv2::LogMsg::setLevel(Exiv2::LogMsg::mute); }

ExifData ReadExif(const ExifTags& tags, int orientation) {
  ExifData exif;
  try {
    exif.camera = Camera(tags);
    exif.lens = tags.Text("Exif.Photo.LensModel");
    exif.iso = Iso(tags);
    exif.shutter_speed = ShutterSpeed(tags);
    exif.aperture = Between(tags.Number("Exif.Photo.FNumber"), 0.1, kApertureMax);
    exif.focal_length = Between(tags.Number("Exif.Photo.FocalLength"), 0.1, kFocalLengthMax);
    exif.taken_at = TakenAt(tags);
    exif.place = PlaceOf(tags);
  } catch (const std::exception&) {
    exif = ExifData();
  }
  exif.orientation = orientation;
  return exif;
}

}  // namespace tintype::darkroom
