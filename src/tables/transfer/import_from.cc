#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/strings.h"
#include "tables/language/await.h"
#include "tables/language/errors.h"
#include "tables/transfer/import_table.h"
#include "tables/transfer/internal/export_manifests.h"
#include "tables/transfer/internal/export_names.h"
#include "tables/transfer/internal/paths.h"
#include "tables/wire/codec.h"

// Imports for a command: from any folder, also into a table that is to be created.
namespace tintype::tables::transfer {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMetadataBytesMax = size_t{64} << 20;

/// Fails when an export in this folder was begun and is not finished.
Status CheckFinished(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::exists(folder / kStartedFile, ignored) || fs::exists(folder / kSummaryFile, ignored)) {
    return OkStatus();
  }
  return Error::Validation(StrCat("The export in ", folder.string(), " is not finished: it has no ",
                                  kSummaryFile,
                                  ". If it is not being written any more, remove the folder and "
                                  "export again, or name the folder of another export."));
}

/// The folder of the export that is in `folder`, if there is one: where the summary is. Refuses
/// exports that are not finished, also beside one that is, which may be an older one.
Result<std::optional<std::string>> FindExport(const std::string& folder) {
  std::optional<std::string> found;
  std::error_code error;
  // The folder may be the one with an export's data.
  RETURN_IF_ERROR(CheckFinished((fs::path(folder) / "").parent_path().parent_path()));
  fs::recursive_directory_iterator entries(folder, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    if (entries->path().filename() == kStartedFile) {
      RETURN_IF_ERROR(CheckFinished(entries->path().parent_path()));
    }
    if (entries->path().filename() != kSummaryFile) {
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

/// The files that the export's manifest names, and no others that may lie beside them. Fails when
/// one is missing: the rest would be imported as if it were all.
Result<std::vector<SourceFile>> ListExported(const std::string& export_folder) {
  ASSIGN_OR_RETURN(std::vector<SourceFile> present, ListSources({export_folder}));
  const std::string path = StrCat(export_folder, "/", kFilesManifest, ".json");
  ASSIGN_OR_RETURN(const std::string manifest, ReadFile(path, kMetadataBytesMax));
  std::map<std::string, SourceFile> by_name;
  for (SourceFile& file : present) {
    by_name.emplace(fs::path(file.path).filename().string(), std::move(file));
  }
  std::vector<SourceFile> files;
  const auto keys = ParseFilesManifest(manifest);
  if (!keys.ok()) {
    return Error::Corruption(StrCat("The file ", path, " is damaged"));
  }
  for (const std::string& key : *keys) {
    auto file = by_name.extract(fs::path(key).filename().string());
    if (file.empty()) {
      return Error::Validation(StrCat("The export's file ", key, " is missing in ", export_folder));
    }
    files.push_back(std::move(file.mapped()));
  }
  return files;
}

/// The table as it is, or as it was created.
Result<TableDescription> FindOrCreate(Database& database, const std::string& name,
                                      const std::optional<std::string>& export_folder,
                                      bool& created) {
  auto described = Await(database, &Database::DescribeTable, DescribeTableRequest{name});
  if (described.ok() || described.error().kind() != ErrorKind::kNotFound) {
    return described.ok() ? Result<TableDescription>(std::move(described->table))
                          : std::move(described).error();
  }
  const std::string path = StrCat(export_folder.value_or(""), "/", kTableFile);
  std::error_code ignored;
  if (!export_folder || !fs::exists(path, ignored)) {
    return Error(tables::reasons::kTableNotFound,
                 StrCat("There is no table ", name,
                        ", and no table.json of an export that says how to create it. Create the "
                        "table first."));
  }
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path, kMetadataBytesMax));
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
  std::error_code error;
  if (!fs::is_directory(request.folder, error)) {
    return Error::NotFound(StrCat("There is no folder ", request.folder));
  }
  ASSIGN_OR_RETURN(const std::optional<std::string> export_folder, FindExport(request.folder));
  ASSIGN_OR_RETURN(const std::vector<SourceFile> files,
                   export_folder ? ListExported(*export_folder) : ListSources({request.folder}));
  if (files.empty()) {
    return Error::Validation(
        StrCat("There are no files of DynamoDB JSON (*.json, *.json.gz) in ", request.folder));
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
