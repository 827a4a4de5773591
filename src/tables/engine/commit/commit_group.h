#pragma once

#include <rocksdb/write_batch.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tables/engine/changes/change_record.h"
#include "tables/engine/registry/statistics.h"
#include "tables/engine/registry/table_info.h"
#include "tables/engine/rows/capacity.h"
#include "tables/language/values/value.h"

namespace tintype::tables::engine {

struct Core;

/// The writes of one group on their way to disk: one batch, and the data as it will be once the
/// batch is written. Lives on the commit thread. Those who read through it may have seen what is
/// not yet on disk, so nobody is answered before Write returned.
class CommitGroup {
 public:
  explicit CommitGroup(Core& core);

  /// The item under a key of `data`, with the group's own writes so far.
  Result<std::optional<Item>> Read(const std::string& key);

  /// Stages the change of one item from `old_item` (what Read returned) to `new_item`, with its
  /// index entries, totals and change record. Nothing is staged when nothing changes.
  WriteCharge Stage(const TableInfo& table, const std::string& key,
                    const std::optional<Item>& old_item, std::optional<Item> new_item,
                    ChangeOrigin origin);

  /// Adds the entry of one existing item to an index that is being filled.
  void StageBackfill(const TableInfo& table, const IndexInfo& index, MapView item);
  /// The same for the times at which items expire. `key` is the item's in `data`.
  void StageExpiryBackfill(const TableInfo& table, std::string_view key, MapView item);

  /// For tasks that change more than items: the batch to add to.
  rocksdb::WriteBatch& batch() { return batch_; }
  Core& core() { return core_; }
  int64_t now_ms() const { return now_ms_; }

  /// Runs once the batch is on disk, before anybody is answered: makes a table change visible.
  void OnWritten(std::function<void()> publish) { publish_.push_back(std::move(publish)); }

  /// Runs if the group is dropped: takes back what a task changed in memory at once, because the
  /// rest of the group must see it.
  void OnDropped(std::function<void()> take_back) { take_back_.push_back(std::move(take_back)); }

  size_t bytes() const { return batch_.GetDataSize(); }
  /// Adds what goes with every group: totals, and the removal of what has expired. Call once, when
  /// nothing more is staged.
  void Seal();
  /// Writes everything, durably unless configured otherwise, and makes it visible. Errors: those of
  /// Storage::Write.
  Status Write();
  /// Instead of what Write would have done, when it failed and nothing was written.
  void Drop();

 private:
  struct IndexEntry {
    std::string key;
    std::string value;
    size_t size_bytes = 0;
  };
  std::optional<IndexEntry> MakeEntry(const TableInfo& table, const IndexInfo& index,
                                      const std::optional<Item>& item, size_t item_bytes) const;
  void StageIndex(const TableInfo& table, const IndexInfo& index,
                  const std::optional<IndexEntry>& old_entry,
                  const std::optional<IndexEntry>& new_entry, WriteCharge& charge);
  void StageExpiry(const TableInfo& table, const std::string& key,
                   const std::optional<Item>& old_item, const std::optional<Item>& new_item);
  void PutExpiryEntry(TableId table, int64_t seconds, std::string_view key);
  void Count(TableId table, IndexId index, int64_t count, int64_t bytes);

  Core& core_;
  const int64_t now_ms_;
  rocksdb::WriteBatch batch_;
  std::unordered_map<std::string, std::optional<Item>> overlay_;
  std::map<std::pair<TableId, IndexId>, ItemTotals> counted_;
  std::vector<std::function<void()>> publish_;
  std::vector<std::function<void()>> take_back_;
};

}  // namespace tintype::tables::engine
