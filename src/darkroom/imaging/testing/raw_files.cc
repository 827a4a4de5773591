#include "darkroom/imaging/testing/raw_files.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace tintype::darkroom {
namespace {

using namespace std::literals;

// Tags of TIFF, by their numbers.
constexpr uint16_t kSubfileType = 254, kWidth = 256, kLength = 257, kBitsPerSample = 258,
                   kCompression = 259, kPhotometric = 262, kMake = 271, kModel = 272,
                   kStripOffsets = 273, kOrientation = 274, kSamplesPerPixel = 277,
                   kRowsPerStrip = 278, kStripByteCounts = 279, kSubDirectories = 330,
                   kJpegOffset = 513, kJpegLength = 514, kDngVersion = 50706, kRw2Preview = 46,
                   kRw2Width = 2, kRw2Height = 3, kExifDirectory = 34665, kGpsDirectory = 34853,
                   kAperture = 33437, kTakenAt = 36867, kLatitudeRef = 1, kLatitude = 2,
                   kLongitudeRef = 3, kLongitude = 4, kAltitudeRef = 5, kAltitude = 6;
constexpr uint32_t kColorFilterArray = 32803;

std::string LittleEndian(uint32_t value, size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i) {
    text.push_back(static_cast<char>(value >> (8 * i)));
  }
  return text;
}

std::string BigEndian(uint32_t value, size_t bytes) {
  std::string text = LittleEndian(value, bytes);
  std::ranges::reverse(text);
  return text;
}

/// One entry of a directory.
struct Entry {
  uint16_t tag;
  uint16_t type;
  uint32_t count;
  std::string value;
};
Entry Short(uint16_t tag, uint32_t value) { return {tag, 3, 1, LittleEndian(value, 2)}; }
Entry Long(uint16_t tag, uint32_t value) { return {tag, 4, 1, LittleEndian(value, 4)}; }
Entry Longs(uint16_t tag, const std::vector<uint32_t>& values) {
  Entry entry = {tag, 4, static_cast<uint32_t>(values.size()), ""};
  for (const uint32_t value : values) {
    entry.value += LittleEndian(value, 4);
  }
  return entry;
}
Entry Bytes(uint16_t tag, std::string value) {
  const auto count = static_cast<uint32_t>(value.size());
  return {tag, 7, count, std::move(value)};
}
Entry Text(uint16_t tag, std::string value) {
  value.push_back('\0');
  const auto count = static_cast<uint32_t>(value.size());
  return {tag, 2, count, std::move(value)};
}

/// A little-endian TIFF, written from its leaves to the first directory, which the header points
/// at.
class TiffWriter {
 public:
  /// `header` has the offset of the first directory in its bytes 4 to 7.
  explicit TiffWriter(std::string header) : bytes_(std::move(header)) {}

  uint32_t Append(std::string_view data) {
    const auto offset = static_cast<uint32_t>(bytes_.size());
    bytes_.append(data);
    bytes_.append(bytes_.size() % 2, '\0');
    return offset;
  }

  uint32_t AppendDirectory(std::vector<Entry> entries) {
    return Append(EncodeDirectory(std::move(entries)));
  }

  std::string Finish(std::vector<Entry> first) && {
    bytes_.replace(4, 4, LittleEndian(AppendDirectory(std::move(first)), 4));
    return std::move(bytes_);
  }
  /// With the first directory at a place that was left free for it.
  std::string FinishAt(size_t offset, std::vector<Entry> first) && {
    const std::string directory = EncodeDirectory(std::move(first));
    bytes_.replace(offset, directory.size(), directory);
    return std::move(bytes_);
  }

 private:
  /// Appends the values that have no room in it.
  std::string EncodeDirectory(std::vector<Entry> entries) {
    std::ranges::sort(entries, {}, &Entry::tag);
    std::string directory = LittleEndian(static_cast<uint32_t>(entries.size()), 2);
    for (const Entry& entry : entries) {
      directory +=
          LittleEndian(entry.tag, 2) + LittleEndian(entry.type, 2) + LittleEndian(entry.count, 4);
      const bool fits = entry.value.size() <= 4;
      directory += fits ? entry.value + std::string(4 - entry.value.size(), '\0')
                        : LittleEndian(Append(entry.value), 4);
    }
    return directory + LittleEndian(0, 4);
  }

  std::string bytes_;
};

constexpr std::string_view kTiffHeader = "II*\0\0\0\0\0"sv;

std::vector<Entry> CameraEntries(const RawOptions& options, std::string make = "ACME") {
  return {Text(kMake, std::move(make)), Text(kModel, "Raw One"),
          Short(kOrientation, options.orientation)};
}

