#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "tables/language/backups.h"
#include "tables/language/transfers.h"

/// Exports: a table's items to files, laid out as DynamoDB lays them out (docs/formats/export.md).
namespace tintype::tables::transfer {

/// How far an export has come, by the size of items in the table.
struct ExportProgress {
  bool recovering = false;  ///< The moment is being restored; then it is written to files.
  uint64_t done_bytes = 0;
  uint64_t total_bytes = 0;
};
/// False: nobody wants the export any more, so give up.
using ExportReport = std::function<bool(const ExportProgress&)>;

/// One export.
struct ExportTask {
  std::string id;
  /// Everything but how it ended. Its bucket is a folder below `root`, its prefix one below that.
  ExportDescription description;
  std::string root;
  TableDefinition table;    ///< The exported one.
  int64_t table_bytes = 0;  ///< Its size, about.
  std::string source;       ///< The table to read: the scratch one, or the exported one itself.
  uint64_t file_bytes = uint64_t{100} << 20;  ///< Of JSON, in one data file.
};

struct ExportOutcome {
  std::string manifest;  // Path within the bucket.
  std::string folder;    // Where the export is, on disk.
  int64_t items = 0;
  int64_t bytes = 0;  // Of the table.
  int64_t files = 0;
};

/// Waits until the source is whole, then writes its items and last of all the manifests. An export
/// that cannot be finished is removed. Errors: kUnavailable when `report` gave up; kIo naming the
/// file; those of reading.
Result<ExportOutcome> RunExport(Database& database, const ExportTask& task, const Clock& clock,
                                const ExportReport& report);

/// Begins to restore `table` as of `time_ms`, the latest time if absent, to the scratch table of
/// `id`, without its indexes. Errors: kTableNotFound, kRecoveryUnavailable, kInvalidExportTime.
struct SnapshotRequest {
  std::string table;
  std::string id;
  std::optional<int64_t> time_ms;
};
Result<TableDescription> BeginSnapshot(Backups& backups, const SnapshotRequest& request);

/// Removes a scratch table, also one that is still being restored, which takes until it is whole.
/// Gives up when `go_on` says so; the next start removes it then.
void RemoveScratch(Database& database, const std::string& name, const std::function<bool()>& go_on);

/// A table's definition with those of its indexes.
TableDefinition WholeDefinition(const TableDescription& table);

/// Exports a table to any folder, for a command. A table with recovery is read as of a moment,
/// `time_ms` or now; one without is read as it is, while it changes, and has no other times.
/// The table restored for it is removed also when `report` gave up, which may have to wait until it
/// is restored: it does while `may_wait`, else the next start removes it.
struct ExportToRequest {
  std::string table;
  std::string folder;  // An absolute path; created if absent.
  std::optional<int64_t> time_ms;
  std::function<bool()> may_wait = [] { return true; };
};
Result<ExportOutcome> ExportTableTo(Database& database, Backups& backups,
                                    const ExportToRequest& request, const Clock& clock,
                                    const ExportReport& report);

}  // namespace tintype::tables::transfer
