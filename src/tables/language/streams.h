#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tables/language/database.h"
#include "tables/language/schema.h"
#include "tables/language/values/value.h"

/// DynamoDB Streams (2012-08-10) as C++ types: what changed in a table, in order.
namespace tintype::tables {

/// Where a change stands among all others, as clients see it: digits, of the same length for every
/// number we give, so that they sort as text and as numbers.
using SequenceNumber = std::string;

struct StreamSummary {
  std::string arn;
  std::string label;
  std::string table;
};

struct ListStreamsRequest {
  std::optional<std::string> table;  // Absent: of all tables.
  std::optional<std::string> exclusive_start_arn;
  size_t limit = limits::kListedStreams;
};
struct ListStreamsResponse {
  std::vector<StreamSummary> streams;
  std::optional<std::string> last_evaluated_arn;
};

enum class StreamStatus { kEnabling, kEnabled, kDisabling, kDisabled };

struct ShardDescription {
  std::string id;
  SequenceNumber first;
  std::optional<SequenceNumber> last;  // Present once nothing can follow.
  /// The shard that this one continues. None of ours does.
  std::optional<std::string> parent = {};
};

struct DescribeStreamRequest {
  std::string arn;
  std::optional<std::string> exclusive_start_shard;
  std::optional<std::string> children_of;  // Only the shards that this one was split into.
  size_t limit = limits::kListedShards;
};
struct DescribeStreamResponse {
  StreamSummary stream;
  StreamStatus status = StreamStatus::kEnabled;
  StreamView view = StreamView::kKeysOnly;
  int64_t created_ms = 0;
  KeySchema keys;
  std::vector<ShardDescription> shards;
  std::optional<std::string> last_evaluated_shard;
};

enum class ShardIteratorType { kTrimHorizon, kLatest, kAtSequenceNumber, kAfterSequenceNumber };

struct GetShardIteratorRequest {
  std::string stream_arn;
  std::string shard;
  ShardIteratorType type = ShardIteratorType::kTrimHorizon;
  std::optional<SequenceNumber> sequence_number;
};
struct GetShardIteratorResponse {
  std::string iterator;
};

struct StreamRecord {
  enum class Event { kInsert, kModify, kRemove };
  std::string event_id;
  Event event = Event::kInsert;
  std::string region;
  /// The service itself removed the item because its time had come.
  bool expired = false;
  int64_t created_ms = 0;
  SequenceNumber sequence_number;
  StreamView view = StreamView::kKeysOnly;
  Item keys;
  std::optional<Item> old_image;
  std::optional<Item> new_image;
  int64_t size_bytes = 0;  // Of keys and images.
};

struct GetRecordsRequest {
  std::string iterator;
  size_t limit = limits::kStreamRecords;
};
struct GetRecordsResponse {
  std::vector<StreamRecord> records;
  std::optional<std::string> next_iterator;  // Absent at the end of a shard that is closed.
};

/// Errors beside those of Database: kExpiredIterator for an iterator older than 15 minutes,
/// kTrimmed for a position whose records are gone. Thread-safe.
class Streams {
 public:
  virtual ~Streams() = default;

  virtual void ListStreams(ListStreamsRequest request, Done<ListStreamsResponse> done) = 0;
  virtual void DescribeStream(DescribeStreamRequest request, Done<DescribeStreamResponse> done) = 0;
  virtual void GetShardIterator(GetShardIteratorRequest request,
                                Done<GetShardIteratorResponse> done) = 0;
  virtual void GetRecords(GetRecordsRequest request, Done<GetRecordsResponse> done) = 0;
};

}  // namespace tintype::tables
