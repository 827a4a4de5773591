#pragma once

#include <exiv2/exiv2.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace tintype::darkroom {

/// What exiv2 read out of one file, tag by tag, none of which need be there. Names are exiv2's,
/// such as "Exif.Photo.FNumber". Nothing here throws but for want of memory.
class ExifTags {
 public:
  ExifTags() = default;
  explicit ExifTags(Exiv2::ExifData data) : data_(std::move(data)) {}

  /// From an EXIF block, with or without the mark that JPEG puts before it, or from a whole TIFF
  /// file, which is the same thing. Empty when it cannot be read.
  static ExifTags FromBlock(std::string_view block);

  bool empty() const { return data_.empty(); }

  /// Clean, and at most kExifTextBytesMax bytes.
  std::optional<std::string> Text(const std::string& name) const;
  /// A number, or the `index`-th of several.
  std::optional<double> Number(const std::string& name, long index = 0) const;

 private:
  // Null when there is none.
  const Exiv2::Exifdatum* Find(const std::string& name) const;

  Exiv2::ExifData data_;
};

}  // namespace tintype::darkroom
