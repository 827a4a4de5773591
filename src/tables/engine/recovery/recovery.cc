#include <algorithm>

#include "base/strings.h"
#include "tables/engine/commit/task.h"
#include "tables/engine/recovery/operations.h"
#include "tables/engine/recovery/restore.h"
#include "tables/engine/recovery/table_backup.h"
#include "tables/engine/registry/durations.h"
#include "tables/engine/schema/backup_change.h"
#include "tables/engine/schema/create_table.h"
#include "tables/engine/schema/describe_table.h"
#include "tables/engine/schema/table_change.h"
#include "tables/language/errors.h"
#include "tables/language/limits.h"
#include "tables/language/schema_validation.h"
#include "tables/language/shutting_down.h"

// UpdateContinuousBackups, DescribeContinuousBackups, RestoreTableToPointInTime,
// RestoreTableFromBackup.
namespace tintype::tables::engine {
namespace {

Error NoSuchTable(std::string_view name) {
  return {tables::reasons::kTableNotFound, StrCat("Table not found: ", name)};
}

ContinuousBackupsResponse Describe(const TableInfo& table, int64_t now_ms) {
  ContinuousBackupsResponse response;
  if (table.recovery) {
    response.recovery = {.days = table.recovery->days,
                         .earliest_ms = std::max(TimeOf(table.recovery->since),
                                                 now_ms - table.recovery->days * kDayMs),
                         .latest_ms = now_ms};
  }
  return response;
}

// What a request may change of the table that is restored.
Status Override(TableDefinition& table, const RestoreOverrides& overrides) {
  if (overrides.billing_mode && *overrides.billing_mode != table.billing_mode) {
    table.billing_mode = *overrides.billing_mode;
    table.throughput.reset();
    table.on_demand_throughput.reset();
    for (IndexDefinition& index : table.global_indexes) {
      index.throughput.reset();
      index.on_demand_throughput.reset();
      if (table.billing_mode == BillingMode::kProvisioned) {
        index.throughput = overrides.throughput;
      }
    }
  }
  if (overrides.throughput) {
    table.throughput = overrides.throughput;
  }
  if (overrides.on_demand_throughput) {
    table.on_demand_throughput = overrides.on_demand_throughput;
  }
  const auto replace = [](std::vector<IndexDefinition>& indexes,
                          const std::optional<std::vector<IndexDefinition>>& wanted) -> Status {
    if (!wanted) {
      return OkStatus();
    }
    for (const IndexDefinition& each : *wanted) {
      const bool known = std::ranges::any_of(indexes, [&](const IndexDefinition& index) {
        return index.name == each.name && index.keys == each.keys &&
               index.projection == each.projection;
      });
      if (!known) {
        return Error::Validation(
            StrCat("One or more parameter values were invalid: Index ", each.name,
                   " is not an index of the source table, or differs from it"));
      }
    }
    indexes = *wanted;
    return OkStatus();
  };
  RETURN_IF_ERROR(replace(table.global_indexes, overrides.global_indexes));
  RETURN_IF_ERROR(replace(table.local_indexes, overrides.local_indexes));
  if (overrides.encryption) {
    table.encryption = overrides.encryption;
  }
  // Attributes that no key uses any more are no longer described.
  std::erase_if(table.attributes, [&](const AttributeDefinition& attribute) {
    const auto uses = [&](const IndexDefinition& index) {
      return index.keys.Contains(attribute.name);
    };
    return !table.keys.Contains(attribute.name) &&
           std::ranges::none_of(table.global_indexes, uses) &&
           std::ranges::none_of(table.local_indexes, uses);
  });
  return OkStatus();
}

// The definition of a table like `source`. As in DynamoDB, its stream, its expiry, its recovery,
// its tags and its protection are not restored.
TableDefinition DefinitionLike(const TableInfo& source, std::string name) {
  TableDefinition definition = source.definition;
  definition.name = std::move(name);
  definition.stream.reset();
  definition.deletion_protection = false;
  for (const IndexInfo& index : source.indexes) {
    (index.local ? definition.local_indexes : definition.global_indexes)
        .push_back(index.definition);
  }
  return definition;
}

// Creates the table that is to be filled. On the commit thread.
Result<TableResponse> CreateRestored(CommitGroup& group, const TableInfo& source,
                                     const std::string& name, const RestoreOverrides& overrides,
                                     RestoreInfo restore) {
  Core& core = group.core();
  if (core.tables.FindOrNull(name)) {
    return Error(tables::reasons::kTableExists, StrCat("Table already exists: ", name));
  }
  TableDefinition definition = DefinitionLike(source, name);
  RETURN_IF_ERROR(Override(definition, overrides));
  RETURN_IF_ERROR(ValidateTableDefinition(definition));
  TableInfo table = NewTable(group, CreateTableRequest{std::move(definition), {}});
  restore.source_table_arn = TableArn(core.config, source.definition.name);
  restore.in_progress = true;
  table.restore = std::move(restore);
  TableDescription description = engine::Describe(core, table);
  group.OnWritten([&core, table] { BeginRestore(core, table); });
  StageTable(group, std::move(table));
  return TableResponse{std::move(description)};
}

Result<TableResponse> DecideRestoreToTime(CommitGroup& group,
                                          const RestoreTableToPointInTimeRequest& request) {
  Core& core = group.core();
  const TablePtr source = core.tables.FindOrNull(request.source_table);
  if (!source || source->creating()) {
    return NoSuchTable(request.source_table);
  }
  if (!source->recovery) {
    return Error(
        tables::reasons::kRecoveryUnavailable,
        StrCat("Point in time recovery is not enabled for table '", request.source_table, "'"));
  }
  const auto window = Describe(*source, group.now_ms()).recovery.value();
  // The latest is a moment of its own: nothing that comes after the request has its time, not even
  // if the clock was set back.
  const int64_t time_ms =
      request.time_ms.value_or(TimeOf(core.positions.NextMoment(group.now_ms())) - 1);
  // Requests tell seconds: one that names the second that recovery began in means that moment.
  if (request.time_ms &&
      (time_ms < window.earliest_ms / 1000 * 1000 || time_ms > window.latest_ms)) {
    return Error(tables::reasons::kInvalidRestoreTime,
                 StrCat("The restore time is outside of the window that can be recovered: from ",
                        window.earliest_ms / 1000, " to ", window.latest_ms / 1000));
  }
  RestoreInfo restore;
  restore.from = RestoreInfo::From::kTime;
  restore.source = source->id;
  restore.time_ms = std::max(time_ms, TimeOf(source->recovery->since));
  return CreateRestored(group, *source, request.target_table, request.overrides,
                        std::move(restore));
}

Result<TableResponse> DecideRestoreFromBackup(CommitGroup& group,
                                              const RestoreTableFromBackupRequest& request) {
  Core& core = group.core();
  const auto backup = core.backups.FindByArn(core.config, request.backup_arn);
  if (!backup) {
    return Error(tables::reasons::kBackupNotFound,
                 StrCat("Backup not found: ", request.backup_arn));
  }
  RestoreInfo restore;
  restore.from = backup->type == BackupType::kSystem ? RestoreInfo::From::kDeletedTable
                                                     : RestoreInfo::From::kBackupFiles;
  restore.source = backup->table.id;
  restore.backup_id = backup->id;
  restore.source_backup_arn = request.backup_arn;
  restore.time_ms = backup->created_ms;
  return CreateRestored(group, backup->table, request.target_table, request.overrides,
                        std::move(restore));
}

}  // namespace

void UpdateContinuousBackups(Core& core, UpdateContinuousBackupsRequest request,
                             Done<ContinuousBackupsResponse> done) {
  SubmitTableChange<ContinuousBackupsResponse>(
      core, request.recovery ? Space::kTakes : Space::kFrees,
      [&core,
       request = std::move(request)](CommitGroup& group) -> Result<ContinuousBackupsResponse> {
        const TablePtr before = core.tables.FindOrNull(request.table);
        if (!before || before->creating()) {
          return NoSuchTable(request.table);
        }
        if (!request.recovery && IsBeingRestored(core, before->id)) {
          return Error::InUse(StrCat("Table is being restored to another one: ", request.table));
        }
        TableInfo table = *before;
        if (!request.recovery) {
          table.recovery.reset();
        } else {
          if (!table.recovery) {
            table.recovery = {core.positions.Next(group.now_ms()), limits::kRecoveryDays};
          }
          // Changes that the shorter window let go do not come back with a longer one.
          const int64_t kept_from_ms = group.now_ms() - table.recovery->days * kDayMs;
          table.recovery->since = std::max(table.recovery->since, FirstPositionAt(kept_from_ms));
          table.recovery->days = request.recovery_days.value_or(table.recovery->days);
        }
        ContinuousBackupsResponse response = Describe(table, group.now_ms());
        StageTable(group, std::move(table));
        return response;
      },
      std::move(done));
}

Result<ContinuousBackupsResponse> DescribeContinuousBackups(
    Core& core, const DescribeContinuousBackupsRequest& request) {
  const TablePtr table = core.tables.FindOrNull(request.table);
  if (!table) {
    return NoSuchTable(request.table);
  }
  return Describe(*table, core.clock.NowMs());
}

void RestoreTableToPointInTime(Core& core, RestoreTableToPointInTimeRequest request,
                               Done<TableResponse> done) {
  SubmitTableChange<TableResponse>(
      core, Space::kTakes,
      [request = std::move(request)](CommitGroup& group) {
        return DecideRestoreToTime(group, request);
      },
      std::move(done));
}

void RestoreTableFromBackup(Core& core, RestoreTableFromBackupRequest request,
                            Done<TableResponse> done) {
  const auto backup = core.backups.FindByArn(core.config, request.backup_arn);
  if (!backup) {
    done(Error(tables::reasons::kBackupNotFound, StrCat("Backup not found: ", request.backup_arn)));
    return;
  }
  if (backup->status != BackupStatus::kAvailable) {
    done(Error(tables::reasons::kBackupInUse,
               StrCat("Backup is being created: ", request.backup_arn)));
    return;
  }
  // Everything is read once before it is accepted: a damaged backup is refused, not restored half.
  auto shared = std::make_shared<Done<TableResponse>>(std::move(done));
  core.long_work.Add([&core, backup = *backup, request = std::move(request), shared]() mutable {
    if (core.long_work.stopping()) {
      (*shared)(ShuttingDown());
      return;
    }
    const Status sound =
        backup.type == BackupType::kUser ? VerifyBackupFiles(core, backup) : OkStatus();
    if (!sound.ok() && !core.backups.Find(backup.id)) {
      // Its files went while they were read: it was deleted, not damaged.
      (*shared)(Error(tables::reasons::kBackupNotFound,
                      StrCat("Backup not found: ", request.backup_arn)));
      return;
    }
    if (!sound.ok()) {
      // A reason that the client can read; an internal error would not show it.
      (*shared)(sound.error().kind() == ErrorKind::kCorruption
                    ? Error::Validation(sound.error().message())
                    : sound.error());
      return;
    }
    SubmitTableChange<TableResponse>(
        core, Space::kTakes,
        [request = std::move(request)](CommitGroup& group) {
          return DecideRestoreFromBackup(group, request);
        },
        std::move(*shared));
  });
}

}  // namespace tintype::tables::engine
