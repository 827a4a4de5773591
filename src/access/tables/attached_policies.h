#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "access/policy/policy.h"
#include "base/mutex.h"
#include "base/recent_cache.h"
#include "tables/language/table_facts.h"

namespace tintype::access {

/// What is attached to a table or a stream, ready to decide.
struct AttachedPolicy {
  std::shared_ptr<const tables::ResourcePolicy> source;
  /// Absent when it cannot be read, which only damage, or a program that knew more, can cause. Then
  /// nobody but the root key is let in: what it denies is not known.
  std::optional<Policy> policy;
};

/// The policies of tables and streams, compiled when they are first needed. A policy that is
/// replaced is noticed at once. Thread-safe; `facts` outlives it.
class AttachedPolicies {
 public:
  /// `table_arns` is what the ARN of every table begins with, before the name.
  AttachedPolicies(const tables::TableFacts& facts, std::string table_arns)
      : facts_(facts), table_arns_(std::move(table_arns)) {}

  /// Of a table, and so of its indexes. Nothing when it has none.
  std::optional<AttachedPolicy> OfTable(std::string_view table) const;
  std::optional<AttachedPolicy> OfStream(std::string_view arn) const;

 private:
  AttachedPolicy Prepare(std::shared_ptr<const tables::ResourcePolicy> source,
                         const std::string& arn) const;
  void WarnOnce(const std::string& arn, const Error& error) const;

  // Of 20 KB each, and some times that when compiled.
  static constexpr size_t kCompiledMax = 256;

  const tables::TableFacts& facts_;
  const std::string table_arns_;
  mutable RecentCache<AttachedPolicy> compiled_{kCompiledMax};  // By ARN.
  mutable Mutex mutex_;
  // The ARNs of those that cannot be read, each of which is logged once. Only what was there at the
  // start can be among them: any attached since was read before.
  mutable std::set<std::string> unreadable_ GUARDED_BY(mutex_);
};

}  // namespace tintype::access
