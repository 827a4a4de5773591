#include <algorithm>

#include "base/strings.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/recovery/operations.h"
#include "tables/engine/recovery/table_backup.h"
#include "tables/engine/registry/durations.h"
#include "tables/engine/schema/backup_change.h"
#include "tables/engine/schema/describe_table.h"
#include "tables/language/errors.h"

// CreateBackup, DescribeBackup, DeleteBackup, ListBackups.
namespace tintype::tables::engine {
namespace {

Error NoSuchBackup(std::string_view arn) {
  return {tables::reasons::kBackupNotFound, StrCat("Backup not found: ", arn)};
}

BackupDetails DetailsOf(const Core& core, const BackupInfo& backup) {
  return {.arn = backup.Arn(core.config),
          .name = backup.name,
          .size_bytes = backup.totals.bytes,
          .status = backup.status,
          .type = backup.type,
          .created_ms = backup.created_ms,
          .expires_ms = backup.expires_ms};
}

BackupDescription DescriptionOf(const Core& core, const BackupInfo& backup) {
  BackupDescription description;
  description.details = DetailsOf(core, backup);
  description.table = Describe(core, backup.table);
  description.table.item_count = backup.totals.count;
  description.table.size_bytes = backup.totals.bytes;
  if (backup.table.time_to_live) {
    description.expiry_attribute = backup.table.time_to_live->attribute;
  }
  return description;
}

bool Matches(const BackupInfo& backup, const ListBackupsRequest& request) {
  using Types = ListBackupsRequest::Types;
  // None are made by AWS Backup.
  const bool of_type =
      request.types == Types::kAll ||
      request.types == (backup.type == BackupType::kUser ? Types::kUser : Types::kSystem);
  return of_type && (!request.table || backup.table.definition.name == *request.table) &&
         (!request.from_ms || backup.created_ms >= *request.from_ms) &&
         (!request.until_ms || backup.created_ms < *request.until_ms);
}

}  // namespace

void CreateBackup(Core& core, CreateBackupRequest request, Done<CreateBackupResponse> done) {
  SubmitTableChange<CreateBackupResponse>(
      core, Space::kTakes,
      [&core, request = std::move(request)](CommitGroup& group) -> Result<CreateBackupResponse> {
        const TablePtr table = core.tables.FindOrNull(request.table);
        if (!table || table->creating()) {
          return Error(tables::reasons::kTableNotFound, StrCat("Table not found: ", request.table));
        }
        BackupInfo backup;
        backup.id = NewBackupId(core.positions.NextMoment(group.now_ms()));
        backup.name = request.name;
        backup.created_ms = group.now_ms();
        backup.expires_ms = group.now_ms() + core.config.backup_retention_days * kDayMs;
        backup.totals = core.statistics.Get(table->id, kTableItself);
        backup.table = *table;
        StageBackupInfo(group, backup);
        group.OnWritten([&core, backup] {
          BeginBackup(core, backup, std::make_shared<ScopedSnapshot>(core.storage->db()));
        });
        return CreateBackupResponse{DetailsOf(core, backup)};
      },
      std::move(done));
}

Result<BackupResponse> DescribeBackup(Core& core, const DescribeBackupRequest& request) {
  const auto backup = core.backups.FindByArn(core.config, request.arn);
  if (!backup) {
    return NoSuchBackup(request.arn);
  }
  return BackupResponse{DescriptionOf(core, *backup)};
}

void DeleteBackup(Core& core, DeleteBackupRequest request, Done<BackupResponse> done) {
  SubmitTableChange<BackupResponse>(
      core, Space::kFrees,
      [&core, request = std::move(request)](CommitGroup& group) -> Result<BackupResponse> {
        auto backup = core.backups.FindByArn(core.config, request.arn);
        if (!backup) {
          return NoSuchBackup(request.arn);
        }
        if (backup->type == BackupType::kSystem) {
          return Error::Validation("A backup of type SYSTEM cannot be deleted; it expires");
        }
        if (backup->status == BackupStatus::kCreating || IsBeingRestored(core, backup->id)) {
          return Error(tables::reasons::kBackupInUse,
                       StrCat("Backup is being created or restored: ", request.arn));
        }
        StageBackupRemoval(group, *backup);
        group.OnWritten([&core, id = backup->id] {
          core.long_work.Add([&core, id] { RemoveBackupFiles(core, id); });
        });
        backup->status = BackupStatus::kDeleted;
        return BackupResponse{DescriptionOf(core, *backup)};
      },
      std::move(done));
}

Result<ListBackupsResponse> ListBackups(Core& core, const ListBackupsRequest& request) {
  ListBackupsResponse response;
  // By id, which is by time; an ARN to go on after ends with one.
  std::string after = request.exclusive_start_arn.value_or("");
  after.erase(0, after.rfind('/') + 1);
  for (const BackupInfo& backup : core.backups.All()) {
    if (backup.id <= after || !Matches(backup, request)) {
      continue;
    }
    if (response.backups.size() == request.limit) {
      response.last_evaluated_arn = response.backups.back().details.arn;
      break;
    }
    response.backups.push_back({.details = DetailsOf(core, backup),
                                .table = backup.table.definition.name,
                                .table_id = backup.table.uuid,
                                .table_arn = TableArn(core.config, backup.table.definition.name)});
  }
  return response;
}

}  // namespace tintype::tables::engine
