#include "blobs/blob_key.h"

#include <algorithm>
#include <cstdint>

#include "base/strings.h"
#include "blobs/internal/key_path.h"

namespace tintype::blobs {
namespace {

/// Takes the first code point off `text`. Returns -1 when that is not well-formed UTF-8: overlong,
/// a surrogate, above U+10FFFF, or cut short.
/// REQUIRES: `text` is not empty.
int32_t TakeCodePoint(std::string_view& text) {
  const auto lead = static_cast<uint8_t>(text[0]);
  const size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if ((lead >= 0x80 && lead < 0xC2) || lead > 0xF4 || text.size() < length) {
    return -1;
  }
  int32_t point = length == 1 ? lead : lead & (0x7F >> length);
  for (const char c : text.substr(1, length - 1)) {
    if ((static_cast<uint8_t>(c) & 0xC0) != 0x80) {
      return -1;
    }
    point = point << 6 | (c & 0x3F);
  }
  text.remove_prefix(length);
  constexpr int32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = point >= 0xD800 && point <= 0xDFFF;
  return point < kSmallest[length] || point > 0x10FFFF || surrogate ? -1 : point;
}

bool IsControl(int32_t point) { return point < 0x20 || (point >= 0x7F && point < 0xA0); }

Status ValidateComponent(std::string_view component) {
  if (component.empty() || component == "." || component == "..") {
    return Error::Validation(
        "A blob's key has no empty components and none that are \".\" or \"..\"");
  }
  if (EncodeComponent(component).size() > kFileNameBytesMax) {
    return Error::Validation(
        StrCat("A component of a blob's key takes at most ", kFileNameBytesMax, " bytes"));
  }
  return OkStatus();
}

/// Four numbers with dots between, whatever the numbers.
bool LooksLikeAddress(std::string_view name) {
  return std::ranges::count(name, '.') == 3 &&
         name.find_first_not_of("0123456789.") == std::string_view::npos;
}

}  // namespace

Status ValidateBucketName(std::string_view name) {
  const auto is_alphanumeric = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
  };
  const auto is_allowed = [&](char c) { return is_alphanumeric(c) || c == '-' || c == '.'; };
  if (name.size() < 3 || name.size() > 63 || !std::ranges::all_of(name, is_allowed) ||
      !is_alphanumeric(name.front()) || !is_alphanumeric(name.back()) ||
      name.find("..") != std::string_view::npos || LooksLikeAddress(name)) {
    return Error::Validation(
        "A bucket's name has 3 to 63 lower-case letters, digits, hyphens and single dots, begins "
        "and ends with a letter or digit, and is no IP address");
  }
  return OkStatus();
}

Status ValidateBlobKey(const BlobKey& key) {
  RETURN_IF_ERROR(ValidateBucketName(key.bucket));
  if (key.key.empty() || key.key.size() > kBlobKeyBytesMax) {
    return Error::Validation(StrCat("A blob's key has 1 to ", kBlobKeyBytesMax, " bytes"));
  }
  for (std::string_view rest = key.key; !rest.empty();) {
    const int32_t point = TakeCodePoint(rest);
    if (point < 0 || IsControl(point)) {
      return Error::Validation("A blob's key is UTF-8 without control characters");
    }
  }
  std::string_view rest = key.key;
  for (size_t slash = rest.find('/'); slash != std::string_view::npos; slash = rest.find('/')) {
    RETURN_IF_ERROR(ValidateComponent(rest.substr(0, slash)));
    rest.remove_prefix(slash + 1);
  }
  return ValidateComponent(rest);
}

}  // namespace tintype::blobs
