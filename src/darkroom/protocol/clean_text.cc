#include "darkroom/protocol/clean_text.h"

#include <cstdint>

namespace tintype::darkroom {
namespace {

// The length of the character that begins at `bytes`, or 0 when it is not a clean one.
size_t CleanCharacterLength(std::string_view bytes) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) {
    return first >= 0x20 && first != 0x7F ? 1 : 0;
  }
  size_t length = 0;
  uint32_t smallest = 0;
  uint32_t character = 0;
  if ((first & 0xE0) == 0xC0) {
    length = 2;
    smallest =
        0xA0;  // Below are the overlong forms, and U+0080 to U+009F, which are control characters.
    character = first & 0x1FU;
  } else if ((first & 0xF0) == 0xE0) {
    length = 3;
    smallest = 0x800;
    character = first & 0x0FU;
  } else if ((first & 0xF8) == 0xF0) {
    length = 4;
    smallest = 0x10000;
    character = first & 0x07U;
  }
  if (length == 0 || bytes.size() < length) {
    return 0;
  }
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) {
      return 0;
    }
    character = (character << 6) | (byte(i) & 0x3FU);
  }
  const bool surrogate = character >= 0xD800 && character <= 0xDFFF;
  return character < smallest || character > 0x10FFFF || surrogate ? 0 : length;
}

}  // namespace

bool IsCleanUtf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const size_t length = CleanCharacterLength(bytes);
    if (length == 0) {
      return false;
    }
    bytes.remove_prefix(length);
  }
  return true;
}

std::string CleanText(std::string_view bytes, size_t bytes_max) {
  std::string clean;
  bytes = bytes.substr(0, bytes.find('\0'));
  while (!bytes.empty()) {
    const size_t length = CleanCharacterLength(bytes);
    const std::string_view character = length == 0 ? " " : bytes.substr(0, length);
    if (clean.size() + character.size() > bytes_max) {
      break;
    }
    // Never two spaces in a row, nor one at the beginning.
    if (character != " " || (!clean.empty() && clean.back() != ' ')) {
      clean.append(character);
    }
    bytes.remove_prefix(character.size());
  }
  while (clean.ends_with(' ')) {
    clean.pop_back();
  }
  return clean;
}

}  // namespace tintype::darkroom
