#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/mutex.h"
#include "tables/engine/storage/key_codec.h"
#include "tables/language/values/value.h"

/// Items that go when their time has come. Beside each item that has a time lies an entry of the
/// expiry index, ordered by that time, written and removed in the item's own batch; so what is due
/// is found at the index's beginning, however large the table is.
namespace tintype::tables::engine {

/// The bytes of an entry's key that tell its time, between the prefix and the item's own key.
inline constexpr size_t kExpirySecondsBytes = 8;

/// The time in the item's TTL attribute, in seconds since the epoch; nothing when it has none that
/// could be one. A fraction is dropped.
std::optional<int64_t> ExpirySeconds(MapView item, std::string_view attribute);

/// The entry for an item. `data_key` is the item's key in `data`.
std::string EncodeExpiryKey(TableId table, int64_t seconds, std::string_view data_key);

/// Up to where each table's expiry index has been cleared. Removed entries leave marks behind, and
/// to search past all of them every time would take longer the more was removed. Thread-safe.
class ExpiryCursors {
 public:
  /// Nothing is due before this key; empty if that is not known.
  std::string Get(TableId table) const {
    const MutexLock lock(mutex_);
    const auto found = cursors_.find(table);
    return found == cursors_.end() ? std::string() : found->second;
  }
  void Set(TableId table, std::string key) {
    const MutexLock lock(mutex_);
    cursors_[table] = std::move(key);
  }
  /// An entry has been added, perhaps before the cursor.
  void Added(TableId table, const std::string& key) {
    const MutexLock lock(mutex_);
    if (const auto found = cursors_.find(table); found != cursors_.end() && key < found->second) {
      found->second = key;
    }
  }

 private:
  mutable Mutex mutex_;
  std::unordered_map<TableId, std::string> cursors_ GUARDED_BY(mutex_);
};

}  // namespace tintype::tables::engine
