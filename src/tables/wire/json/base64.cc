#include <array>
#include <cstdint>

#include "base/base64.h"
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

std::string DecodeBase64(std::string_view text) { return *ParseBase64(text); }

}  // namespace tintype::tables::wire
