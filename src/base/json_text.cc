#include "base/json_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/strings.h"

namespace tintype {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// How many bytes the character at the front of a text has; 0 if it begins with none (RFC 3629).
size_t CharacterBytes(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) {
    return 1;
  }
  const size_t size = byte(0) < 0xC2 ? 0 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : 4;
  if (size == 0 || byte(0) > 0xF4 || text.size() < size) {
    return 0;
  }
  for (size_t i = 1; i < size; ++i) {
    if (byte(i) < 0x80 || byte(i) > 0xBF) {
      return 0;
    }
  }
  // Longer than need be, a half of a surrogate pair, or beyond the last character.
  const bool excluded = (byte(0) == 0xE0 && byte(1) < 0xA0) ||
                        (byte(0) == 0xED && byte(1) > 0x9F) ||
                        (byte(0) == 0xF0 && byte(1) < 0x90) || (byte(0) == 0xF4 && byte(1) > 0x8F);
  return excluded ? 0 : size;
}

/// The first character of a text, which is then without it.
std::string_view TakeCharacter(std::string_view& text) {
  const size_t size = CharacterBytes(text);
  const std::string_view character = size == 0 ? kReplacement : text.substr(0, size);
  text.remove_prefix(std::max<size_t>(size, 1));
  return character;
}

bool IsPlain(char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }

/// Whether eight bytes are plain. Each term has the highest bit of some byte set if any byte is
/// what it looks for.
bool ArePlain(uint64_t bytes) {
  constexpr uint64_t kOnes = 0x0101'0101'0101'0101;
  constexpr uint64_t kHighest = 0x80 * kOnes;
  const uint64_t quotes = bytes ^ '"' * kOnes;
  const uint64_t backslashes = bytes ^ '\\' * kOnes;
  const uint64_t controls = (bytes - 0x20 * kOnes) & ~bytes;
  const uint64_t special = ((quotes - kOnes) & ~quotes) | ((backslashes - kOnes) & ~backslashes);
  return ((bytes | controls | special) & kHighest) == 0;
}

/// How many bytes at the front of a text certainly stand for themselves.
size_t PlainBytes(std::string_view text) {
  size_t plain = 0;
  for (uint64_t bytes = 0; plain + sizeof bytes <= text.size(); plain += sizeof bytes) {
    std::memcpy(&bytes, text.data() + plain, sizeof bytes);
    if (!ArePlain(bytes)) {
      break;
    }
  }
  while (plain < text.size() && IsPlain(text[plain])) {
    ++plain;
  }
  return plain;
}

}  // namespace

std::string ValidUtf8(std::string_view text) {
  std::string valid;
  while (!text.empty()) {
    valid.append(TakeCharacter(text));
  }
  return valid;
}

size_t CountCharacters(std::string_view text) {
  size_t count = 0;
  for (; !text.empty(); ++count) {
    TakeCharacter(text);
  }
  return count;
}

void AppendJsonText(std::string& out, std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  out.push_back('"');
  while (!text.empty()) {
    // Most texts are plain from beginning to end, and are copied at once.
    const size_t plain = PlainBytes(text);
    out.append(text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) {
      break;
    }
    const std::string_view character = TakeCharacter(text);
    const auto first = static_cast<unsigned char>(character[0]);
    if (first < 0x20) {
      StrAppend(out, "\\u00", kDigits[first >> 4], kDigits[first & 15]);
    } else {
      StrAppend(out, first == '"' || first == '\\' ? "\\" : "", character);
    }
  }
  out.push_back('"');
}

}  // namespace tintype
