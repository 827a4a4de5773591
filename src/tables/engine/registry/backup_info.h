#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "tables/engine/registry/statistics.h"
#include "tables/engine/registry/table_info.h"
#include "tables/engine/storage/config.h"
#include "tables/language/backups.h"

namespace tintype::tables::engine {

/// What the engine knows of one backup of a table. Stored as an item in the `meta` column family
/// (docs/formats/meta.md). The contents of one that a client asked for are files
/// (table_backup.h); those of one that was made because its table was deleted are the rows of that
/// table, which stay where they are.
struct BackupInfo {
  std::string id;  // Sorts by time.
  std::string name;
  BackupType type = BackupType::kUser;
  BackupStatus status = BackupStatus::kCreating;
  int64_t created_ms = 0;
  int64_t expires_ms = 0;
  ItemTotals totals;  // Of the table at that moment.
  TableInfo table;

  std::string Arn(const EngineConfig& config) const;

  Item ToStored() const;
  /// Fails with kCorruption when the item is not one that ToStored writes.
  static Result<BackupInfo> FromStored(MapView stored);
};

/// An id for a backup made at `moment`, which no other has.
std::string NewBackupId(Position moment);

/// The backups that exist, by id. Written by the commit thread when a change is on disk, read by
/// all. Thread-safe.
class BackupRegistry {
 public:
  std::optional<BackupInfo> FindByArn(const EngineConfig& config, std::string_view arn) const;
  std::optional<BackupInfo> Find(const std::string& id) const;
  void Put(BackupInfo backup);
  void Erase(const std::string& id);
  std::vector<BackupInfo> All() const;

 private:
  mutable Mutex mutex_;
  std::map<std::string, BackupInfo> backups_ GUARDED_BY(mutex_);
};

}  // namespace tintype::tables::engine