/// What a sensor of 16 x 16 pixels saw.
uint32_t AppendSensor(TiffWriter& writer) {
  const std::string pixels(16 * 16 * 2, '\x2A');
  return writer.AppendDirectory(
      {Long(kSubfileType, 0), Long(kWidth, 16), Long(kLength, 16), Short(kBitsPerSample, 16),
       Short(kCompression, 1), Short(kPhotometric, kColorFilterArray), Short(kSamplesPerPixel, 1),
       Long(kRowsPerStrip, 16), Long(kStripOffsets, writer.Append(pixels)),
       Long(kStripByteCounts, static_cast<uint32_t>(pixels.size()))});
}

/// A picture whose only strip is a JPEG file.
std::vector<Entry> JpegPicture(TiffWriter& writer, std::string_view jpeg, int width, int height,
                               uint32_t compression) {
  constexpr uint32_t kYcc = 6;
  return {Long(kSubfileType, 1),
          Long(kWidth, static_cast<uint32_t>(width)),
          Long(kLength, static_cast<uint32_t>(height)),
          {kBitsPerSample, 3, 3, "\x08\0\x08\0\x08\0"s},
          Short(kCompression, compression),
          Short(kPhotometric, kYcc),
          Short(kSamplesPerPixel, 3),
          Long(kRowsPerStrip, static_cast<uint32_t>(height)),
          Long(kStripOffsets, writer.Append(jpeg)),
          Long(kStripByteCounts, static_cast<uint32_t>(jpeg.size()))};
}

std::vector<Entry> Join(std::vector<Entry> one, std::vector<Entry> other) {
  std::ranges::move(other, std::back_inserter(one));
  return one;
}

/// A TIFF, maybe of another name, whose first directory points at the preview.
std::string WithJpegPointer(std::string header, std::vector<Entry> entries,
                            const RawOptions& options) {
  TiffWriter writer(std::move(header));
  if (!options.preview.empty()) {
    entries.push_back(Long(kJpegOffset, writer.Append(options.preview)));
    entries.push_back(Long(kJpegLength, static_cast<uint32_t>(options.preview.size())));
  }
  entries.push_back(Longs(kSubDirectories, {AppendSensor(writer)}));
  return std::move(writer).Finish(std::move(entries));
}

}  // namespace

std::string Dng(const RawOptions& options, std::string_view smaller_preview) {
  TiffWriter writer{std::string(kTiffHeader)};
  std::vector<uint32_t> directories = {AppendSensor(writer)};
  if (!smaller_preview.empty()) {
    directories.push_back(writer.AppendDirectory(
        JpegPicture(writer, smaller_preview, options.width / 4, options.height / 4, 7)));
  }
  if (!options.preview.empty()) {
    directories.push_back(writer.AppendDirectory(
        JpegPicture(writer, options.preview, options.width, options.height, 7)));
  }
  return std::move(writer).Finish(
      Join(CameraEntries(options), {Bytes(kDngVersion, "\x01\x04\0\0"s), Long(kSubfileType, 1),
                                    Longs(kSubDirectories, directories)}));
}

std::string Nef(const RawOptions& options) {
  TiffWriter writer{std::string(kTiffHeader)};
  std::vector<uint32_t> directories;
  if (!options.preview.empty()) {
    directories.push_back(writer.AppendDirectory(
        {Long(kSubfileType, 1), Long(kJpegOffset, writer.Append(options.preview)),
         Long(kJpegLength, static_cast<uint32_t>(options.preview.size()))}));
  }
  directories.push_back(AppendSensor(writer));
  return std::move(writer).Finish(
      Join(CameraEntries(options), {Long(kSubfileType, 1), Longs(kSubDirectories, directories)}));
}

std::string Cr2(const RawOptions& options) {
  // Readers want the first directory right behind the header, which is longer than TIFF's.
  constexpr size_t kHeaderBytes = 16;
  constexpr size_t kDirectoryBytes = 2 + 13 * 12 + 4;
  TiffWriter writer("II*\0\x10\0\0\0CR\x02\0\0\0\0\0"s + std::string(kDirectoryBytes, '\0'));
  std::vector<Entry> entries = CameraEntries(options);
  if (!options.preview.empty()) {
    entries = Join(std::move(entries),
                   JpegPicture(writer, options.preview, options.width, options.height, 6));
  }
  return std::move(writer).FinishAt(kHeaderBytes, std::move(entries));
}

std::string Orf(const RawOptions& options) {
  return WithJpegPointer("IIRO\0\0\0\0"s, CameraEntries(options), options);
}

std::string Arw(const RawOptions& options) {
  return WithJpegPointer(std::string(kTiffHeader), CameraEntries(options, "SONY"), options);
}

