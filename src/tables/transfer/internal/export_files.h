#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "tables/transfer/export_table.h"
#include "tables/transfer/internal/export_manifests.h"
#include "tables/transfer/internal/gzip_writer.h"

namespace tintype::tables::transfer {

/// The files of one export. Removes what it wrote unless it is finished. Not thread-safe.
class ExportFiles {
 public:
  /// Creates the export's folder. `task` must outlive this.
  static Result<std::unique_ptr<ExportFiles>> Create(const ExportTask& task);
  ~ExportFiles();
  ExportFiles(const ExportFiles&) = delete;
  ExportFiles& operator=(const ExportFiles&) = delete;

  Status Add(MapView item);
  struct Totals {
    int64_t bytes = 0;  // Of the table.
    int64_t ended_ms = 0;
  };
  Result<ExportOutcome> Finish(const Totals& totals);

 private:
  explicit ExportFiles(const ExportTask& task);
  std::string PathOf(std::string_view name) const;
  Status BeginDataFile();
  Status Flush();
  Status EndDataFile();
  Status WriteManifest(std::string_view name, std::string_view content);

  const ExportTask& task_;
  const std::string key_;     // The export's folder within the bucket, with a slash at the end.
  const std::string folder_;  // The same on disk, without.
  std::unique_ptr<GzipWriter> data_;
  std::string data_key_;
  int64_t data_items_ = 0;
  uint64_t data_bytes_ = 0;
  std::string lines_;
  std::vector<ExportedFile> done_;
  int64_t items_ = 0;
  bool finished_ = false;
};

/// Removes what an export that did not end has written.
void RemoveExportFiles(const ExportTask& task);

/// Whether an export was finished: the last of its files is there.
bool IsExportWhole(const ExportTask& task);

/// What an export that is whole says of itself, but for the number of its files. Errors: kIo.
Result<ExportOutcome> ReadExportOutcome(const ExportTask& task);

}  // namespace tintype::tables::transfer
