#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "tables/engine/registry/table_info.h"
#include "tables/engine/storage/config.h"

namespace tintype::tables::engine {

/// Records are readable for a day.
inline constexpr int64_t kStreamRetentionMs = int64_t{24} * 60 * 60 * 1000;

/// One stream of a table: a stretch of the change log, seen through a view. A table that has its
/// stream turned off and on again has another one then.
struct StreamInfo {
  TableId table = 0;
  std::string table_name;
  StreamView view = StreamView::kKeysOnly;
  KeySchema keys;
  Position begin = 0;
  /// Nothing from here on belongs to it. Absent while it is enabled.
  std::optional<Position> end;
  /// Attached to it, or null. Shared with those who decide by it.
  std::shared_ptr<const ResourcePolicy> policy;

  /// The moment it was enabled, as text: what tells a table's streams apart.
  std::string Label() const;
  std::string Arn(const EngineConfig& config) const;

  Item ToStored() const;
  /// Fails with kCorruption when the item is not one that ToStored writes.
  static Result<StreamInfo> FromStored(MapView stored);
};

/// Streams that are disabled, or whose table is gone; readable until their records are too old.
/// Written by the commit thread when a change is on disk, read by all. Thread-safe.
class RetiredStreams {
 public:
  void Put(StreamInfo stream);
  void Erase(Position begin);
  std::vector<StreamInfo> All() const;
  /// Whether any of them has a policy. Costs one look at a number.
  bool have_policies() const { return policies_.load(std::memory_order_acquire) > 0; }

 private:
  mutable Mutex mutex_;
  std::map<Position, StreamInfo> streams_ GUARDED_BY(mutex_);  // By where they begin.
  std::atomic<size_t> policies_ = 0;                           // How many of them have one.
};

/// The enabled stream of a table, if it has one.
std::optional<StreamInfo> EnabledStream(const TableInfo& table);

}  // namespace tintype::tables::engine
