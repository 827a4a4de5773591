#include <functional>
#include <set>
#include <string>
#include <utility>

#include "base/strings.h"
#include "tables/language/limits.h"
#include "tables/language/values/item_size.h"
#include "tables/wire/codec.h"
#include "tables/wire/internal/attribute_value.h"
#include "tables/wire/internal/legacy.h"
#include "tables/wire/internal/parameters.h"
#include "tables/wire/internal/shapes.h"
#include "tables/wire/internal/table_name.h"

// BatchGetItem and BatchWriteItem.
namespace tintype::tables::wire {

namespace {

constexpr std::string_view kGetExpressions[] = {"ProjectionExpression"};
constexpr std::string_view kGetLegacy[] = {"AttributesToGet"};
constexpr ExpressionFamily kGetFamily{kGetExpressions, kGetLegacy};

/// One table's part of a BatchGetItem.
Result<BatchGetItemRequest::Table> DecodeKeysAndAttributes(std::string_view name,
                                                           const JsonObject& json) {
  RETURN_IF_ERROR(CheckTableNameLength(name));
  RETURN_IF_ERROR(CheckExpressionFamily(json, kGetFamily));
  BatchGetItemRequest::Table table;
  table.table = std::string(name);  // Also if it is an ARN: the answer goes by the same name.
  table.consistent_read = json.Bool("ConsistentRead").value_or(false);
  ASSIGN_OR_RETURN(table.projection, DecodeAttributesToGet(json));
  if (!table.projection) {
    ASSIGN_OR_RETURN(PlaceholderMaps maps, DecodePlaceholders(json, PlaceholderKinds::kNames));
    Placeholders placeholders = std::move(maps).Take();
    ASSIGN_OR_RETURN(table.projection, DecodeProjectionExpression(json, placeholders));
    RETURN_IF_ERROR(placeholders.CheckAllUsed());
  }
  const JsonArray keys = json.RequiredArray("Keys");
  table.keys.reserve(keys.size());
  for (const JsonElement key : keys) {
    ASSIGN_OR_RETURN(Item item, DecodeItem(JsonObject(key)));
    table.keys.push_back(std::move(item));
  }
  return table;
}

Result<std::variant<BatchWriteItemRequest::Put, BatchWriteItemRequest::Delete>> DecodeWriteRequest(
    const JsonObject& json) {
  using Action = std::variant<BatchWriteItemRequest::Put, BatchWriteItemRequest::Delete>;
  const auto put = json.Object("PutRequest");
  const auto erase = json.Object("DeleteRequest");
  if (put.has_value() == erase.has_value()) {
    // DynamoDB's words for none and for both alike.
    return Error::Validation(
        "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the "
        "supported datatypes");
  }
  if (put) {
    ASSIGN_OR_RETURN(Item item, DecodeItem(put->RequiredObject("Item")));
    RETURN_IF_ERROR(CheckItemSize(item.view(), SizedItem::kPut));
    return Action(BatchWriteItemRequest::Put{std::move(item)});
  }
  ASSIGN_OR_RETURN(Item key, DecodeItem(erase->RequiredObject("Key")));
  return Action(BatchWriteItemRequest::Delete{std::move(key)});
}

}  // namespace

Result<BatchGetItemRequest> DecodeBatchGetItem(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kBatchGetItemShape));
  const JsonObject tables = json.RequiredObject("RequestItems");
  if (tables.size() == 0) {
    return Error::Validation("The requestItems parameter is required for BatchGetItem");
  }
  BatchGetItemRequest request;
  request.return_capacity = DecodeReturnCapacity(json);
  // Parameters of different tables may not be mixed either.
  bool any_expression = false;
  bool any_legacy = false;
  for (const auto& [name, part] : tables) {
    any_expression = any_expression || JsonObject(part).Find(kGetExpressions[0]);
    any_legacy = any_legacy || JsonObject(part).Find(kGetLegacy[0]);
  }
  if (any_expression && any_legacy) {
    return Error::Validation(
        "Can not use both expression and non-expression parameters in the same request: "
        "Non-expression parameters: {AttributesToGet} Expression parameters: "
        "{ProjectionExpression}");
  }
  size_t keys = 0;
  std::set<std::string, std::less<>> seen;
  for (const auto& [name, part] : tables) {
    // A table can have two names, its own and its ARN, but has one place in the answer.
    if (!seen.insert(std::string(TableNameOf(name))).second) {
      return Error::Validation(
          StrCat("One or more parameter values were invalid: The table is named twice: ",
                 TableNameOf(name)));
    }
    ASSIGN_OR_RETURN(BatchGetItemRequest::Table table,
                     DecodeKeysAndAttributes(name, JsonObject(part)));
    keys += table.keys.size();
    request.tables.push_back(std::move(table));
  }
  if (keys > limits::kBatchGetKeys) {
    return Error::Validation("Too many items requested for the BatchGetItem call");
  }
  return request;
}

Result<BatchWriteItemRequest> DecodeBatchWriteItem(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kBatchWriteItemShape));
  const JsonObject tables = json.RequiredObject("RequestItems");
  if (tables.size() == 0) {
    return Error::Validation("The requestItems parameter is required for BatchWriteItem");
  }
  BatchWriteItemRequest request;
  request.return_capacity = DecodeReturnCapacity(json);
  request.return_collection_metrics = DecodeReturnCollectionMetrics(json);
  size_t actions = 0;
  for (const auto& [name, part] : tables) {
    RETURN_IF_ERROR(CheckTableNameLength(name));
    BatchWriteItemRequest::Table table;
    table.table = std::string(TableNameOf(name));
    for (const JsonElement element : ArrayOf(part)) {
      ASSIGN_OR_RETURN(auto action, DecodeWriteRequest(JsonObject(element)));
      table.actions.push_back(std::move(action));
    }
    actions += table.actions.size();
    request.tables.push_back(std::move(table));
  }
  if (actions > limits::kBatchWriteActions) {
    return Error::Validation("Too many items requested for the BatchWriteItem call");
  }
  return request;
}

}  // namespace tintype::tables::wire
