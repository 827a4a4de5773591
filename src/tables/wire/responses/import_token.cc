#include "tables/wire/internal/import_token.h"

#include <cstddef>

namespace tintype::tables::wire {

namespace {

constexpr size_t kBytesMin = 112 / 2;
constexpr size_t kGroupBytes = 16 / 2;
constexpr std::string_view kDigits = "0123456789abcdef";

unsigned DigitValue(char digit) { return static_cast<unsigned>(kDigits.find(digit)); }

}  // namespace

// Filled up with zero bytes, which no token has.
std::string EncodeImportToken(std::string_view token) {
  std::string bytes(token);
  while (bytes.size() < kBytesMin || bytes.size() % kGroupBytes != 0) {
    bytes.push_back('\0');
  }
  std::string text;
  for (const char byte : bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text.push_back(kDigits[value >> 4]);
    text.push_back(kDigits[value & 15]);
  }
  return text;
}

std::string DecodeImportToken(std::string_view text) {
  std::string token;
  for (size_t i = 0; i + 1 < text.size(); i += 2) {
    token.push_back(static_cast<char>(DigitValue(text[i]) << 4 | DigitValue(text[i + 1])));
  }
  while (token.ends_with('\0')) {
    token.pop_back();
  }
  return token;
}

}  // namespace tintype::tables::wire
