#include "tables/transfer/internal/export_files.h"

#include <simdjson.h>

#include <ctime>
#include <filesystem>
#include <system_error>

#include "base/random.h"
#include "base/strings.h"
#include "tables/transfer/internal/export_names.h"
#include "tables/transfer/internal/json_object.h"
#include "tables/wire/client_codec.h"
#include "tables/wire/item_json.h"

namespace tintype::tables::transfer {
namespace {

constexpr size_t kSummaryBytesMax = size_t{1} << 20;
constexpr size_t kLinesBytes = size_t{256} << 10;  // Collected before they are compressed.

/// 2020-11-04T07:28:34.028Z.
std::string IsoTime(int64_t ms) {
  const std::time_t seconds = ms / 1000;
  std::tm parts{};
  ::gmtime_r(&seconds, &parts);
  char text[40];
  const size_t size = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%S.", &parts);
  const std::string fraction = std::to_string(1000 + ms % 1000).substr(1);
  return StrCat(std::string_view(text, size), fraction, "Z");
}

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
  ASSIGN_OR_RETURN(const std::string text, ReadWholeFile(path, kSummaryBytesMax));
  simdjson::dom::parser parser;
  simdjson::dom::element summary;
  if (parser.parse(simdjson::padded_string(text)).get(summary) != simdjson::SUCCESS ||
      summary["itemCount"].get(outcome.items) != simdjson::SUCCESS ||
      summary["billedSizeBytes"].get(outcome.bytes) != simdjson::SUCCESS) {
    return Error::Io(StrCat("The file ", path, " is damaged"));
  }
  return outcome;
}

ExportFiles::ExportFiles(const ExportTask& task)
    : task_(task), key_(KeyOf(task)), folder_(FolderOf(task)) {}

std::string ExportFiles::PathOf(std::string_view name) const { return StrCat(folder_, "/", name); }

Result<std::unique_ptr<ExportFiles>> ExportFiles::Create(const ExportTask& task) {
  std::unique_ptr<ExportFiles> files(new ExportFiles(task));
  RETURN_IF_ERROR(MakeFolders(files->PathOf("data")));
  RETURN_IF_ERROR(WriteWholeFile(files->PathOf(kStartedFile), ""));
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
  ASSIGN_OR_RETURN(FileDigest digest, data_->Finish());
  done_.push_back({data_key_, std::move(digest), data_items_});
  items_ += data_items_;
  data_.reset();
  data_items_ = 0;
  data_bytes_ = 0;
  return OkStatus();
}

std::string ExportFiles::FilesManifest() const {
  std::string lines;
  for (const DataFile& file : done_) {
    StrAppend(lines,
              JsonObjectWriter()
                  .Number("itemCount", file.items)
                  .Text("md5Checksum", file.digest.Base64())
                  .Text("etag", file.digest.Hex())
                  .Text("dataFileS3Key", file.key)
                  .Take(),
              "\n");
  }
  return lines;
}

std::string ExportFiles::SummaryManifest(const Totals& totals) const {
  const ExportDescription& description = task_.description;
  JsonObjectWriter json;
  json.Text("version", "2020-06-30")
      .Text("exportArn", description.arn)
      .Text("startTime", IsoTime(description.started_ms))
      .Text("endTime", IsoTime(totals.ended_ms))
      .Text("tableArn", description.table_arn)
      .Text("tableId", description.table_id)
      .Text("exportTime", IsoTime(description.time_ms))
      .Text("s3Bucket", description.bucket);
  if (description.prefix.empty()) {
    json.Null("s3Prefix");
  } else {
    json.Text("s3Prefix", description.prefix);
  }
  return json.Null("s3SseAlgorithm")
      .Null("s3SseKmsKeyId")
      .Text("manifestFilesS3Key", StrCat(key_, kFilesManifest, ".json"))
      .Number("billedSizeBytes", totals.bytes)
      .Number("itemCount", items_)
      .Text("outputFormat", "DYNAMODB_JSON")
      .Take();
}

Status ExportFiles::WriteManifest(std::string_view name, std::string_view content) {
  const std::string path = PathOf(name);
  ASSIGN_OR_RETURN(const FileDigest digest, WriteWholeFile(path + ".json", content));
  RETURN_IF_ERROR(WriteWholeFile(path + ".md5", digest.Base64()));
  return OkStatus();
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
  RETURN_IF_ERROR(WriteManifest(kFilesManifest, FilesManifest()));
  RETURN_IF_ERROR(
      WriteWholeFile(PathOf(kTableFile), wire::EncodeRequest(CreateTableRequest{task_.table, {}})));
  RETURN_IF_ERROR(WriteManifest(kSummaryManifest, SummaryManifest(totals)));
  finished_ = true;
  return ExportOutcome{StrCat(key_, kSummaryFile), folder_, items_, totals.bytes,
                       static_cast<int64_t>(done_.size())};
}

}  // namespace tintype::tables::transfer
