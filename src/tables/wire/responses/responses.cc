#include <simdjson.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"
#include "tables/language/errors.h"
#include "tables/wire/codec.h"
#include "tables/wire/internal/json_writer.h"
#include "tables/wire/internal/request_writer.h"

namespace tintype::tables::wire {

namespace {

/// Room for what surrounds the items of an answer.
constexpr size_t kFrameBytes = 256;

/// A guess that is rarely too small: JSON is larger than the stored form by its quotes and type
/// names.
size_t JsonBytes(const Item& item) { return item.payload().size() * 2 + 16; }

void WriteUnits(JsonWriter& json, const ConsumedCapacity::Units& units, bool show_read_write) {
  json.Name("CapacityUnits");
  json.Double(units.total());
  if (show_read_write && units.read > 0) {
    json.Name("ReadCapacityUnits");
    json.Double(units.read);
  }
  if (show_read_write && units.write > 0) {
    json.Name("WriteCapacityUnits");
    json.Double(units.write);
  }
}

void WriteIndexUnits(JsonWriter& json, std::string_view member,
                     const std::map<std::string, ConsumedCapacity::Units>& indexes,
                     bool show_read_write) {
  if (indexes.empty()) {
    return;
  }
  json.Name(member);
  json.OpenObject();
  for (const auto& [name, units] : indexes) {
    json.Name(name);
    json.OpenObject();
    WriteUnits(json, units, show_read_write);
    json.CloseObject();
  }
  json.CloseObject();
}

void WriteCapacity(JsonWriter& json, const ConsumedCapacity& capacity) {
  ConsumedCapacity::Units total = capacity.table_units;
  for (const auto* indexes : {&capacity.local_indexes, &capacity.global_indexes}) {
    for (const auto& [name, units] : *indexes) {
      total.read += units.read;
      total.write += units.write;
    }
  }
  json.OpenObject();
  json.Name("TableName");
  json.String(capacity.table);
  WriteUnits(json, total, capacity.show_read_write);
  if (capacity.show_breakdown) {
    json.Name("Table");
    json.OpenObject();
    WriteUnits(json, capacity.table_units, capacity.show_read_write);
    json.CloseObject();
    WriteIndexUnits(json, "LocalSecondaryIndexes", capacity.local_indexes,
                    capacity.show_read_write);
    WriteIndexUnits(json, "GlobalSecondaryIndexes", capacity.global_indexes,
                    capacity.show_read_write);
  }
  json.CloseObject();
}

void WriteCapacity(JsonWriter& json, const std::optional<ConsumedCapacity>& capacity) {
  if (capacity) {
    json.Name("ConsumedCapacity");
    WriteCapacity(json, *capacity);
  }
}

void WriteCapacity(JsonWriter& json, const std::vector<ConsumedCapacity>& capacities) {
  if (capacities.empty()) {
    return;
  }
  json.Name("ConsumedCapacity");
  json.OpenArray();
  for (const ConsumedCapacity& capacity : capacities) {
    WriteCapacity(json, capacity);
  }
  json.CloseArray();
}

void WriteMetrics(JsonWriter& json, const ItemCollectionMetrics& metrics) {
  json.OpenObject();
  json.Name("ItemCollectionKey");
  json.Attributes(metrics.collection_key.view());
  json.Name("SizeEstimateRangeGB");
  json.OpenArray();
  json.Double(metrics.size_gb_low);
  json.Double(metrics.size_gb_high);
  json.CloseArray();
  json.CloseObject();
}

void WriteMetricsByTable(
    JsonWriter& json,
    const std::vector<std::pair<std::string, std::vector<ItemCollectionMetrics>>>& tables) {
  if (tables.empty()) {
    return;
  }
  json.Name("ItemCollectionMetrics");
  json.OpenObject();
  for (const auto& [table, all] : tables) {
    json.Name(table);
    json.OpenArray();
    for (const ItemCollectionMetrics& metrics : all) {
      WriteMetrics(json, metrics);
    }
    json.CloseArray();
  }
  json.CloseObject();
}

void WriteUnprocessedKeys(JsonWriter& json, const BatchGetItemRequest::Table& table,
                          const std::vector<Item>& keys) {
  json.OpenObject();
  json.Name("Keys");
  json.OpenArray();
  for (const Item& key : keys) {
    json.Attributes(key.view());
  }
  json.CloseArray();
  WriteProjection(json, table.projection);
  if (table.consistent_read) {
    json.Name("ConsistentRead");
    json.Bool(true);
  }
  json.CloseObject();
}

/// Most exceptions carry "message"; these carry "Message".
bool HasCapitalMessage(std::string_view exception) {
  static constexpr std::array<std::string_view, 5> kNames = {
      "#TransactionCanceledException", "#IdempotentParameterMismatchException",
      "#TransactionInProgressException", "#SerializationException", "#AccessDeniedException"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view name) { return exception.ends_with(name); });
}

void WriteReasons(JsonWriter& json, const CancellationDetail& detail) {
  json.Name("CancellationReasons");
  json.OpenArray();
  for (const CancellationDetail::Reason& reason : detail.reasons) {
    json.OpenObject();
    json.Name("Code");
    json.String(reason.code);
    if (!reason.message.empty()) {
      json.Name("Message");
      json.String(reason.message);
    }
    if (reason.item) {
      json.Name("Item");
      json.Attributes(reason.item->view());
    }
    json.CloseObject();
  }
  json.CloseArray();
}

}  // namespace

