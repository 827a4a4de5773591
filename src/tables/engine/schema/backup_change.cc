#include "tables/engine/schema/backup_change.h"

#include <algorithm>

#include "base/strings.h"
#include "tables/engine/registry/durations.h"
#include "tables/engine/schema/table_change.h"
#include "tables/engine/storage/meta_keys.h"

namespace tintype::tables::engine {
namespace {

std::string MetaKey(const std::string& id) { return StrCat(meta::kBackup, id); }

template <typename Wanted>
bool AnyRestore(const Core& core, Wanted wanted) {
  const std::vector<TablePtr> tables = core.tables.All();
  return std::ranges::any_of(
      tables, [&](const TablePtr& table) { return table->creating() && wanted(*table->restore); });
}

}  // namespace

void StageBackupInfo(CommitGroup& group, BackupInfo backup) {
  Core& core = group.core();
  group.batch()
      .Put(core.storage->meta(), MetaKey(backup.id), backup.ToStored().payload())
      .PermitUncheckedError();
  group.OnWritten([&core, backup = std::move(backup)] { core.backups.Put(backup); });
}

void StageBackupRemoval(CommitGroup& group, const BackupInfo& backup) {
  Core& core = group.core();
  group.batch().Delete(core.storage->meta(), MetaKey(backup.id)).PermitUncheckedError();
  if (backup.type == BackupType::kSystem) {
    DropIndexData(group, backup.table, std::nullopt);
  }
  group.OnWritten([&core, id = backup.id] { core.backups.Erase(id); });
}

void KeepDeletedTable(CommitGroup& group, const TableInfo& table) {
  Core& core = group.core();
  for (const IndexInfo& index : table.indexes) {
    DropIndexData(group, table, index.id);
  }
  if (table.time_to_live) {
    DropIndexData(group, table, kExpiryIndex);
  }
  BackupInfo backup;
  backup.id = NewBackupId(core.positions.NextMoment(group.now_ms()));
  backup.name = StrCat(table.definition.name, "$DeletedTableBackup");
  backup.type = BackupType::kSystem;
  backup.status = BackupStatus::kAvailable;
  backup.created_ms = group.now_ms();
  backup.expires_ms = group.now_ms() + table.recovery->days * kDayMs;
  backup.totals = core.statistics.Get(table.id, kTableItself);
  backup.table = table;
  StageBackupInfo(group, std::move(backup));
}

bool IsBeingBackedUp(const Core& core, TableId table) {
  const std::vector<BackupInfo> backups = core.backups.All();
  return std::ranges::any_of(backups, [&](const BackupInfo& backup) {
    return backup.status == BackupStatus::kCreating && backup.table.id == table;
  });
}

std::vector<std::pair<TableId, int64_t>> TimesBeingRestored(const Core& core) {
  std::vector<std::pair<TableId, int64_t>> times;
  for (const TablePtr& table : core.tables.All()) {
    if (table->creating() && table->restore->from == RestoreInfo::From::kTime) {
      times.emplace_back(table->restore->source, table->restore->time_ms);
    }
  }
  return times;
}

bool IsBeingRestored(const Core& core, const std::string& backup_id) {
  return AnyRestore(core, [&](const RestoreInfo& each) { return each.backup_id == backup_id; });
}

bool IsBeingRestored(const Core& core, TableId source) {
  return AnyRestore(core, [&](const RestoreInfo& each) {
    return each.from != RestoreInfo::From::kBackupFiles && each.source == source;
  });
}

}  // namespace tintype::tables::engine
