#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "tables/language/backups.h"
#include "tables/language/transfers.h"
#include "tables/transfer/export_table.h"
#include "tables/transfer/internal/record_store.h"
#include "tables/transfer/internal/worker.h"
#include "tables/transfer/record_sealing.h"

namespace tintype::tables::transfer {

struct TransferConfig {
  /// The folder whose folders are the buckets that requests name. No default.
  std::string root = {};
  /// The folder with what is kept of exports and imports. No default.
  std::string records = {};
  /// How that is kept. Default: in plain.
  RecordSealing sealing = {};
  /// How many exports and imports may wait for the one that is being done. More are refused with
  /// kLimitExceeded. Default: 50, DynamoDB's quota of imports.
  size_t waiting_max = 50;
  /// Bytes of JSON in one file of an export. Default: 100 MB.
  uint64_t file_bytes = uint64_t{100} << 20;
};

/// Exports and imports of tables, over any Database and Backups, to and from a folder.
///
/// An export's state is restored to a table of its own, `tintype-export-ID`, which is read and then
/// removed. One export or import is done at a time, on a thread of its own.
///
/// Owned by the process's wiring, which stops it before the database. Thread-safe.
/// After a crash: transfers that were not finished are FAILED, an export's files and its scratch
/// table are removed; an import's table stays with what it has got. An export whose files are whole
/// is COMPLETED, whatever its record said. Descriptions are kept for 90 days.
class TableTransfers : public Transfers {
 public:
  /// `database`, `backups` and `clock` must outlive it. Errors: kIo when the folder of records
  /// cannot be used.
  static Result<std::unique_ptr<TableTransfers>> Start(TransferConfig config, Database& database,
                                                       Backups& backups, const Clock& clock);
  ~TableTransfers() override { Stop(); }

  /// Gives up what is being done, after a page at the most. Idempotent.
  void Stop();

  void ExportTableToPointInTime(ExportTableRequest request, Done<ExportResponse> done) override;
  void DescribeExport(DescribeExportRequest request, Done<ExportResponse> done) override;
  void ListExports(ListExportsRequest request, Done<ListExportsResponse> done) override;
  void ImportTable(ImportTableRequest request, Done<ImportResponse> done) override;
  void DescribeImport(DescribeImportRequest request, Done<ImportResponse> done) override;
  void ListImports(ListImportsRequest request, Done<ListImportsResponse> done) override;

 private:
  TableTransfers(TransferConfig config, Database& database, Backups& backups, const Clock& clock);

  Status Recover();
  Status RemoveScratchTables();

  Result<ExportResponse> BeginExport(const ExportTableRequest& request);
  Result<ImportResponse> BeginImport(const ImportTableRequest& request);
  void DoExport(const ExportTask& task);
  void DoImport(const std::string& id);
  Status ImportFiles(const std::string& id, ImportDescription& description);

  /// Ends an export as what is on disk says.
  void EndInterrupted(const std::string& id, ExportRecord record);

  void ForgetOld(int64_t now_ms);

  /// Has `begin` called on the thread for requests, and its outcome passed to `done`.
  template <typename Response, typename Begin>
  void Submit(Begin begin, Done<Response> done);

  /// Fails when too much is waiting already. Only one thread adds to it.
  Status CheckWaiting() const;

  static constexpr size_t kRequestsWaitingMax = 256;
  /// Never reached: CheckWaiting refuses before.
  static constexpr size_t kTransfersWaitingMax = 1'000'000;

  const TransferConfig config_;
  Database& database_;
  Backups& backups_;
  const Clock& clock_;
  RecordStore<ExportRecord> exports_;
  RecordStore<ImportRecord> imports_;
  // A request has to look at tables and write a record, which takes longer than its caller may
  // wait, but must not wait for exports. Last, since their threads use all of the above.
  Worker transfers_{kTransfersWaitingMax};
  Worker requests_{kRequestsWaitingMax};
};

}  // namespace tintype::tables::transfer
