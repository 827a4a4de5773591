#include "tables/transfer/internal/export_files.h"

#include <filesystem>
#include <system_error>

#include "base/files.h"
#include "base/random.h"
#include "base/strings.h"
#include "tables/transfer/internal/export_names.h"
#include "tables/wire/client_codec.h"
#include "tables/wire/item_json.h"

namespace tintype::tables::transfer {
namespace {

constexpr size_t kSummaryBytesMax = size_t{1} << 20;
constexpr size_t kLinesBytes = size_t{256} << 10;  // Collected before they are compressed.

std::string KeyOf(const ExportTask& task) {
  const std::string& prefix = task.description.prefix;
  return StrCat(prefix, prefix.empty() || prefix.ends_with('/') ? "" : "/", kExportFolder, "/",
                task.id, "/");
}

std::string FolderOf(const ExportTask& task) {
  const std::string key = KeyOf(task);
  return StrCat(task.root, "/", task.description.bucket, "/", key.substr(0, key.size() - 1));
}

}  // namespace

void RemoveExportFiles(const ExportTask& task) {
  std::error_code ignored;  // The export has failed anyhow.
  std::filesystem::remove_all(FolderOf(task), ignored);
}

bool IsExportWhole(const ExportTask& task) {
  std::error_code ignored;
  return std::filesystem::exists(StrCat(FolderOf(task), "/", kSummaryFile), ignored);
}

Result<ExportOutcome> ReadExportOutcome(const ExportTask& task) {
  ExportOutcome outcome{StrCat(KeyOf(task), kSummaryFile), FolderOf(task), 0, 0, 0};
  const std::string path = StrCat(outcome.folder, "/", kSummaryFile);
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path, kSummaryBytesMax));
  const auto totals = ParseSummary(text);
  if (!totals.ok()) {
    return Error::Io(StrCat("The file ", path, " is damaged"));
  }
  outcome.items = totals->items;
  outcome.bytes = totals->bytes;
  return outcome;
}

ExportFiles::ExportFiles(const ExportTask& task)
    : task_(task), key_(KeyOf(task)), folder_(FolderOf(task)) {}

std::string ExportFiles::PathOf(std::string_view name) const { return StrCat(folder_, "/", name); }

Result<std::unique_ptr<ExportFiles>> ExportFiles::Create(const ExportTask& task) {
  std::unique_ptr<ExportFiles> files(new ExportFiles(task));
  RETURN_IF_ERROR(MakeFolders(files->PathOf("data")));
  RETURN_IF_ERROR(WriteFileAtomically(files->PathOf(kStartedFile), "", kFileMode));
  return files;
}

ExportFiles::~ExportFiles() {
  if (!finished_) {
    data_.reset();
    RemoveExportFiles(task_);
  }
}

Status ExportFiles::BeginDataFile() {
  const std::string name = StrCat("data/", RandomUuid(), ".json.gz");
  data_key_ = key_ + name;
  ASSIGN_OR_RETURN(data_, GzipWriter::Create(PathOf(name)));
  return OkStatus();
}

Status ExportFiles::Add(MapView item) {
  if (!data_) {
    RETURN_IF_ERROR(BeginDataFile());
  }
  wire::AppendItemLine(lines_, item);
  lines_.push_back('\n');
  ++data_items_;
  return lines_.size() < kLinesBytes ? OkStatus() : Flush();
}

Status ExportFiles::Flush() {
  data_bytes_ += lines_.size();
  RETURN_IF_ERROR(data_->Write(lines_));
  lines_.clear();
  return data_bytes_ < task_.file_bytes ? OkStatus() : EndDataFile();
}

Status ExportFiles::EndDataFile() {
  ASSIGN_OR_RETURN(const FileDigest digest, data_->Finish());
  done_.push_back({data_key_, data_items_, digest.Base64(), digest.Hex()});
  items_ += data_items_;
  data_.reset();
  data_items_ = 0;
  data_bytes_ = 0;
  return OkStatus();
}

Status ExportFiles::WriteManifest(std::string_view name, std::string_view content) {
  const std::string path = PathOf(name);
  ASSIGN_OR_RETURN(const FileDigest digest, WriteDigestedFile(path + ".json", content));
  return WriteFileAtomically(path + ".md5", digest.Base64(), kFileMode);
}

Result<ExportOutcome> ExportFiles::Finish(const Totals& totals) {
  // An empty table has one empty file, so that whoever imports it finds something.
  if (!data_ && done_.empty()) {
    RETURN_IF_ERROR(BeginDataFile());
  }
  if (data_) {
    RETURN_IF_ERROR(Flush());
  }
  if (data_) {
    RETURN_IF_ERROR(EndDataFile());
  }
  RETURN_IF_ERROR(WriteManifest(kFilesManifest, FormatFilesManifest(done_)));
  RETURN_IF_ERROR(WriteFileAtomically(
      PathOf(kTableFile), wire::EncodeRequest(CreateTableRequest{task_.table, {}}), kFileMode));
  RETURN_IF_ERROR(WriteManifest(
      kSummaryManifest, FormatSummary(task_.description, {StrCat(key_, kFilesManifest, ".json"),
                                                          totals.ended_ms, items_, totals.bytes})));
  finished_ = true;
  return ExportOutcome{StrCat(key_, kSummaryFile), folder_, items_, totals.bytes,
                       static_cast<int64_t>(done_.size())};
}

}  // namespace tintype::tables::transfer
