#pragma once

#include <map>
#include <memory>
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

  /// By a table's name or a stream's ARN.
  std::map<std::string, std::shared_ptr<const tables::ResourcePolicy>> policies;

  std::vector<std::string> PartitionKeyOf(std::string_view table,
                                          std::optional<std::string_view> index) const override {
    const auto found = partition_keys.find(std::string(table) +
                                           (index ? "/" + std::string(*index) : std::string()));
    return found == partition_keys.end() ? std::vector<std::string>{"pk"} : found->second;
  }
  std::optional<std::string> StreamOf(std::string_view /*shard_iterator*/) const override {
    return stream;
  }
  std::shared_ptr<const tables::ResourcePolicy> PolicyOfTable(
      std::string_view table) const override {
    return PolicyOf(table);
  }
  std::shared_ptr<const tables::ResourcePolicy> PolicyOfStream(
      std::string_view arn) const override {
    return PolicyOf(arn);
  }

 private:
  std::shared_ptr<const tables::ResourcePolicy> PolicyOf(std::string_view name) const {
    const auto found = policies.find(std::string(name));
    return found == policies.end() ? nullptr : found->second;
  }
};

}  // namespace tintype::access::testing
