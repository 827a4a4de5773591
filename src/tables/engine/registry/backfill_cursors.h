#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "tables/engine/storage/key_codec.h"

namespace tintype::tables::engine {

/// How far each index that is being filled has come. The back-fill walks the table in key order on
/// the commit thread, a chunk at a time between other writes. Writes keep the index for items
/// behind the cursor and leave the others to the back-fill, so that every item is indexed exactly
/// once. Used by the commit thread alone; the cursors are stored with each chunk and survive a
/// crash.
class BackfillCursors {
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

}  // namespace tintype::tables::engine
