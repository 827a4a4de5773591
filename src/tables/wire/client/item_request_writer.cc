#include <utility>

#include "base/strings.h"
#include "tables/language/expressions/expression_text.h"
#include "tables/wire/client_codec.h"
#include "tables/wire/internal/json_writer.h"
#include "tables/wire/internal/request_writer.h"

// Requests about items, as a client writes them.
namespace tintype::tables::wire {

namespace {

void WriteItem(JsonWriter& json, std::string_view name, const Item& item) {
  json.Name(name);
  json.Attributes(item.view());
}

void WriteFlag(JsonWriter& json, std::string_view name, bool value) {
  if (value) {
    json.Name(name);
    json.Bool(true);
  }
}

void WriteReturnCapacity(JsonWriter& json, ReturnCapacity capacity) {
  if (capacity != ReturnCapacity::kNone) {
    json.Name("ReturnConsumedCapacity");
    json.String(capacity == ReturnCapacity::kTotal ? "TOTAL" : "INDEXES");
  }
}

void WriteReturnCollectionMetrics(JsonWriter& json, bool wanted) {
  if (wanted) {
    json.Name("ReturnItemCollectionMetrics");
    json.String("SIZE");
  }
}

void WriteReturnOldOnConditionFailure(JsonWriter& json, bool wanted) {
  if (wanted) {
    json.Name("ReturnValuesOnConditionCheckFailure");
    json.String("ALL_OLD");
  }
}

void WriteReturnValues(JsonWriter& json, ReturnValues values) {
  std::string_view name;
  switch (values) {
    case ReturnValues::kNone:
      return;
    case ReturnValues::kAllOld:
      name = "ALL_OLD";
      break;
    case ReturnValues::kUpdatedOld:
      name = "UPDATED_OLD";
      break;
    case ReturnValues::kAllNew:
      name = "ALL_NEW";
      break;
    case ReturnValues::kUpdatedNew:
      name = "UPDATED_NEW";
      break;
  }
  json.Name("ReturnValues");
  json.String(name);
}

template <typename Parsed>
void WriteExpression(JsonWriter& json, std::string_view name, const std::optional<Parsed>& parsed,
                     ExpressionWriter& expressions) {
  if (parsed) {
    json.Name(name);
    json.String(expressions.Write(*parsed));
  }
}

void WriteUpdate(JsonWriter& json, const Update& update, ExpressionWriter& expressions) {
  // An update that changes nothing still creates the item, and is written without an expression.
  if (!update.empty()) {
    json.Name("UpdateExpression");
    json.String(expressions.Write(update));
  }
}

/// Written after all expressions, when the placeholders are known.
void WritePlaceholders(JsonWriter& json, const ExpressionWriter& expressions) {
  if (!expressions.names().empty()) {
    json.Name("ExpressionAttributeNames");
    json.OpenObject();
    for (const auto& [name, number] : expressions.names()) {
      json.Name(StrCat('#', number));
      json.String(name);
    }
    json.CloseObject();
  }
  if (!expressions.values().empty()) {
    json.Name("ExpressionAttributeValues");
    json.OpenObject();
    for (const auto& [encoded, number] : expressions.values()) {
      json.Name(StrCat(':', number));
      json.AttributeValue(ValueView(encoded));
    }
    json.CloseObject();
  }
}

/// All but what makes an update an update, and the placeholders.
void WriteWriteOptions(JsonWriter& json, const WriteOptions& options,
                       ExpressionWriter& expressions) {
  WriteExpression(json, "ConditionExpression", options.condition, expressions);
  WriteReturnValues(json, options.return_values);
  WriteReturnOldOnConditionFailure(json, options.return_old_on_condition_failure);
  WriteReturnCapacity(json, options.return_capacity);
  WriteReturnCollectionMetrics(json, options.return_collection_metrics);
}

void WriteAction(JsonWriter& json, const TransactWriteItemsRequest::Action& action) {
  using Request = TransactWriteItemsRequest;
  ExpressionWriter expressions;
  json.OpenObject();
  if (const auto* put = std::get_if<Request::Put>(&action.what)) {
    json.Name("Put");
    json.OpenObject();
    WriteItem(json, "Item", put->item);
  } else if (const auto* erase = std::get_if<Request::Delete>(&action.what)) {
    json.Name("Delete");
    json.OpenObject();
    WriteItem(json, "Key", erase->key);
  } else if (const auto* update = std::get_if<Request::UpdateAction>(&action.what)) {
    json.Name("Update");
    json.OpenObject();
    WriteItem(json, "Key", update->key);
    WriteUpdate(json, update->update, expressions);
  } else {
    json.Name("ConditionCheck");
    json.OpenObject();
    WriteItem(json, "Key", std::get<Request::Check>(action.what).key);
  }
  WriteText(json, "TableName", action.table);
  WriteExpression(json, "ConditionExpression", action.condition, expressions);
  WriteReturnOldOnConditionFailure(json, action.return_old_on_condition_failure);
  WritePlaceholders(json, expressions);
  json.CloseObject();
  json.CloseObject();
}

void WriteSelect(JsonWriter& json, std::optional<Select> select) {
  if (!select) {
    return;
  }
  json.Name("Select");
  switch (*select) {
    case Select::kAllAttributes:
      return json.String("ALL_ATTRIBUTES");
    case Select::kAllProjectedAttributes:
      return json.String("ALL_PROJECTED_ATTRIBUTES");
    case Select::kSpecificAttributes:
      return json.String("SPECIFIC_ATTRIBUTES");
    case Select::kCount:
      return json.String("COUNT");
  }
}

void WriteReadOptions(JsonWriter& json, const ReadOptions& options, ExpressionWriter& expressions) {
  if (options.index) {
    WriteText(json, "IndexName", *options.index);
  }
  WriteExpression(json, "FilterExpression", options.filter, expressions);
  WriteExpression(json, "ProjectionExpression", options.projection, expressions);
  WriteSelect(json, options.select);
  if (options.limit) {
    WriteInteger(json, "Limit", *options.limit);
  }
  if (options.exclusive_start_key) {
    WriteItem(json, "ExclusiveStartKey", *options.exclusive_start_key);
  }
  WriteFlag(json, "ConsistentRead", options.consistent_read);
  WriteReturnCapacity(json, options.return_capacity);
  WritePlaceholders(json, expressions);
}

}  // namespace

void WriteProjection(JsonWriter& json, const std::optional<Projection>& projection) {
  ExpressionWriter expressions;
  WriteExpression(json, "ProjectionExpression", projection, expressions);
  WritePlaceholders(json, expressions);
}

std::string EncodeRequest(const GetItemRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    WriteText(json, "TableName", request.table);
    WriteItem(json, "Key", request.key);
    WriteProjection(json, request.projection);
    WriteFlag(json, "ConsistentRead", request.consistent_read);
    WriteReturnCapacity(json, request.return_capacity);
  });
}

