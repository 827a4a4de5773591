#pragma once

#include <map>
#include <string>

#include "base/result.h"
#include "tables/language/transfers.h"

/// What is kept of exports and imports, one small file each (docs/formats/export.md).
namespace tintype::tables::transfer {

struct ExportRecord {
  ExportDescription description;
  std::string parameters;  // A digest of the request: a client token stands for one request.
};
struct ImportRecord {
  ImportDescription description;
  std::string parameters;
};

/// By id, the newest first.
using ExportRecords = std::map<std::string, ExportRecord, std::greater<>>;
using ImportRecords = std::map<std::string, ImportRecord, std::greater<>>;

struct Records {
  ExportRecords exports;
  ImportRecords imports;
};

/// The folder with the records. Not thread-safe.
class RecordFiles {
 public:
  explicit RecordFiles(std::string folder) : folder_(std::move(folder)) {}

  /// Creates the folder if there is none. A record that is damaged is logged and left out. Errors:
  /// kIo.
  Result<Records> ReadAll() const;
  Status Write(const std::string& id, const ExportRecord& record) const;
  Status Write(const std::string& id, const ImportRecord& record) const;
  void RemoveExport(const std::string& id) const;
  void RemoveImport(const std::string& id) const;

 private:
  std::string PathOf(std::string_view kind, const std::string& id) const;

  const std::string folder_;
};

}  // namespace tintype::tables::transfer
