#pragma once

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "tables/engine/registry/table_info.h"

namespace tintype::tables::engine {

/// The tables that exist, by name. Written by the commit thread when a change is on disk, read by
/// all. Thread-safe.
class TableRegistry {
 public:
  /// Fails as DynamoDB does for a table that does not exist, or is not ready yet.
  Result<TablePtr> Find(std::string_view name) const;
  /// Null when there is none.
  TablePtr FindOrNull(std::string_view name) const;

  /// For a read that found nothing, or that took a while: fails as Find or a look-up of the index
  /// would if the table, or the index of it, has been removed since. Then rows are missing that
  /// were there when the read began: the files of a removed table go, snapshot or not.
  Status CheckStillThere(const TableInfo& table, const IndexInfo* index = nullptr) const;

  void Put(TablePtr table);
  void Erase(std::string_view name);

  /// Names after `after`, sorted, at most `limit` of them.
  std::vector<std::string> Names(const std::string& after, size_t limit) const;
  std::vector<TablePtr> All() const;
  /// Whether any table, or its stream, has a policy. Costs one look at a number.
  bool have_policies() const { return policies_.load(std::memory_order_acquire) > 0; }

 private:
  mutable Mutex mutex_;
  std::map<std::string, TablePtr, std::less<>> tables_ GUARDED_BY(mutex_);
  std::atomic<size_t> policies_ = 0;  // How many of them have one.
};

/// What a read of an index that its table does not have is answered with.
Error NoSuchIndex(std::string_view name);

}  // namespace tintype::tables::engine
