#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

#include "base/strings.h"
#include "tables/language/await.h"
#include "tables/transfer/import_table.h"
#include "tables/transfer/internal/export_names.h"
#include "tables/transfer/internal/files.h"
#include "tables/transfer/internal/paths.h"
#include "tables/wire/codec.h"

// Imports for a command: from any folder, also into a table that is to be created.
namespace tintype::tables::transfer {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMetadataBytesMax = size_t{64} << 20;

/// The folder of the export that is in `folder`, if there is one: where the summary is.
Result<std::optional<std::string>> FindExport(const std::string& folder) {
  std::optional<std::string> found;
  std::error_code error;
  fs::recursive_directory_iterator entries(folder, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    if (entries->path().filename() != StrCat(kSummaryManifest, ".json")) {
      continue;
    }
    if (found) {
      return Error::Validation(StrCat("There are several exports in ", folder, ", among them ",
                                      *found, " and ", entries->path().parent_path().string(),
                                      ". Name one of them."));
    }
    found = entries->path().parent_path().string();
  }
  if (error) {
    return Error::Io(StrCat("Cannot list ", folder, ": ", error.message()));
  }
  return found;
}

/// Fails when a file is missing that the manifest names: the rest would be imported as if it were
/// all.
Status CheckAgainstManifest(const std::string& export_folder,
                            const std::vector<SourceFile>& files) {
  const std::string path = StrCat(export_folder, "/", kFilesManifest, ".json");
  ASSIGN_OR_RETURN(const std::string manifest, ReadWholeFile(path, kMetadataBytesMax));
  std::set<std::string> names;
  for (const SourceFile& file : files) {
    names.insert(fs::path(file.path).filename().string());
  }
  simdjson::dom::parser parser;
  for (std::string_view rest = manifest; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const simdjson::padded_string line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::string_view key;
    if (parser.parse(line)["dataFileS3Key"].get(key) != simdjson::SUCCESS) {
      return Error::Corruption(StrCat("The file ", path, " is damaged"));
    }
    if (!names.contains(fs::path(key).filename().string())) {
      return Error::Validation(StrCat("The export's file ", key, " is missing in ", export_folder));
    }
  }
  return OkStatus();
}

/// The table as it is, or as it was created.
Result<TableDescription> FindOrCreate(Database& database, const std::string& name,
                                      const std::optional<std::string>& export_folder,
                                      bool& created) {
  auto described = Await(database, &Database::DescribeTable, DescribeTableRequest{name});
  if (described.ok() || described.error().code() != ErrorCode::kNotFound) {
    return described.ok() ? Result<TableDescription>(std::move(described->table))
                          : std::move(described).error();
  }
  const std::string path = StrCat(export_folder.value_or(""), "/", kTableFile);
  std::error_code ignored;
  if (!export_folder || !fs::exists(path, ignored)) {
    return Error(ErrorCode::kTableNotFound,
                 StrCat("There is no table ", name,
                        ", and no table.json of an export that says how to create it. Create the "
                        "table first."));
  }
  ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, kMetadataBytesMax));
  auto request = wire::DecodeCreateTable(text);
  if (!request.ok()) {
    return Error::Validation(
        StrCat("Cannot create a table from ", path, ": ", request.error().message()));
  }
  request->definition.name = name;
  ASSIGN_OR_RETURN(TableResponse made,
                   Await(database, &Database::CreateTable, *std::move(request)));
  created = true;
  return std::move(made.table);
}

}  // namespace

Result<ImportOutcome> ImportTableFrom(Database& database, const ImportFromRequest& request,
                                      const ImportReport& report) {
  ASSIGN_OR_RETURN(const std::vector<SourceFile> files, ListSources({request.folder}));
  if (files.empty()) {
    return Error::Validation(
        StrCat("There are no files of DynamoDB JSON (*.json, *.json.gz) in ", request.folder));
  }
  ASSIGN_OR_RETURN(const std::optional<std::string> export_folder, FindExport(request.folder));
  if (export_folder) {
    RETURN_IF_ERROR(CheckAgainstManifest(*export_folder, files));
  }
  ImportOutcome outcome;
  outcome.files = files.size();
  ASSIGN_OR_RETURN(const TableDescription table,
                   FindOrCreate(database, request.table, export_folder, outcome.created));
  RETURN_IF_ERROR(
      RunImport(database, {request.table, table.definition.keys, files}, report, outcome.progress));
  return outcome;
}

}  // namespace tintype::tables::transfer
