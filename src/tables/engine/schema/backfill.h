#pragma once

#include <string>
#include <vector>

#include "tables/engine/commit/core.h"

namespace tintype::tables::engine {

/// Submits the next chunk of an index that is being filled; chunks follow each other until the
/// index is complete and becomes active.
void ContinueBackfill(Core& core, std::string table_name, TableId table, IndexId index);

/// Indexes of a table that are being filled, the expiry index among them.
std::vector<IndexId> UnfinishedBackfills(const TableInfo& table);

/// Reads the stored cursors. Call once on open, before ContinueBackfill for each unfinished index.
Status LoadBackfills(Core& core);

}  // namespace tintype::tables::engine
