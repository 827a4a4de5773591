#pragma once

#include <optional>

#include "tables/engine/commit/commit_group.h"
#include "tables/engine/commit/core.h"

/// What changes to tables have in common. All on the commit thread.
namespace tintype::tables::engine {

/// Stores a changed table and publishes it once it is on disk.
void StageTable(CommitGroup& group, TableInfo table);

/// Removes a table. Its stream stays readable for a while; if it has recovery, its rows are kept as
/// a backup.
void RemoveTable(CommitGroup& group, const TableInfo& table);

/// Whether rows of the same table and index may be written after they have been removed.
enum class Afterwards { kGone, kRefilled };

/// Removes the rows, totals and back-fill state of one index, or of the table and all its indexes.
/// Of what is gone for good, the disk space is given back in the background.
void DropIndexData(CommitGroup& group, const TableInfo& table, std::optional<IndexId> index,
                   Afterwards afterwards = Afterwards::kGone);

}  // namespace tintype::tables::engine
