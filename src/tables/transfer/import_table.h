#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "tables/language/transfers.h"

/// Imports: the items in files of DynamoDB JSON to a table.
namespace tintype::tables::transfer {

struct SourceFile;

/// How far an import has come, and what came of it.
struct ImportProgress {
  uint64_t done_bytes = 0;  ///< Of the files as they are.
  uint64_t total_bytes = 0;
  int64_t items = 0;             ///< Lines that were read.
  int64_t imported = 0;          ///< Those that were written.
  int64_t bad_lines = 0;         ///< Those that were not.
  std::string first_error = {};  ///< What was wrong with the first of those, and where.
};
/// False: nobody wants the import any more, so give up.
using ImportReport = std::function<bool(const ImportProgress&)>;

/// Writes every line of the files to a table that exists. Of lines with the same key a later one
/// wins over an earlier one nearby, unless it is refused. Lines that cannot be read or written are
/// counted, and the first ones logged. `progress` is current also when it fails. Errors:
/// kUnavailable when `report` gave up; kCorruption or kIo naming the file that cannot be read;
/// those of writing.
struct ImportTask {
  std::string table;
  KeySchema keys;
  const std::vector<SourceFile>& files;
};
Status RunImport(Database& database, const ImportTask& task, const ImportReport& report,
                 ImportProgress& progress);

/// Imports an export in a folder, the files that its manifest names, or without one every file of
/// DynamoDB JSON there, plain or compressed, for a command. A table that does not exist is created
/// as the export's table.json says. Errors beside those above: kValidation when the folder has no
/// such files, holds several exports or one that is not finished, or lacks files that the export's
/// manifest names; kTableNotFound when the table does not exist and there is no
/// table.json.
struct ImportFromRequest {
  std::string table;
  std::string folder;
};
struct ImportOutcome {
  ImportProgress progress;
  bool created = false;
  size_t files = 0;
};
Result<ImportOutcome> ImportTableFrom(Database& database, const ImportFromRequest& request,
                                      const ImportReport& report);

}  // namespace tintype::tables::transfer
