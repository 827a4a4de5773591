#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tables/engine/catalog/table_info.h"
#include "tables/engine/storage/key_codec.h"

namespace tintype::tables::engine {

struct Core;

/// How far each index that is being filled has come. The back-fill walks the table in key order on
/// the commit thread, a chunk at a time between other writes. Writes keep the index for items
/// behind the cursor and leave the others to the back-fill, so that every item is indexed exactly
/// once. Used by the commit thread alone; the cursors are stored with each chunk and survive a
/// crash.
class Backfills {
 public:
  void Set(TableId table, IndexId index, std::string cursor) {
    cursors_[{table, index}] = std::move(cursor);
  }
  void Erase(TableId table, IndexId index) { cursors_.erase({table, index}); }
  std::string Cursor(TableId table, IndexId index) const {
    const auto found = cursors_.find({table, index});
    return found == cursors_.end() ? std::string() : found->second;
  }
  /// True if the back-fill has been at this key of the table.
  bool Reached(TableId table, IndexId index, std::string_view key) const {
    const auto found = cursors_.find({table, index});
    return found != cursors_.end() && key <= found->second;
  }

 private:
  std::map<std::pair<TableId, IndexId>, std::string> cursors_;
};

/// Submits the next chunk of an index that is being filled; chunks follow each other until the
/// index is complete and becomes active.
void ContinueBackfill(Core& core, std::string table_name, TableId table, IndexId index);

/// Indexes of a table that are being filled, the expiry index among them.
std::vector<IndexId> UnfinishedBackfills(const TableInfo& table);

/// Reads the stored cursors. Call once on open, before ContinueBackfill for each unfinished index.
Status LoadBackfills(Core& core);

}  // namespace tintype::tables::engine