std::string EncodeRequest(const PutItemRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    ExpressionWriter expressions;
    WriteText(json, "TableName", request.table);
    WriteItem(json, "Item", request.item);
    WriteWriteOptions(json, request.options, expressions);
    WritePlaceholders(json, expressions);
  });
}

std::string EncodeRequest(const DeleteItemRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    ExpressionWriter expressions;
    WriteText(json, "TableName", request.table);
    WriteItem(json, "Key", request.key);
    WriteWriteOptions(json, request.options, expressions);
    WritePlaceholders(json, expressions);
  });
}

std::string EncodeRequest(const UpdateItemRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    ExpressionWriter expressions;
    WriteText(json, "TableName", request.table);
    WriteItem(json, "Key", request.key);
    WriteUpdate(json, request.update, expressions);
    WriteWriteOptions(json, request.options, expressions);
    WritePlaceholders(json, expressions);
  });
}

std::string EncodeRequest(const BatchGetItemRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    json.Name("RequestItems");
    json.OpenObject();
    for (const BatchGetItemRequest::Table& table : request.tables) {
      json.Name(table.table);
      json.OpenObject();
      json.Name("Keys");
      json.OpenArray();
      for (const Item& key : table.keys) {
        json.Attributes(key.view());
      }
      json.CloseArray();
      WriteProjection(json, table.projection);
      WriteFlag(json, "ConsistentRead", table.consistent_read);
      json.CloseObject();
    }
    json.CloseObject();
    WriteReturnCapacity(json, request.return_capacity);
  });
}

std::string EncodeRequest(const BatchWriteItemRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    json.Name("RequestItems");
    json.OpenObject();
    for (const BatchWriteItemRequest::Table& table : request.tables) {
      json.Name(table.table);
      json.OpenArray();
      for (const auto& action : table.actions) {
        const auto* put = std::get_if<BatchWriteItemRequest::Put>(&action);
        json.OpenObject();
        json.Name(put != nullptr ? "PutRequest" : "DeleteRequest");
        json.OpenObject();
        if (put != nullptr) {
          WriteItem(json, "Item", put->item);
        } else {
          WriteItem(json, "Key", std::get<BatchWriteItemRequest::Delete>(action).key);
        }
        json.CloseObject();
        json.CloseObject();
      }
      json.CloseArray();
    }
    json.CloseObject();
    WriteReturnCapacity(json, request.return_capacity);
    WriteReturnCollectionMetrics(json, request.return_collection_metrics);
  });
}

std::string EncodeRequest(const TransactGetItemsRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    json.Name("TransactItems");
    json.OpenArray();
    for (const TransactGetItemsRequest::Get& get : request.gets) {
      json.OpenObject();
      json.Name("Get");
      json.OpenObject();
      WriteText(json, "TableName", get.table);
      WriteItem(json, "Key", get.key);
      WriteProjection(json, get.projection);
      json.CloseObject();
      json.CloseObject();
    }
    json.CloseArray();
    WriteReturnCapacity(json, request.return_capacity);
  });
}

std::string EncodeRequest(const TransactWriteItemsRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    json.Name("TransactItems");
    json.OpenArray();
    for (const TransactWriteItemsRequest::Action& action : request.actions) {
      WriteAction(json, action);
    }
    json.CloseArray();
    if (request.client_token) {
      WriteText(json, "ClientRequestToken", *request.client_token);
    }
    WriteReturnCapacity(json, request.return_capacity);
    WriteReturnCollectionMetrics(json, request.return_collection_metrics);
  });
}

std::string EncodeRequest(const QueryRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    ExpressionWriter expressions;
    WriteText(json, "TableName", request.table);
    json.Name("KeyConditionExpression");
    json.String(expressions.Write(request.key_condition));
    if (!request.forward) {
      json.Name("ScanIndexForward");
      json.Bool(false);
    }
    WriteReadOptions(json, request.options, expressions);
  });
}

std::string EncodeRequest(const ScanRequest& request) {
  return WriteBody([&](JsonWriter& json) {
    ExpressionWriter expressions;
    WriteText(json, "TableName", request.table);
    if (request.segment) {
      WriteInteger(json, "Segment", request.segment->number);
      WriteInteger(json, "TotalSegments", request.segment->total);
    }
    WriteReadOptions(json, request.options, expressions);
  });
}

}  // namespace tintype::tables::wire
