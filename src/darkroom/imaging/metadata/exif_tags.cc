#include "darkroom/imaging/metadata/exif_tags.h"

#include <exception>
#include <utility>

#include "darkroom/protocol/clean_text.h"
#include "darkroom/requests.h"

namespace tintype::darkroom {

using namespace std::literals;

ExifTags ExifTags::FromBlock(std::string_view block) {
  constexpr std::string_view kMark = "Exif\0\0"sv;
  block.remove_prefix(block.starts_with(kMark) ? kMark.size() : 0);
  Exiv2::ExifData data;
  try {
    Exiv2::ExifParser::decode(data, reinterpret_cast<const Exiv2::byte*>(block.data()),
                              static_cast<uint32_t>(block.size()));
  } catch (const std::exception&) {
    return {};
  }
  return ExifTags(std::move(data));
}

const Exiv2::Exifdatum* ExifTags::Find(const std::string& name) const {
  try {
    const auto found = data_.findKey(Exiv2::ExifKey(name));
    return found == data_.end() ? nullptr : &*found;
  } catch (const std::exception&) {
    return nullptr;
  }
}

std::optional<std::string> ExifTags::Text(const std::string& name) const {
  const Exiv2::Exifdatum* found = Find(name);
  if (found == nullptr) {
    return std::nullopt;
  }
  std::string text = CleanText(found->toString(), kExifTextBytesMax);
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

std::optional<double> ExifTags::Number(const std::string& name, long index) const {
  const Exiv2::Exifdatum* found = Find(name);
  if (found == nullptr || found->count() <= index) {
    return std::nullopt;
  }
  switch (found->typeId()) {
    case Exiv2::unsignedRational:
    case Exiv2::signedRational: {
      const Exiv2::Rational rational = found->toRational(index);
      // Unsigned ones above half of their range come out negative; nothing is measured that large.
      if (rational.second == 0) {
        return std::nullopt;
      }
      return static_cast<double>(rational.first) / rational.second;
    }
    case Exiv2::unsignedByte:
    case Exiv2::unsignedShort:
    case Exiv2::unsignedLong:
    case Exiv2::signedByte:
    case Exiv2::signedShort:
    case Exiv2::signedLong:
      return static_cast<double>(found->toLong(index));
    default:
      return std::nullopt;
  }
}

}  // namespace tintype::darkroom
