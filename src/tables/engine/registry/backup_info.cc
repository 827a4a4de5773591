#include "tables/engine/registry/backup_info.h"

#include "base/random.h"
#include "base/strings.h"
#include "tables/engine/registry/table_arn.h"
#include "tables/engine/storage/stored_item.h"

namespace tintype::tables::engine {

std::string BackupInfo::Arn(const EngineConfig& config) const {
  return StrCat(TableArn(config, table.definition.name), "/backup/", id);
}

Item BackupInfo::ToStored() const {
  StoredWriter out;
  out.Put("id", id);
  out.Put("name", name);
  out.Put("type", static_cast<int64_t>(type));
  out.Put("status", static_cast<int64_t>(status));
  out.Put("createdMs", created_ms);
  out.Put("expiresMs", expires_ms);
  out.Put("items", totals.count);
  out.Put("bytes", totals.bytes);
  out.Put("table", Value::Map(table.ToStored()));
  return out.Finish();
}

Result<BackupInfo> BackupInfo::FromStored(MapView stored) {
  StoredReader in(stored);
  BackupInfo backup;
  backup.id = in.Text("id");
  backup.name = in.Text("name");
  backup.type = in.OneOf("type", BackupType::kSystem);
  backup.status = in.OneOf("status", BackupStatus::kAvailable);
  backup.created_ms = in.Integer("createdMs");
  backup.expires_ms = in.Integer("expiresMs");
  backup.totals = {in.Integer("items"), in.Integer("bytes")};
  const std::optional<ValueView> table = in.Find("table", Type::kMap);
  if (in.damaged() || !table) {
    return Error::Corruption("The stored description of a backup is damaged");
  }
  ASSIGN_OR_RETURN(backup.table, TableInfo::FromStored(table->AsMap()));
  return backup;
}

std::string NewBackupId(Position moment) {
  std::string time = std::to_string(TimeOf(moment));
  return StrCat(std::string(14 - std::min<size_t>(14, time.size()), '0'), time, "-",
                RandomUuid().substr(0, 8));
}

std::optional<BackupInfo> BackupRegistry::FindByArn(const EngineConfig& config,
                                                    std::string_view arn) const {
  std::optional<BackupInfo> backup = Find(std::string(arn.substr(arn.rfind('/') + 1)));
  return backup && backup->Arn(config) == arn ? backup : std::nullopt;
}

std::optional<BackupInfo> BackupRegistry::Find(const std::string& id) const {
  const MutexLock lock(mutex_);
  const auto found = backups_.find(id);
  return found == backups_.end() ? std::nullopt : std::optional(found->second);
}

void BackupRegistry::Put(BackupInfo backup) {
  const MutexLock lock(mutex_);
  backups_.insert_or_assign(backup.id, std::move(backup));
}

void BackupRegistry::Erase(const std::string& id) {
  const MutexLock lock(mutex_);
  backups_.erase(id);
}

std::vector<BackupInfo> BackupRegistry::All() const {
  const MutexLock lock(mutex_);
  std::vector<BackupInfo> all;
  all.reserve(backups_.size());
  for (const auto& [id, backup] : backups_) {
    all.push_back(backup);
  }
  return all;
}

}  // namespace tintype::tables::engine
