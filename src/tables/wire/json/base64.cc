#include <array>
#include <cstdint>

#include "base/strings.h"
#include "tables/language/errors.h"
#include "tables/wire/internal/base64.h"

namespace tintype::tables::wire {

namespace {

constexpr std::string_view kAlphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kInvalid = 0xFF;

constexpr std::array<uint8_t, 256> MakeReverse() {
  std::array<uint8_t, 256> reverse{};
  reverse.fill(kInvalid);
  for (size_t i = 0; i < kAlphabet.size(); ++i) {
    reverse[static_cast<uint8_t>(kAlphabet[i])] = static_cast<uint8_t>(i);
  }
  return reverse;
}
constexpr std::array<uint8_t, 256> kReverse = MakeReverse();

uint32_t Sextet(char c) { return kReverse[static_cast<uint8_t>(c)]; }

size_t PaddingOf(std::string_view text) {
  return text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
}

}  // namespace

Status CheckBase64(std::string_view text) {
  if (text.size() % 4 != 0) {
    return tables::SerializationError(
        StrCat("Base64 encoded length is expected a multiple of 4 bytes but found: ", text.size()));
  }
  const std::string_view digits = text.substr(0, text.size() - PaddingOf(text));
  for (const char c : digits) {
    if (Sextet(c) == kInvalid) {
      // A byte of a longer character would not be text by itself.
      const std::string_view shown = c >= 0x20 && c < 0x7F ? std::string_view(&c, 1) : "?";
      return tables::SerializationError(StrCat("Invalid Base64 character: '", shown, "'"));
    }
  }
  // The bits of the last digit that no byte takes must be zero, so that one value has one text.
  const uint32_t unused_bits = digits.size() % 4 == 2 ? 0xF : digits.size() % 4 == 3 ? 0x3 : 0;
  if (unused_bits != 0 && (Sextet(digits.back()) & unused_bits) != 0) {
    // The misspelling is DynamoDB's.
    return tables::SerializationError("Invalid last non-pad Base64 character dectected");
  }
  return OkStatus();
}

std::string DecodeBase64(std::string_view text) {
  const std::string_view digits = text.substr(0, text.size() - PaddingOf(text));
  std::string bytes;
  bytes.reserve(digits.size() / 4 * 3 + 2);
  uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : digits) {
    bits = bits << 6 | Sextet(c);
    bit_count += 6;
    if (bit_count >= 8) {
      bit_count -= 8;
      bytes.push_back(static_cast<char>(bits >> bit_count & 0xFF));
    }
  }
  return bytes;
}

void AppendBase64(std::string& out, std::string_view bytes) {
  const auto byte_at = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<uint8_t>(bytes[i]));
  };
  out.reserve(out.size() + (bytes.size() + 2) / 3 * 4);
  size_t i = 0;
  for (; i + 3 <= bytes.size(); i += 3) {
    const uint32_t group = byte_at(i) << 16 | byte_at(i + 1) << 8 | byte_at(i + 2);
    out.push_back(kAlphabet[group >> 18]);
    out.push_back(kAlphabet[group >> 12 & 0x3F]);
    out.push_back(kAlphabet[group >> 6 & 0x3F]);
    out.push_back(kAlphabet[group & 0x3F]);
  }
  const size_t left = bytes.size() - i;
  if (left == 0) {
    return;
  }
  const uint32_t group = byte_at(i) << 16 | (left == 2 ? byte_at(i + 1) << 8 : 0);
  out.push_back(kAlphabet[group >> 18]);
  out.push_back(kAlphabet[group >> 12 & 0x3F]);
  out.push_back(left == 2 ? kAlphabet[group >> 6 & 0x3F] : '=');
  out.push_back('=');
}

}  // namespace tintype::tables::wire
