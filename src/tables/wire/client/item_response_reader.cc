#include <memory>
#include <utility>

#include "base/strings.h"
#include "tables/language/errors.h"
#include "tables/wire/client_codec.h"
#include "tables/wire/internal/answer.h"

// Answers about items, and errors, as a client reads them.
namespace tintype::tables::wire {

namespace {

/// What an operation's units are when the answer does not tell reads from writes.
enum class Charge { kRead, kWrite };

ConsumedCapacity::Units ReadUnits(const AnswerObject& json, Charge charge) {
  ConsumedCapacity::Units units;
  if (json.Has("ReadCapacityUnits") || json.Has("WriteCapacityUnits")) {
    units.read = json.Double("ReadCapacityUnits").value_or(0);
    units.write = json.Double("WriteCapacityUnits").value_or(0);
  } else {
    (charge == Charge::kRead ? units.read : units.write) = json.Double("CapacityUnits").value_or(0);
  }
  return units;
}

std::map<std::string, ConsumedCapacity::Units> ReadIndexUnits(const AnswerObject& json,
                                                              std::string_view member,
                                                              Charge charge) {
  std::map<std::string, ConsumedCapacity::Units> indexes;
  if (const auto map = json.Object(member)) {
    for (const std::string& name : map->Names()) {
      if (const auto index = map->Object(name)) {
        indexes[name] = ReadUnits(*index, charge);
      }
    }
  }
  return indexes;
}

ConsumedCapacity ReadCapacity(const AnswerObject& json, Charge charge) {
  ConsumedCapacity capacity;
  capacity.table = json.Text("TableName").value_or("");
  capacity.show_read_write = json.Has("ReadCapacityUnits") || json.Has("WriteCapacityUnits");
  const auto table = json.Object("Table");
  capacity.show_breakdown = table.has_value();
  // Without a breakdown the total stands for the table; adding it all up gives the same.
  capacity.table_units = ReadUnits(table.value_or(json), charge);
  capacity.local_indexes = ReadIndexUnits(json, "LocalSecondaryIndexes", charge);
  capacity.global_indexes = ReadIndexUnits(json, "GlobalSecondaryIndexes", charge);
  return capacity;
}

std::optional<ConsumedCapacity> ReadOneCapacity(const AnswerObject& json, Charge charge) {
  const auto capacity = json.Object("ConsumedCapacity");
  return capacity ? std::optional(ReadCapacity(*capacity, charge)) : std::nullopt;
}

std::vector<ConsumedCapacity> ReadCapacities(const AnswerObject& json, Charge charge) {
  std::vector<ConsumedCapacity> capacities;
  for (const AnswerObject& capacity : json.Objects("ConsumedCapacity")) {
    capacities.push_back(ReadCapacity(capacity, charge));
  }
  return capacities;
}

ItemCollectionMetrics ReadMetrics(const AnswerObject& json) {
  ItemCollectionMetrics metrics;
  metrics.collection_key = json.Attributes("ItemCollectionKey").value_or(Item());
  const std::vector<double> range = json.Doubles("SizeEstimateRangeGB");
  if (range.size() != 2) {
    json.Fail("SizeEstimateRangeGB does not have two numbers");
    return metrics;
  }
  metrics.size_gb_low = range[0];
  metrics.size_gb_high = range[1];
  return metrics;
}

std::vector<std::pair<std::string, std::vector<ItemCollectionMetrics>>> ReadMetricsByTable(
    const AnswerObject& json) {
  std::vector<std::pair<std::string, std::vector<ItemCollectionMetrics>>> tables;
  if (const auto map = json.Object("ItemCollectionMetrics")) {
    for (const std::string& table : map->Names()) {
      auto& [name, all] = tables.emplace_back(table, std::vector<ItemCollectionMetrics>());
      for (const AnswerObject& metrics : map->Objects(name)) {
        all.push_back(ReadMetrics(metrics));
      }
    }
  }
  return tables;
}

std::vector<BatchWriteItemRequest::Table> ReadUnprocessedItems(const AnswerObject& json) {
  std::vector<BatchWriteItemRequest::Table> tables;
  const auto map = json.Object("UnprocessedItems");
  if (!map) {
    return tables;
  }
  for (const std::string& name : map->Names()) {
    BatchWriteItemRequest::Table& table = tables.emplace_back();
    table.table = name;
    for (const AnswerObject& action : map->Objects(name)) {
      const auto put = action.Object("PutRequest");
      const auto erase = action.Object("DeleteRequest");
      if (put && put->Has("Item")) {
        table.actions.emplace_back(
            BatchWriteItemRequest::Put{put->Attributes("Item").value_or(Item())});
      } else if (erase && erase->Has("Key")) {
        table.actions.emplace_back(
            BatchWriteItemRequest::Delete{erase->Attributes("Key").value_or(Item())});
      } else {
        action.Fail("an element of UnprocessedItems is neither a put nor a delete");
      }
    }
  }
  return tables;
}

std::shared_ptr<const ErrorDetail> ReadErrorDetail(const Reason& reason, const AnswerObject& json) {
  if (reason == ErrorKind::kConditionFailed && json.Has("Item")) {
    auto detail = std::make_shared<ConditionFailedDetail>();
    detail->item = json.Attributes("Item");
    return detail;
  }
  if (reason == reasons::kTransactionCanceled && json.Has("CancellationReasons")) {
    auto detail = std::make_shared<CancellationDetail>();
    for (const AnswerObject& cause : json.Objects("CancellationReasons")) {
      detail->reasons.push_back({.code = cause.Text("Code").value_or("None"),
                                 .message = cause.Text("Message").value_or(""),
                                 .item = cause.Attributes("Item")});
    }
    return detail;
  }
  return nullptr;
}

/// For answers that do not name an exception that we know.
Error ErrorOfStatus(int status, std::string_view message) {
  // A redirection is no answer of this protocol: the address that was asked is wrong.
  ErrorKind kind = ErrorKind::kValidation;
  if (status == 429) {
    kind = ErrorKind::kOverloaded;
  } else if (status == 413) {
    kind = ErrorKind::kRequestTooLarge;
  } else if (status == 401 || status == 403) {
    kind = ErrorKind::kAccessDenied;
  } else if (status >= 500) {
    kind = ErrorKind::kUnavailable;
  }
  return {kind, StrCat("The service answered with HTTP status ", status, ": ", message)};
}

}  // namespace

Result<GetItemResponse> DecodeGetItemResponse(std::string_view body) {
  return ReadAnswer<GetItemResponse>(body, [](const AnswerObject& json) {
    return GetItemResponse{json.Attributes("Item"), ReadOneCapacity(json, Charge::kRead)};
  });
}

Result<WriteItemResponse> DecodeWriteItemResponse(std::string_view body) {
  return ReadAnswer<WriteItemResponse>(body, [](const AnswerObject& json) {
    WriteItemResponse response;
    response.attributes = json.Attributes("Attributes");
    response.capacity = ReadOneCapacity(json, Charge::kWrite);
    if (const auto metrics = json.Object("ItemCollectionMetrics")) {
      response.collection_metrics = ReadMetrics(*metrics);
    }
    return response;
  });
}

Result<BatchGetItemResponse> DecodeBatchGetItemResponse(const BatchGetItemRequest& request,
                                                        std::string_view body) {
  return ReadAnswer<BatchGetItemResponse>(body, [&](const AnswerObject& json) {
    BatchGetItemResponse response;
    const auto items = json.Object("Responses");
    const auto unprocessed = json.Object("UnprocessedKeys");
    for (size_t i = 0; i < request.tables.size(); ++i) {
      const std::string& name = request.tables[i].table;
      response.items.emplace_back(name, items ? items->Items(name) : std::vector<Item>());
      const auto rest = unprocessed ? unprocessed->Object(name) : std::nullopt;
      if (rest) {
        response.unprocessed.push_back({i, rest->Items("Keys")});
      }
    }
    response.capacity = ReadCapacities(json, Charge::kRead);
    return response;
  });
}

Result<BatchWriteItemAnswer> DecodeBatchWriteItemResponse(std::string_view body) {
  return ReadAnswer<BatchWriteItemAnswer>(body, [](const AnswerObject& json) {
    return BatchWriteItemAnswer{{ReadCapacities(json, Charge::kWrite), ReadMetricsByTable(json)},
                                ReadUnprocessedItems(json)};
  });
}

Result<TransactGetItemsResponse> DecodeTransactGetItemsResponse(std::string_view body) {
  return ReadAnswer<TransactGetItemsResponse>(body, [](const AnswerObject& json) {
    TransactGetItemsResponse response;
    for (const AnswerObject& one : json.Objects("Responses")) {
      response.items.push_back(one.Attributes("Item"));
    }
    response.capacity = ReadCapacities(json, Charge::kRead);
    return response;
  });
}

Result<TransactWriteItemsResponse> DecodeTransactWriteItemsResponse(std::string_view body) {
  return ReadAnswer<TransactWriteItemsResponse>(body, [](const AnswerObject& json) {
    return TransactWriteItemsResponse{ReadCapacities(json, Charge::kWrite),
                                      ReadMetricsByTable(json)};
  });
}

Result<ReadResponse> DecodeReadResponse(std::string_view body) {
  return ReadAnswer<ReadResponse>(body, [](const AnswerObject& json) {
    ReadResponse response;
    response.items = json.Items("Items");
    response.count_only = !json.Has("Items");
    response.count = json.Integer("Count").value_or(0);
    response.scanned_count = json.Integer("ScannedCount").value_or(0);
    response.last_evaluated_key = json.Attributes("LastEvaluatedKey");
    response.capacity = ReadOneCapacity(json, Charge::kRead);
    return response;
  });
}

Error DecodeError(int status, std::string_view body) {
  const auto json = ParseJson(body);
  std::string fault;
  if (!json.ok()) {
    return ErrorOfStatus(status, "the body is not DynamoDB's");
  }
  const AnswerObject answer(*json, fault);
  const std::string type = answer.Text("__type").value_or("");
  // Some exceptions have a capital in AWS's answers, and services differ in which.
  const std::string message =
      answer.Text(answer.Has("message") ? "message" : "Message").value_or("");
  const ErrorEntry* entry = FindErrorEntry(type);
  if (entry == nullptr) {
    return ErrorOfStatus(status, StrCat(type, ": ", message));
  }
  Error error(entry->reason, message);
  if (auto detail = ReadErrorDetail(entry->reason, answer)) {
    error = std::move(error).WithDetail(std::move(detail));
  }
  if (!fault.empty()) {
    return UnreadableAnswer(fault);
  }
  return error;
}

}  // namespace tintype::tables::wire
