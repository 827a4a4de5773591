#include "tables/transfer/export_table.h"

#include <chrono>
#include <filesystem>
#include <thread>

#include "base/logging.h"
#include "base/strings.h"
#include "tables/language/await.h"
#include "tables/language/errors.h"
#include "tables/transfer/internal/export_files.h"
#include "tables/transfer/internal/export_names.h"

namespace tintype::tables::transfer {
namespace {

// How often to look whether a table is restored: such that stopping is prompt, and long restores
// are not disturbed.
constexpr std::chrono::milliseconds kPollInterval{20};

Error GivenUp() {
  return {ErrorKind::kUnavailable, "The export was given up before it was finished"};
}

Result<TableDescription> Describe(Database& database, const std::string& table) {
  ASSIGN_OR_RETURN(TableResponse response,
                   Await(database, &Database::DescribeTable, DescribeTableRequest{table}));
  return std::move(response.table);
}

// Until it is restored.
Result<TableDescription> WaitUntilWhole(Database& database, const ExportTask& task,
                                        const ExportReport& report) {
  for (;;) {
    auto description = Describe(database, task.source);
    if (!description.ok()) {
      return Error(tables::reasons::kTableNotFound,
                   "The table's state could not be restored for the export");
    }
    if (description->status != TableStatus::kCreating) {
      return description;
    }
    if (!report({true, static_cast<uint64_t>(description->size_bytes),
                 static_cast<uint64_t>(task.table_bytes)})) {
      return GivenUp();
    }
    std::this_thread::sleep_for(kPollInterval);
  }
}

}  // namespace

Result<ExportOutcome> RunExport(Database& database, const ExportTask& task, const Clock& clock,
                                const ExportReport& report) {
  ASSIGN_OR_RETURN(const TableDescription source, WaitUntilWhole(database, task, report));
  ASSIGN_OR_RETURN(const auto files, ExportFiles::Create(task));
  ExportProgress progress{false, 0, static_cast<uint64_t>(source.size_bytes)};
  ScanRequest scan;
  scan.table = task.source;
  scan.options.consistent_read = true;
  do {
    if (!report(progress)) {
      return GivenUp();
    }
    ASSIGN_OR_RETURN(ReadResponse page, Await(database, &Database::Scan, scan));
    for (const Item& item : page.items) {
      RETURN_IF_ERROR(files->Add(item.view()));
      progress.done_bytes += ItemSizeBytes(item.view());
    }
    scan.options.exclusive_start_key = std::move(page.last_evaluated_key);
  } while (scan.options.exclusive_start_key);
  report(progress);
  ASSIGN_OR_RETURN(ExportOutcome outcome,
                   files->Finish({static_cast<int64_t>(progress.done_bytes), clock.NowMs()}));
  return outcome;
}

Result<TableDescription> BeginSnapshot(Backups& backups, const SnapshotRequest& request) {
  RestoreTableToPointInTimeRequest restore;
  restore.source_table = request.table;
  restore.target_table = ScratchTable(request.id);
  restore.time_ms = request.time_ms;
  restore.overrides.billing_mode = BillingMode::kPayPerRequest;
  restore.overrides.global_indexes.emplace();
  restore.overrides.local_indexes.emplace();
  auto response = Await(backups, &Backups::RestoreTableToPointInTime, std::move(restore));
  if (!response.ok() && response.error().Is(tables::reasons::kInvalidRestoreTime)) {
    return Error(tables::reasons::kInvalidExportTime,
                 "The export time is outside of the time that can be recovered");
  }
  if (!response.ok()) {
    return std::move(response).error();
  }
  return std::move(response->table);
}

void RemoveScratch(Database& database, const std::string& name,
                   const std::function<bool()>& go_on) {
  for (;;) {
    const auto removed = Await(database, &Database::DeleteTable, DeleteTableRequest{name});
    if (removed.ok() || removed.error().kind() == ErrorKind::kNotFound) {
      return;
    }
    // In use: it is still being restored.
    if (removed.error().kind() != ErrorKind::kInUse || !go_on()) {
      LogWarning("the table of an export was not removed; the next start will",
                 {{"table", name}, {"reason", removed.error().message()}});
      return;
    }
    std::this_thread::sleep_for(kPollInterval);
  }
}

TableDefinition WholeDefinition(const TableDescription& table) {
  TableDefinition definition = table.definition;
  for (const IndexDescription& index : table.local_indexes) {
    definition.local_indexes.push_back(index.definition);
  }
  for (const IndexDescription& index : table.global_indexes) {
    definition.global_indexes.push_back(index.definition);
  }
  return definition;
}

Result<ExportOutcome> ExportTableTo(Database& database, Backups& backups,
                                    const ExportToRequest& request, const Clock& clock,
                                    const ExportReport& report) {
  ASSIGN_OR_RETURN(const TableDescription table, Describe(database, request.table));
  ASSIGN_OR_RETURN(const ContinuousBackupsResponse continuous,
                   Await(backups, &Backups::DescribeContinuousBackups,
                         DescribeContinuousBackupsRequest{request.table}));
  const std::filesystem::path folder(request.folder);
  ExportTask task;
  task.description.started_ms = clock.NowMs();
  task.id = NewTransferId(task.description.started_ms);
  task.description.arn = StrCat(table.arn, "/export/", task.id);
  task.description.table_arn = table.arn;
  task.description.table_id = table.id;
  task.description.time_ms = task.description.started_ms;
  task.description.bucket = folder.filename().string();
  task.root = folder.parent_path().string();
  task.table = WholeDefinition(table);
  task.table_bytes = table.size_bytes;
  task.source = request.table;
  if (continuous.recovery || request.time_ms) {
    ASSIGN_OR_RETURN(const TableDescription scratch,
                     BeginSnapshot(backups, {request.table, task.id, request.time_ms}));
    task.source = scratch.definition.name;
    task.description.time_ms =
        scratch.restore ? scratch.restore->time_ms : task.description.time_ms;
  }
  auto outcome = RunExport(database, task, clock, report);
  if (task.source != request.table) {
    RemoveScratch(database, task.source, request.may_wait);
  }
  return outcome;
}

}  // namespace tintype::tables::transfer
