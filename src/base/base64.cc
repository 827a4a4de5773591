#include "base/base64.h"

#include <array>
#include <cstdint>

namespace tintype {
namespace {

constexpr std::string_view kStandard =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::string_view kUrl =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr uint8_t kNoDigit = 0xFF;
using Reverse = std::array<uint8_t, 256>;

constexpr Reverse ReverseOf(std::string_view digits) {
  Reverse reverse{};
  reverse.fill(kNoDigit);
  for (size_t i = 0; i < digits.size(); ++i) {
    reverse[static_cast<uint8_t>(digits[i])] = static_cast<uint8_t>(i);
  }
  return reverse;
}
constexpr Reverse kStandardReverse = ReverseOf(kStandard);
constexpr Reverse kUrlReverse = ReverseOf(kUrl);

/// Without padding.
void AppendDigits(std::string& out, std::string_view bytes, std::string_view digits) {
  const auto byte_at = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<uint8_t>(bytes[i]));
  };
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    const uint32_t group = byte_at(i) << 16 | byte_at(i + 1) << 8 | byte_at(i + 2);
    out.push_back(digits[group >> 18]);
    out.push_back(digits[group >> 12 & 0x3F]);
    out.push_back(digits[group >> 6 & 0x3F]);
    out.push_back(digits[group & 0x3F]);
  }
  const size_t left = bytes.size() - i;
  if (left == 0) {
    return;
  }
  const uint32_t group = byte_at(i) << 16 | (left == 2 ? byte_at(i + 1) << 8 : 0);
  out.push_back(digits[group >> 18]);
  out.push_back(digits[group >> 12 & 0x3F]);
  if (left == 2) {
    out.push_back(digits[group >> 6 & 0x3F]);
  }
}

std::optional<std::string> Parse(std::string_view text, const Reverse& reverse, StrayBits stray) {
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const uint8_t digit = reverse[static_cast<uint8_t>(c)];
    if (digit == kNoDigit) {
      return std::nullopt;
    }
    bits = bits << 6 | digit;
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<char>(bits >> count & 0xFF));
    }
  }
  // Six bits left over are a digit too many.
  if (count == 6 || (stray == StrayBits::kRefused && (bits & ((1U << count) - 1)) != 0)) {
    return std::nullopt;
  }
  return bytes;
}

}  // namespace

void AppendBase64(std::string& out, std::string_view bytes) {
  AppendDigits(out, bytes, kStandard);
  out.append((3 - bytes.size() % 3) % 3, '=');
}

std::string Base64(std::string_view bytes) {
  std::string text;
  AppendBase64(text, bytes);
  return text;
}

std::optional<std::string> ParseBase64(std::string_view text, StrayBits stray) {
  const std::string_view padded = text;
  while (text.ends_with('=') && padded.size() - text.size() < 2) {
    text.remove_suffix(1);
  }
  const bool has_padding = text.size() < padded.size();
  return has_padding && padded.size() % 4 != 0 ? std::nullopt
                                               : Parse(text, kStandardReverse, stray);
}

std::string Base64Url(std::string_view bytes) {
  std::string text;
  AppendDigits(text, bytes, kUrl);
  return text;
}

std::optional<std::string> ParseBase64Url(std::string_view text) {
  return Parse(text, kUrlReverse, StrayBits::kRefused);
}

}  // namespace tintype
