#include "tables/transfer/internal/export_manifests.h"

#include <simdjson.h>

#include <algorithm>
#include <ctime>

#include "base/strings.h"
#include "tables/transfer/internal/json_object.h"

namespace tintype::tables::transfer {
namespace {

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

}  // namespace

std::string FormatFilesManifest(const std::vector<ExportedFile>& files) {
  std::string lines;
  for (const ExportedFile& file : files) {
    StrAppend(lines,
              JsonObjectWriter()
                  .Number("itemCount", file.items)
                  .Text("md5Checksum", file.md5_base64)
                  .Text("etag", file.md5_hex)
                  .Text("dataFileS3Key", file.key)
                  .Take(),
              "\n");
  }
  return lines;
}

std::string FormatSummary(const ExportDescription& description, const ExportSummary& summary) {
  JsonObjectWriter json;
  json.Text("version", "2020-06-30")
      .Text("exportArn", description.arn)
      .Text("startTime", IsoTime(description.started_ms))
      .Text("endTime", IsoTime(summary.ended_ms))
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
      .Text("manifestFilesS3Key", summary.files_manifest_key)
      .Number("billedSizeBytes", summary.bytes)
      .Number("itemCount", summary.items)
      .Text("outputFormat", "DYNAMODB_JSON")
      .Take();
}

Result<std::vector<std::string>> ParseFilesManifest(std::string_view text) {
  std::vector<std::string> keys;
  simdjson::dom::parser parser;
  for (std::string_view rest = text; !rest.empty();) {
    const size_t end = std::min(rest.find('\n'), rest.size());
    const simdjson::padded_string line(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::string_view key;
    if (parser.parse(line)["dataFileS3Key"].get(key) != simdjson::SUCCESS) {
      return Error::Corruption("The list of an export's files is damaged");
    }
    keys.emplace_back(key);
  }
  return keys;
}

Result<ExportTotals> ParseSummary(std::string_view text) {
  ExportTotals totals;
  simdjson::dom::parser parser;
  simdjson::dom::element summary;
  if (parser.parse(simdjson::padded_string(text)).get(summary) != simdjson::SUCCESS ||
      summary["itemCount"].get(totals.items) != simdjson::SUCCESS ||
      summary["billedSizeBytes"].get(totals.bytes) != simdjson::SUCCESS) {
    return Error::Corruption("The summary of an export is damaged");
  }
  return totals;
}

}  // namespace tintype::tables::transfer