std::string Rw2(const RawOptions& options) {
  TiffWriter writer("IIU\0\x18\0\0\0"s + std::string(16, '\0'));
  std::vector<Entry> entries = CameraEntries(options);
  entries.push_back(Short(kRw2Width, 16));
  entries.push_back(Short(kRw2Height, 16));
  if (!options.preview.empty()) {
    entries.push_back(Bytes(kRw2Preview, options.preview));
  }
  return std::move(writer).Finish(std::move(entries));
}

std::string Raf(const RawOptions& options) {
  const std::string exif =
      "Exif\0\0"s + TiffWriter(std::string(kTiffHeader)).Finish(CameraEntries(options, "FUJIFILM"));
  // Readers want the EXIF first, where libjpeg has a mark of its own.
  const auto marker_bytes = static_cast<uint32_t>(exif.size() + 2);
  const std::string jpeg = "\xFF\xD8\xFF\xE1"s + BigEndian(marker_bytes, 2) + exif +
                           options.preview.substr(std::min<size_t>(2, options.preview.size()));
  TiffWriter sensor{std::string(kTiffHeader)};
  const uint32_t picture = AppendSensor(sensor);
  const std::string pixels = std::move(sensor).Finish({Longs(kSubDirectories, {picture})});
  constexpr uint32_t kPreviewAt = 148;
  const auto jpeg_bytes = static_cast<uint32_t>(jpeg.size());
  const auto pixel_bytes = static_cast<uint32_t>(pixels.size());
  // The camera's number and name, the version, and where the preview, the sensor's description and
  // its pixels are.
  std::string header = "FUJIFILMCCD-RAW 0201FF12345 Raw One"s;
  header.resize(60, '\0');
  header += "0100"s + std::string(20, '\0') + BigEndian(kPreviewAt, 4) + BigEndian(jpeg_bytes, 4) +
            BigEndian(0, 4) + BigEndian(0, 4) + BigEndian(kPreviewAt + jpeg_bytes, 4) +
            BigEndian(pixel_bytes, 4);
  header.resize(kPreviewAt, '\0');
  return header + jpeg + pixels;
}

std::string TiffWithExif() {
  TiffWriter writer{std::string(kTiffHeader)};
  std::string pixels;
  for (int i = 0; i < 8 * 8; ++i) {
    pixels += "\xC8\x1E\x1E";
  }
  const auto rationals = [](uint16_t tag, const std::vector<uint32_t>& values) {
    Entry entry = {tag, 5, static_cast<uint32_t>(values.size()), ""};
    for (const uint32_t value : values) {
      entry.value += LittleEndian(value, 4) + LittleEndian(10, 4);
    }
    return entry;
  };
  const uint32_t exif =
      writer.AppendDirectory({rationals(kAperture, {28}), Text(kTakenAt, "2024:05:01 10:11:12")});
  const uint32_t gps = writer.AppendDirectory({Text(kLatitudeRef, "N"),
                                               rationals(kLatitude, {525, 0, 0}),
                                               Text(kLongitudeRef, "W"),
                                               rationals(kLongitude, {134, 0, 0}),
                                               {kAltitudeRef, 1, 1, "\x01"},
                                               rationals(kAltitude, {430})});
  const uint32_t strip = writer.Append(pixels);
  return std::move(writer).Finish(
      Join(CameraEntries({}), {Long(kWidth, 8),
                               Long(kLength, 8),
                               {kBitsPerSample, 3, 3, "\x08\0\x08\0\x08\0"s},
                               Short(kCompression, 1),
                               Short(kPhotometric, 2),
                               Short(kSamplesPerPixel, 3),
                               Long(kRowsPerStrip, 8),
                               Long(kStripOffsets, strip),
                               Long(kStripByteCounts, static_cast<uint32_t>(pixels.size())),
                               Long(kExifDirectory, exif),
                               Long(kGpsDirectory, gps)}));
}

std::string TiffBomb(uint32_t side) {
  constexpr uint32_t kDeflate = 8;
  constexpr uint32_t kRgb = 2;
  TiffWriter writer{std::string(kTiffHeader)};
  const std::string pixels(64, '\0');
  const uint32_t strip = writer.Append(pixels);
  return std::move(writer).Finish({Long(kWidth, side),
                                   Long(kLength, side),
                                   {kBitsPerSample, 3, 3, "\x08\0\x08\0\x08\0"s},
                                   Short(kCompression, kDeflate),
                                   Short(kPhotometric, kRgb),
                                   Short(kSamplesPerPixel, 3),
                                   Long(kRowsPerStrip, side),
                                   Long(kStripOffsets, strip),
                                   Long(kStripByteCounts, static_cast<uint32_t>(pixels.size()))});
}

}  // namespace tintype::darkroom
