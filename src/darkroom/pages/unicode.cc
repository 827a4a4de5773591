#include "darkroom/pages/unicode.h"

#include <cstddef>
#include <cstdint>

namespace tintype::darkroom::pages {
namespace {

bool IsHighSurrogate(char32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool IsLowSurrogate(char32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

struct Decoded {
  char32_t character = kReplacement;
  size_t length = 0;  // 0 for what is not UTF-8.
  bool cut = false;
};

Decoded DecodeOne(std::string_view bytes) {
  const auto first = static_cast<unsigned char>(bytes[0]);
  if (first < 0x80) {
    return {first, 1};
  }
  const size_t length = (first & 0xE0U) == 0xC0 ? 2 : (first & 0xF0U) == 0xE0 ? 3 : 4;
  constexpr char32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  if (first < 0xC2 || first > 0xF4) {
    return {};
  }
  char32_t character = first & (0x7FU >> length);
  for (size_t i = 1; i < length; ++i) {
    if (i == bytes.size()) {
      return {.cut = true};
    }
    const auto byte = static_cast<unsigned char>(bytes[i]);
    if ((byte & 0xC0U) != 0x80) {
      return {};
    }
    character = character << 6 | (byte & 0x3FU);
  }
  const bool is_surrogate = character >= 0xD800 && character < 0xE000;
  if (character < kSmallest[length] || character > 0x10FFFF || is_surrogate) {
    return {};
  }
  return {character, length};
}

}  // namespace

std::u32string DecodeUtf16(std::u16string_view units) {
  std::u32string characters;
  characters.reserve(units.size());
  for (size_t i = 0; i < units.size(); ++i) {
    const char32_t unit = units[i];
    if (IsHighSurrogate(unit) && i + 1 < units.size() && IsLowSurrogate(units[i + 1])) {
      characters.push_back(0x10000 + ((unit - 0xD800) << 10) + (units[i + 1] - 0xDC00U));
      ++i;
    } else {
      characters.push_back(unit >= 0xD800 && unit < 0xE000 ? kReplacement : unit);
    }
  }
  return characters;
}

std::u32string DecodeUtf8(std::string_view bytes) {
  std::u32string characters;
  characters.reserve(bytes.size());
  while (!bytes.empty()) {
    const Decoded decoded = DecodeOne(bytes);
    if (decoded.cut) {
      break;
    }
    if (decoded.length == 0) {
      return {};
    }
    characters.push_back(decoded.character);
    bytes.remove_prefix(decoded.length);
  }
  return characters;
}

bool IsControl(char32_t character) {
  return character < 0x20 || (character >= 0x7F && character < 0xA0);
}

void AppendUtf8(std::string& text, char32_t character) {
  if (IsControl(character) && character != '\t' && character != '\n') {
    character = ' ';
  }
  const auto append = [&](char32_t byte) { text.push_back(static_cast<char>(byte)); };
  const auto follow = [&](int shift) { append(0x80U | ((character >> shift) & 0x3FU)); };
  if (character < 0x80) {
    append(character);
  } else if (character < 0x800) {
    append(0xC0U | character >> 6);
    follow(0);
  } else if (character < 0x10000) {
    append(0xE0U | character >> 12);
    follow(6);
    follow(0);
  } else {
    append(0xF0U | character >> 18);
    follow(12);
    follow(6);
    follow(0);
  }
}

}  // namespace tintype::darkroom::pages
