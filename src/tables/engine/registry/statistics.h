#pragma once

#include <cstdint>
#include <unordered_map>

#include "base/mutex.h"
#include "tables/engine/storage/key_codec.h"

namespace tintype::tables::engine {

/// How many items a table or index holds and what they weigh.
struct ItemTotals {
  int64_t count = 0;
  int64_t bytes = 0;
};

/// Exact totals of every table and index, kept in step with the data: the commit thread stores the
/// changed ones in the same batch as the items. Thread-safe.
class Statistics {
 public:
  ItemTotals Get(TableId table, IndexId index) const {
    const MutexLock lock(mutex_);
    const auto found = totals_.find(Slot(table, index));
    return found == totals_.end() ? ItemTotals{} : found->second;
  }
  void Set(TableId table, IndexId index, ItemTotals totals) {
    const MutexLock lock(mutex_);
    totals_[Slot(table, index)] = totals;
  }
  void Erase(TableId table, IndexId index) {
    const MutexLock lock(mutex_);
    totals_.erase(Slot(table, index));
  }

 private:
  static uint64_t Slot(TableId table, IndexId index) { return uint64_t{table} << 16 | index; }

  mutable Mutex mutex_;
  std::unordered_map<uint64_t, ItemTotals> totals_ GUARDED_BY(mutex_);
};

}  // namespace tintype::tables::engine
