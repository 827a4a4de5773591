#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tables/language/schema.h"

namespace tintype::tables {

/// What has to be known of tables to decide who may do what to them. Answered from memory, on the
/// calling thread. Thread-safe.
class TableFacts {
 public:
  virtual ~TableFacts() = default;

  /// The attributes of the partition key of a table, or of one of its indexes. Empty when there is
  /// no such table or index.
  virtual std::vector<std::string> PartitionKeyOf(std::string_view table,
                                                  std::optional<std::string_view> index) const = 0;

  /// The ARN of the stream that a shard iterator reads. Nothing for a text that is no iterator.
  virtual std::optional<std::string> StreamOf(std::string_view shard_iterator) const = 0;

  /// The policy that is attached to a table, by name, or to a stream, by ARN. Null when there is
  /// none; while no table and no stream has one, that costs next to nothing. Shared, since whoever
  /// decides by it may still do so when it is replaced; as long as it is attached it is the same
  /// object.
  virtual std::shared_ptr<const ResourcePolicy> PolicyOfTable(std::string_view table) const = 0;
  virtual std::shared_ptr<const ResourcePolicy> PolicyOfStream(std::string_view arn) const = 0;
};

}  // namespace tintype::tables
