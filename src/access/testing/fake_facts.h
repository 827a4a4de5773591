#pragma once

#include <map>
#include <string>
#include <vector>

#include "tables/language/table_facts.h"

namespace tintype::access::testing {

/// Knows what a test tells it. Not thread-safe.
class FakeFacts : public tables::TableFacts {
 public:
  /// By table, or `table/index`. Others have the key `pk`.
  std::map<std::string, std::vector<std::string>> partition_keys;
  /// What every iterator reads.
  std::string stream = "arn:aws:dynamodb:us-east-1:000000000000:table/photos/stream/1";

  std::vector<std::string> PartitionKeyOf(std::string_view table,
                                          std::optional<std::string_view> index) const override {
    const auto found = partition_keys.find(std::string(table) +
                                           (index ? "/" + std::string(*index) : std::string()));
    return found == partition_keys.end() ? std::vector<std::string>{"pk"} : found->second;
  }
  std::optional<std::string> StreamOf(std::string_view /*shard_iterator*/) const override {
    return stream;
  }
};

}  // namespace tintype::access::testing
