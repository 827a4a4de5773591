#pragma once

#include <string>
#include <string_view>

#include "backend.h"

namespace tintype::conformance {

/// The records of a stream as two JSON lists. Those of one item are in order; shards follow each
/// other.
struct StreamContent {
  /// What each record tells of the change: eventName, Keys, NewImage, OldImage and userIdentity, as
  /// far as it has them.
  std::string records;
  /// Where each record is: ShardId and SequenceNumber.
  std::string places;
};

/// Reads all records that a stream has now, shard by shard from the oldest on. Returns what went
/// wrong in words, or nothing.
std::string ReadStream(Backend& backend, std::string_view stream_arn, StreamContent& content);

}  // namespace tintype::conformance
