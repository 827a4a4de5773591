#include "tables/engine/changes/shard_iterator.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/strings.h"
#include "tables/engine/changes/change_record.h"

namespace tintype::tables::engine {
namespace {

constexpr size_t kSequenceDigits = 20;
constexpr size_t kHexDigits = 16;
constexpr std::string_view kVersion = "|1|";
constexpr size_t kTailBytes = kVersion.size() + 1 + 2 * kHexDigits;

}  // namespace

std::string PaddedNumber(uint64_t number, size_t width, int base) {
  char digits[20];
  const auto [end, error] = std::to_chars(std::begin(digits), std::end(digits), number, base);
  const auto count = static_cast<size_t>(end - digits);
  return std::string(width - std::min(width, count), '0').append(digits, count);
}

// The first digit keeps the others from being taken for an octal number or losing zeros.
SequenceNumber ToSequenceNumber(Position position) {
  return StrCat('1', PaddedNumber(position, kSequenceDigits));
}

Result<Position> FromSequenceNumber(const SequenceNumber& text) {
  Position position = 0;
  const char* const end = text.data() + text.size();
  if (text.size() == 1 + kSequenceDigits && text[0] == '1') {
    const auto [rest, error] = std::from_chars(text.data() + 1, end, position);
    if (error == std::errc() && rest == end && position != std::numeric_limits<Position>::max()) {
      return position;
    }
  }
  return Error::Validation(StrCat("Invalid SequenceNumber: ", text));
}

std::string ShardIterator::Encode() const {
  return StrCat(arn, kVersion, static_cast<int>(shard), PaddedNumber(position, kHexDigits, 16),
                PaddedNumber(static_cast<uint64_t>(made_ms), kHexDigits, 16));
}

Result<ShardIterator> ShardIterator::Decode(std::string_view text) {
  const Error invalid = Error::Validation("Invalid ShardIterator");
  if (text.size() <= kTailBytes) {
    return invalid;
  }
  ShardIterator iterator;
  iterator.arn = std::string(text.substr(0, text.size() - kTailBytes));
  const std::string_view tail = text.substr(iterator.arn.size() + kVersion.size());
  const auto parse = [](std::string_view hex, uint64_t& number) {
    const auto [rest, error] = std::from_chars(hex.data(), hex.data() + hex.size(), number, 16);
    return error == std::errc() && rest == hex.data() + hex.size();
  };
  iterator.shard = static_cast<uint8_t>(tail[0] - '0');
  uint64_t made = 0;
  if (iterator.shard >= kShards || !parse(tail.substr(1, kHexDigits), iterator.position) ||
      !parse(tail.substr(1 + kHexDigits), made)) {
    return invalid;
  }
  iterator.made_ms = static_cast<int64_t>(made);
  // One place has one text: other versions, and digits in other cases, are not ours.
  return iterator.Encode() == text ? Result<ShardIterator>(std::move(iterator)) : invalid;
}

}  // namespace tintype::tables::engine
