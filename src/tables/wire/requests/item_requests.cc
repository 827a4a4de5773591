#include <utility>

#include "tables/language/faults.h"
#include "tables/language/values/item_size.h"
#include "tables/wire/codec.h"
#include "tables/wire/internal/attribute_value.h"
#include "tables/wire/internal/legacy.h"
#include "tables/wire/internal/parameters.h"
#include "tables/wire/internal/shapes.h"
#include "tables/wire/internal/violations.h"

// GetItem, PutItem, DeleteItem, UpdateItem.
namespace tintype::tables::wire {

namespace {

constexpr std::string_view kGetExpressions[] = {"ProjectionExpression"};
constexpr std::string_view kGetLegacy[] = {"AttributesToGet"};
constexpr ExpressionFamily kGetFamily{kGetExpressions, kGetLegacy};

constexpr std::string_view kWriteExpressions[] = {"ConditionExpression"};
constexpr std::string_view kWriteLegacy[] = {"Expected", "ConditionalOperator"};
constexpr ExpressionFamily kWriteFamily{kWriteExpressions, kWriteLegacy, false};

constexpr std::string_view kUpdateExpressions[] = {"UpdateExpression", "ConditionExpression"};
constexpr std::string_view kUpdateLegacy[] = {"AttributeUpdates", "Expected",
                                              "ConditionalOperator"};
constexpr ExpressionFamily kUpdateFamily{kUpdateExpressions, kUpdateLegacy};

/// The faults of writes that DynamoDB tells in plain words; it announces all others as violations.
bool IsToldPlainly(const Error& error) {
  return error.Is(reasons::kAmbiguousValue) || error.Is(reasons::kNestedTooDeep) ||
         error.Is(reasons::kItemTooLarge);
}

template <typename Request>
Result<Request> AnnounceFault(Result<Request> request) {
  if (request.ok() || IsToldPlainly(request.error())) {
    return request;
  }
  return Error(request.error().reason(), AsOneViolation(request.error().message()));
}

Result<Item> DecodeKey(const JsonObject& request) {
  return DecodeItem(request.RequiredObject("Key"));
}

/// The options that need no parsing.
WriteOptions DecodeWriteOptions(const JsonObject& request) {
  WriteOptions options;
  options.return_values = DecodeReturnValues(request);
  options.return_old_on_condition_failure = DecodeReturnOldOnConditionFailure(request);
  options.return_capacity = DecodeReturnCapacity(request);
  options.return_collection_metrics = DecodeReturnCollectionMetrics(request);
  return options;
}

/// Put and Delete have no new values to return.
Status CheckReturnsOldValues(const WriteOptions& options) {
  if (options.return_values != ReturnValues::kNone &&
      options.return_values != ReturnValues::kAllOld) {
    return Error::Validation("ReturnValues can only be ALL_OLD or NONE");
  }
  return OkStatus();
}

/// The condition of a Put or Delete, from Expected or ConditionExpression.
Result<std::optional<Condition>> DecodeCondition(const JsonObject& request) {
  ASSIGN_OR_RETURN(std::optional<Condition> expected, DecodeExpected(request));
  ASSIGN_OR_RETURN(
      PlaceholderMaps maps,
      DecodePlaceholders(request, PlaceholderKinds::kNamesAndValues, ValueFaults::kAlone));
  Placeholders placeholders = std::move(maps).Take();
  ASSIGN_OR_RETURN(std::optional<Condition> condition,
                   DecodeConditionExpression(request, placeholders));
  RETURN_IF_ERROR(placeholders.CheckAllUsed());
  return expected ? std::move(expected) : std::move(condition);
}

Result<PutItemRequest> DecodePut(const JsonObject& json) {
  RETURN_IF_ERROR(CheckExpressionFamily(json, kWriteFamily));
  PutItemRequest request;
  request.table = DecodeTableName(json);
  request.options = DecodeWriteOptions(json);
  ASSIGN_OR_RETURN(request.item, DecodeItem(json.RequiredObject("Item")));
  RETURN_IF_ERROR(CheckReturnsOldValues(request.options));
  RETURN_IF_ERROR(CheckItemSize(request.item.view(), SizedItem::kPut));
  ASSIGN_OR_RETURN(request.options.condition, DecodeCondition(json));
  return request;
}

Result<DeleteItemRequest> DecodeDelete(const JsonObject& json) {
  RETURN_IF_ERROR(CheckExpressionFamily(json, kWriteFamily));
  DeleteItemRequest request;
  request.table = DecodeTableName(json);
  request.options = DecodeWriteOptions(json);
  ASSIGN_OR_RETURN(request.key, DecodeKey(json));
  RETURN_IF_ERROR(CheckReturnsOldValues(request.options));
  ASSIGN_OR_RETURN(request.options.condition, DecodeCondition(json));
  return request;
}

Result<UpdateItemRequest> DecodeUpdate(const JsonObject& json) {
  RETURN_IF_ERROR(CheckExpressionFamily(json, kUpdateFamily));
  UpdateItemRequest request;
  request.table = DecodeTableName(json);
  request.options = DecodeWriteOptions(json);
  ASSIGN_OR_RETURN(request.key, DecodeKey(json));
  ASSIGN_OR_RETURN(std::optional<Update> legacy_update, DecodeAttributeUpdates(json));
  ASSIGN_OR_RETURN(request.options.condition, DecodeExpected(json));

  ASSIGN_OR_RETURN(PlaceholderMaps maps, DecodePlaceholders(json, PlaceholderKinds::kNamesAndValues,
                                                            ValueFaults::kAlone));
  Placeholders placeholders = std::move(maps).Take();
  if (legacy_update) {
    request.update = std::move(*legacy_update);
  } else if (const auto text = json.String("UpdateExpression")) {
    ASSIGN_OR_RETURN(request.update, ParseUpdateExpression(*text, placeholders));
  }
  if (!request.options.condition) {
    ASSIGN_OR_RETURN(request.options.condition, DecodeConditionExpression(json, placeholders));
  }
  RETURN_IF_ERROR(placeholders.CheckAllUsed());
  return request;
}

}  // namespace

Result<GetItemRequest> DecodeGetItem(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kGetItemShape));
  RETURN_IF_ERROR(CheckExpressionFamily(json, kGetFamily));
  GetItemRequest request;
  request.table = DecodeTableName(json);
  request.consistent_read = json.Bool("ConsistentRead").value_or(false);
  request.return_capacity = DecodeReturnCapacity(json);
  ASSIGN_OR_RETURN(request.key, DecodeKey(json));
  ASSIGN_OR_RETURN(request.projection, DecodeAttributesToGet(json));
  if (!request.projection) {
    ASSIGN_OR_RETURN(PlaceholderMaps maps, DecodePlaceholders(json, PlaceholderKinds::kNames));
    Placeholders placeholders = std::move(maps).Take();
    ASSIGN_OR_RETURN(request.projection, DecodeProjectionExpression(json, placeholders));
    RETURN_IF_ERROR(placeholders.CheckAllUsed());
  }
  return request;
}

Result<PutItemRequest> DecodePutItem(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kPutItemShape));
  return AnnounceFault(DecodePut(json));
}

Result<DeleteItemRequest> DecodeDeleteItem(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kDeleteItemShape));
  return AnnounceFault(DecodeDelete(json));
}

Result<UpdateItemRequest> DecodeUpdateItem(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kUpdateItemShape));
  return AnnounceFault(DecodeUpdate(json));
}

}  // namespace tintype::tables::wire
