#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tables/engine/changes/position.h"
#include "tables/language/streams.h"

/// The texts by which clients of streams name places in the change log. All functions are pure.
namespace tintype::tables::engine {

/// With zeros in front, `width` digits at least.
std::string PaddedNumber(uint64_t number, size_t width, int base = 10);

/// Of the same length for all positions, so that they sort as texts as they do as numbers.
SequenceNumber ToSequenceNumber(Position position);

/// Errors: kValidation for what ToSequenceNumber does not write, and for the last number of all,
/// which no record has and nothing comes after.
Result<Position> FromSequenceNumber(const SequenceNumber& text);

/// What clients call a shard of the stream that begins there.
std::string ShardId(Position stream_begin, uint8_t shard);

/// What an iterator says: the stream, the shard, where to go on, and when it was made.
struct ShardIterator {
  std::string arn;
  uint8_t shard = 0;
  Position position = 0;
  int64_t made_ms = 0;

  std::string Encode() const;
  /// Errors: kValidation for what Encode does not write. That the stream exists is not checked.
  static Result<ShardIterator> Decode(std::string_view text);
};

}  // namespace tintype::tables::engine
