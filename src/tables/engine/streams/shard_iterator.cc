#include "tables/engine/streams/shard_iterator.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/numbers.h"
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

std::string ShardId(Position stream_begin, uint8_t shard) {
  return StrCat("shardId-", PaddedNumber(static_cast<uint64_t>(TimeOf(stream_begin)), 20), "-",
                PaddedNumber(shard, 8, 16));
}

// The first digit keeps the others from being taken for an octal number or losing zeros.
SequenceNumber ToSequenceNumber(Position position) {
  return StrCat('1', PaddedNumber(position, kSequenceDigits));
}

Result<Position> FromSequenceNumber(const SequenceNumber& text) {
  if (text.size() == 1 + kSequenceDigits && text[0] == '1') {
    const auto position = ParseInteger<Position>(std::string_view(text).substr(1));
    if (position && *position != std::numeric_limits<Position>::max()) {
      return *position;
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
  iterator.shard = static_cast<uint8_t>(tail[0] - '0');
  const auto position = ParseInteger<Position>(tail.substr(1, kHexDigits), 16);
  const auto made = ParseInteger<uint64_t>(tail.substr(1 + kHexDigits), 16);
  if (iterator.shard >= kShards || !position || !made) {
    return invalid;
  }
  iterator.position = *position;
  iterator.made_ms = static_cast<int64_t>(*made);
  // One place has one text: other versions, and digits in other cases, are not ours.
  return iterator.Encode() == text ? Result<ShardIterator>(std::move(iterator)) : invalid;
}

}  // namespace tintype::tables::engine
