// What clients of streams send back: shard iterators and sequence numbers. Each text is refused, or
// is the only one for its place; each place has a text that leads back to it.

#include <cstdint>
#include <limits>
#include <string>

#include "base/check.h"
#include "input.h"
#include "tables/engine/changes/change_record.h"
#include "tables/engine/streams/shard_iterator.h"

namespace tintype::tables::engine {
namespace {

void CheckIteratorText(std::string_view text) {
  const Result<ShardIterator> iterator = ShardIterator::Decode(text);
  if (!iterator.ok()) {
    CHECK(iterator.error().kind() == ErrorKind::kValidation);
    return;
  }
  CHECK(iterator->shard < kShards);
  CHECK(!iterator->arn.empty());
  CHECK(iterator->Encode() == text);
}

void CheckNumberText(const std::string& text) {
  const Result<Position> position = FromSequenceNumber(text);
  if (!position.ok()) {
    CHECK(position.error().kind() == ErrorKind::kValidation);
    return;
  }
  CHECK(ToSequenceNumber(*position) == text);
  CHECK(*position + 1 > *position);
}

uint64_t MakePosition(fuzz::Input& input) {
  uint64_t number = 0;
  for (const char byte : input.Bytes(8)) {
    number = number << 8 | static_cast<uint8_t>(byte);
  }
  return number;
}

void CheckPlaces(fuzz::Input& input) {
  ShardIterator iterator;
  iterator.shard = input.Byte() % kShards;
  iterator.position = MakePosition(input);
  iterator.made_ms = static_cast<int64_t>(MakePosition(input));
  const Position other = MakePosition(input);
  iterator.arn = "a" + std::string(input.Rest());
  const Result<ShardIterator> again = ShardIterator::Decode(iterator.Encode());
  CHECK(again.ok());
  CHECK(again->arn == iterator.arn && again->shard == iterator.shard);
  CHECK(again->position == iterator.position && again->made_ms == iterator.made_ms);

  const SequenceNumber number = ToSequenceNumber(iterator.position);
  const Result<Position> position = FromSequenceNumber(number);
  CHECK(position.ok() == (iterator.position != std::numeric_limits<Position>::max()));
  CHECK(!position.ok() || *position == iterator.position);
  // Clients compare them as texts.
  CHECK((number < ToSequenceNumber(other)) == (iterator.position < other));
}

}  // namespace
}  // namespace tintype::tables::engine

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tintype::fuzz::Input input(data, size);
  switch (input.Byte() % 3) {
    case 0:
      tintype::tables::engine::CheckIteratorText(input.Rest());
      break;
    case 1:
      tintype::tables::engine::CheckNumberText(std::string(input.Rest()));
      break;
    default:
      tintype::tables::engine::CheckPlaces(input);
  }
  return 0;
}
