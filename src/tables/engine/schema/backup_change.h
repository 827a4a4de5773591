#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tables/engine/commit/commit_group.h"
#include "tables/engine/commit/core.h"

/// What deleting a table has to know of backups, and what they have to know of it.
namespace tintype::tables::engine {

/// Stores a backup's description, or forgets it, once the group is on disk. On the commit thread.
void StageBackupInfo(CommitGroup& group, BackupInfo backup);
void StageBackupRemoval(CommitGroup& group, const BackupInfo& backup);

/// Instead of a table that is deleted while recovery is on: keeps its rows as a backup.
/// On the commit thread.
void KeepDeletedTable(CommitGroup& group, const TableInfo& table);

/// Whether a backup of the table is being made.
bool IsBeingBackedUp(const Core& core, TableId table);

/// Tables whose changes since a time are still needed to restore another, with that time.
std::vector<std::pair<TableId, int64_t>> TimesBeingRestored(const Core& core);

/// Whether a restore that is going on reads the backup, or the table.
bool IsBeingRestored(const Core& core, const std::string& backup_id);
bool IsBeingRestored(const Core& core, TableId source);

}  // namespace tintype::tables::engine
