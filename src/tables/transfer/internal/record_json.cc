#include "tables/transfer/internal/record_json.h"

#include <simdjson.h>

#include <array>
#include <utility>

#include "tables/transfer/internal/json_object.h"
#include "tables/wire/client_codec.h"
#include "tables/wire/codec.h"

namespace tintype::tables::transfer {
namespace {

constexpr std::array<std::pair<TransferStatus, std::string_view>, 4> kStatusNames{{
    {TransferStatus::kInProgress, "IN_PROGRESS"},
    {TransferStatus::kCompleted, "COMPLETED"},
    {TransferStatus::kFailed, "FAILED"},
    {TransferStatus::kCancelled, "CANCELLED"},
}};

std::string_view StatusName(TransferStatus status) {
  for (const auto& [each, name] : kStatusNames) {
    if (each == status) {
      return name;
    }
  }
  return "";
}

/// What both kinds have in common.
template <typename Record>
void WriteCommon(JsonObjectWriter& json, const Record& record) {
  const auto& description = record.description;
  json.Text("arn", description.arn)
      .Text("status", StatusName(description.status))
      .Text("table_arn", description.table_arn)
      .Text("table_id", description.table_id)
      .Number("started_ms", description.started_ms)
      .OptionalNumber("ended_ms", description.ended_ms)
      .Text("bucket", description.bucket)
      .Text("prefix", description.prefix)
      .OptionalText("bucket_owner", description.bucket_owner)
      .OptionalText("client_token", description.client_token)
      .OptionalText("failure_code", description.failure_code)
      .OptionalText("failure_message", description.failure_message)
      .Text("parameters", record.parameters);
}

/// Members by name. Members that are missing or of another type are noted.
class Reader {
 public:
  explicit Reader(simdjson::dom::element json) : json_(json) {}

  void Text(std::string_view name, std::string& out) { Required(OptionalText(name), out); }
  void Number(std::string_view name, int64_t& out) { Required(OptionalNumber(name), out); }
  void Bool(std::string_view name, bool& out) { whole_ &= json_[name].get(out) == kSuccess; }

  std::optional<std::string> OptionalText(std::string_view name) {
    std::string_view text;
    return json_[name].get(text) == kSuccess ? std::optional(std::string(text)) : std::nullopt;
  }
  std::optional<int64_t> OptionalNumber(std::string_view name) {
    int64_t number = 0;
    return json_[name].get(number) == kSuccess ? std::optional(number) : std::nullopt;
  }
  std::string Json(std::string_view name) {
    simdjson::dom::element element;
    whole_ &= json_[name].get(element) == kSuccess;
    return whole_ ? simdjson::minify(element) : "";
  }
  template <typename Record>
  void Common(Record& record) {
    auto& description = record.description;
    Text("arn", description.arn);
    Status(description.status);
    Text("table_arn", description.table_arn);
    Text("table_id", description.table_id);
    Number("started_ms", description.started_ms);
    description.ended_ms = OptionalNumber("ended_ms");
    Text("bucket", description.bucket);
    Text("prefix", description.prefix);
    description.bucket_owner = OptionalText("bucket_owner");
    description.client_token = OptionalText("client_token");
    description.failure_code = OptionalText("failure_code");
    description.failure_message = OptionalText("failure_message");
    Text("parameters", record.parameters);
  }

  bool whole() const { return whole_; }

 private:
  static constexpr auto kSuccess = simdjson::SUCCESS;

  template <typename T>
  void Required(std::optional<T> found, T& out) {
    whole_ &= found.has_value();
    out = std::move(found).value_or(T{});
  }
  void Status(TransferStatus& out) {
    const auto text = OptionalText("status");
    bool known = false;
    for (const auto& [status, name] : kStatusNames) {
      if (text == name) {
        out = status;
        known = true;
      }
    }
    whole_ &= known;
  }

  simdjson::dom::element json_;
  bool whole_ = true;
};

bool ReadMembers(Reader reader, ExportRecord& record) {
  ExportDescription& description = record.description;
  reader.Common(record);
  reader.Number("time_ms", description.time_ms);
  reader.Number("billed_bytes", description.billed_bytes);
  reader.Number("item_count", description.item_count);
  description.manifest = reader.OptionalText("manifest");
  return reader.whole();
}

bool ReadMembers(Reader reader, ImportRecord& record) {
  ImportDescription& description = record.description;
  reader.Common(record);
  reader.Bool("gzip", description.gzip);
  reader.Number("processed_bytes", description.processed_bytes);
  reader.Number("processed_items", description.processed_items);
  reader.Number("imported_items", description.imported_items);
  reader.Number("error_count", description.error_count);
  const std::string table = reader.Json("table");
  if (!reader.whole()) {
    return false;
  }
  auto request = wire::DecodeCreateTable(table);
  if (request.ok()) {
    description.table = std::move(request->definition);
  }
  return request.ok();
}

}  // namespace

std::string FormatRecord(const ExportRecord& record) {
  const ExportDescription& description = record.description;
  JsonObjectWriter json;
  WriteCommon(json, record);
  json.Number("time_ms", description.time_ms)
      .Number("billed_bytes", description.billed_bytes)
      .Number("item_count", description.item_count)
      .OptionalText("manifest", description.manifest);
  return json.Take();
}

std::string FormatRecord(const ImportRecord& record) {
  const ImportDescription& description = record.description;
  JsonObjectWriter json;
  WriteCommon(json, record);
  json.Bool("gzip", description.gzip)
      .Number("processed_bytes", description.processed_bytes)
      .Number("processed_items", description.processed_items)
      .Number("imported_items", description.imported_items)
      .Number("error_count", description.error_count)
      .Json("table", wire::EncodeRequest(CreateTableRequest{description.table, {}}));
  return json.Take();
}

template <typename Record>
Result<Record> ParseRecord(std::string_view text) {
  simdjson::dom::parser parser;
  simdjson::dom::element json;
  Record record;
  if (parser.parse(simdjson::padded_string(text)).get(json) != simdjson::SUCCESS ||
      !ReadMembers(Reader(json), record)) {
    return Error::Corruption("The record of an export or import is damaged");
  }
  return record;
}
template Result<ExportRecord> ParseRecord(std::string_view);
template Result<ImportRecord> ParseRecord(std::string_view);

}  // namespace tintype::tables::transfer