std::string EncodeGetItem(const GetItemResponse& response) {
  std::string body;
  body.reserve(kFrameBytes + (response.item ? JsonBytes(*response.item) : 0));
  JsonWriter json(body);
  json.OpenObject();
  if (response.item) {
    json.Name("Item");
    json.Attributes(response.item->view());
  }
  WriteCapacity(json, response.capacity);
  json.CloseObject();
  return body;
}

std::string EncodeWriteItem(const WriteItemResponse& response) {
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  if (response.attributes) {
    body.reserve(kFrameBytes + JsonBytes(*response.attributes));
    json.Name("Attributes");
    json.Attributes(response.attributes->view());
  }
  WriteCapacity(json, response.capacity);
  if (response.collection_metrics) {
    json.Name("ItemCollectionMetrics");
    WriteMetrics(json, *response.collection_metrics);
  }
  json.CloseObject();
  return body;
}

std::string EncodeBatchGetItem(const BatchGetItemRequest& request,
                               const BatchGetItemResponse& response) {
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  json.Name("Responses");
  json.OpenObject();
  for (const auto& [table, items] : response.items) {
    json.Name(table);
    json.OpenArray();
    for (const Item& item : items) {
      json.Attributes(item.view());
    }
    json.CloseArray();
  }
  json.CloseObject();
  json.Name("UnprocessedKeys");
  json.OpenObject();
  for (const BatchGetItemResponse::Unprocessed& rest : response.unprocessed) {
    const BatchGetItemRequest::Table& table = request.tables[rest.table_index];
    json.Name(table.table);
    WriteUnprocessedKeys(json, table, rest.keys);
  }
  json.CloseObject();
  WriteCapacity(json, response.capacity);
  json.CloseObject();
  return body;
}

std::string EncodeBatchWriteItem(const BatchWriteItemResponse& response) {
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  // A batch is always applied whole here, so nothing is ever left over.
  json.Name("UnprocessedItems");
  json.OpenObject();
  json.CloseObject();
  WriteMetricsByTable(json, response.collection_metrics);
  WriteCapacity(json, response.capacity);
  json.CloseObject();
  return body;
}

std::string EncodeTransactGetItems(const TransactGetItemsResponse& response) {
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  json.Name("Responses");
  json.OpenArray();
  for (const std::optional<Item>& item : response.items) {
    json.OpenObject();
    if (item) {
      json.Name("Item");
      json.Attributes(item->view());
    }
    json.CloseObject();
  }
  json.CloseArray();
  WriteCapacity(json, response.capacity);
  json.CloseObject();
  return body;
}

std::string EncodeTransactWriteItems(const TransactWriteItemsResponse& response) {
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  WriteMetricsByTable(json, response.collection_metrics);
  WriteCapacity(json, response.capacity);
  json.CloseObject();
  return body;
}

std::string EncodeRead(const ReadResponse& response) {
  std::string body;
  size_t bytes = kFrameBytes;
  for (const Item& item : response.items) {
    bytes += JsonBytes(item);
  }
  body.reserve(bytes);
  JsonWriter json(body);
  json.OpenObject();
  if (!response.count_only) {
    json.Name("Items");
    json.OpenArray();
    for (const Item& item : response.items) {
      json.Attributes(item.view());
    }
    json.CloseArray();
  }
  json.Name("Count");
  json.Integer(response.count);
  json.Name("ScannedCount");
  json.Integer(response.scanned_count);
  if (response.last_evaluated_key) {
    json.Name("LastEvaluatedKey");
    json.Attributes(response.last_evaluated_key->view());
  }
  WriteCapacity(json, response.capacity);
  json.CloseObject();
  return body;
}

namespace {

std::string OnlyAscii(std::string text) {
  std::ranges::replace_if(
      text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; }, '?');
  return text;
}

}  // namespace

std::string EncodeError(std::string_view exception, const Error& error) {
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  json.Name("__type");
  json.String(exception);
  // A body that is not JSON is refused without a word.
  if (!error.message().empty() || !error.Is(tables::reasons::kSerialization)) {
    json.Name(HasCapitalMessage(exception) ? "Message" : "message");
    // Messages repeat what a client sent, headers included, which need not be text.
    json.String(simdjson::validate_utf8(error.message()) ? error.message()
                                                         : OnlyAscii(error.message()));
  }
  if (const auto* detail = error.DetailAs<ConditionFailedDetail>(); detail && detail->item) {
    json.Name("Item");
    json.Attributes(detail->item->view());
  }
  if (const auto* detail = error.DetailAs<CancellationDetail>()) {
    WriteReasons(json, *detail);
  }
  json.CloseObject();
  return body;
}

}  // namespace tintype::tables::wire
