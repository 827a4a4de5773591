#include <utility>

#include "base/strings.h"
#include "tables/language/faults.h"
#include "tables/wire/codec.h"
#include "tables/wire/internal/attribute_value.h"
#include "tables/wire/internal/legacy.h"
#include "tables/wire/internal/parameters.h"
#include "tables/wire/internal/shapes.h"
#include "tables/wire/internal/violations.h"

// Query and Scan.
namespace tintype::tables::wire {

namespace {

constexpr std::string_view kQueryExpressions[] = {"ProjectionExpression", "FilterExpression",
                                                  "KeyConditionExpression"};
constexpr std::string_view kQueryLegacy[] = {"AttributesToGet", "QueryFilter",
                                             "ConditionalOperator", "KeyConditions"};
constexpr ExpressionFamily kQueryFamily{kQueryExpressions, kQueryLegacy};

constexpr std::string_view kScanExpressions[] = {"ProjectionExpression", "FilterExpression"};
constexpr std::string_view kScanLegacy[] = {"AttributesToGet", "ScanFilter", "ConditionalOperator"};
constexpr ExpressionFamily kScanFamily{kScanExpressions, kScanLegacy};

std::optional<Select> DecodeSelect(const JsonObject& request) {
  static constexpr std::pair<std::string_view, Select> kNames[] = {
      {"ALL_ATTRIBUTES", Select::kAllAttributes},
      {"ALL_PROJECTED_ATTRIBUTES", Select::kAllProjectedAttributes},
      {"SPECIFIC_ATTRIBUTES", Select::kSpecificAttributes},
      {"COUNT", Select::kCount},
  };
  const auto text = request.String("Select");
  for (const auto& [name, value] : kNames) {
    if (text == name) {
      return value;
    }
  }
  return std::nullopt;
}

/// Select must fit with the presence of a projection and of an index.
Status CheckSelect(const JsonObject& request) {
  const auto select = DecodeSelect(request);
  if (!select) {
    return OkStatus();
  }
  const std::string_view projection = request.Has("ProjectionExpression") ? "ProjectionExpression"
                                      : request.Has("AttributesToGet")    ? "AttributesToGet"
                                                                          : "";
  if (*select == Select::kSpecificAttributes) {
    if (projection.empty()) {
      return Error::Validation(
          "Must specify the AttributesToGet or ProjectionExpression when choosing to get "
          "SPECIFIC_ATTRIBUTES");
    }
    return OkStatus();
  }
  if (!projection.empty()) {
    return Error::Validation(StrCat(
        "Cannot specify the ", projection, " when choosing to get ",
        *select == Select::kCount ? "only the Count" : request.String("Select").value_or("")));
  }
  if (*select == Select::kAllProjectedAttributes && !request.Has("IndexName")) {
    return Error::Validation(
        "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName");
  }
  return OkStatus();
}

/// Most faults of a starting key are announced as such; those of numbers and repeated members of
/// sets are not.
Error StartKeyError(const Error& error) {
  if (error.Is(reasons::kInvalidNumber) || error.Is(reasons::kDuplicateMembers)) {
    return error;
  }
  return Error::Validation(StrCat("The provided starting key is invalid: ", error.message()));
}

Result<std::optional<Item>> DecodeStartKey(const JsonObject& request) {
  const auto json = request.Object("ExclusiveStartKey");
  if (!json) {
    return std::optional<Item>();
  }
  auto key = DecodeItem(*json);
  if (!key.ok()) {
    return StartKeyError(key.error());
  }
  return std::optional<Item>(std::move(key).value());
}

/// The options that need no parsing and cannot be wrong any more.
ReadOptions DecodeReadOptions(const JsonObject& request) {
  ReadOptions options;
  if (const auto index = request.String("IndexName")) {
    options.index = std::string(*index);
  }
  options.select = DecodeSelect(request);
  options.limit = request.Integer("Limit");
  options.consistent_read = request.Bool("ConsistentRead").value_or(false);
  options.return_capacity = DecodeReturnCapacity(request);
  return options;
}

/// FilterExpression and ProjectionExpression, where their legacy forms are not given.
Status DecodeReadExpressions(const JsonObject& request, Placeholders& placeholders,
                             ReadOptions& options) {
  if (const auto text = request.String("FilterExpression")) {
    ASSIGN_OR_RETURN(options.filter, ParseFilterExpression(*text, placeholders));
  }
  if (!options.projection) {
    ASSIGN_OR_RETURN(options.projection, DecodeProjectionExpression(request, placeholders));
  }
  return placeholders.CheckAllUsed();
}

Result<std::optional<ScanRequest::Segment>> DecodeSegment(const JsonObject& request) {
  const auto number = request.Integer("Segment");
  const auto total = request.Integer("TotalSegments");
  if (number && !total) {
    return Error::Validation(
        "The TotalSegments parameter is required but was not present in the request when Segment "
        "parameter is present");
  }
  if (total && !number) {
    return Error::Validation(
        "The Segment parameter is required but was not present in the request when parameter "
        "TotalSegments is present");
  }
  if (!number) {
    return std::optional<ScanRequest::Segment>();
  }
  if (*number >= *total) {
    return Error::Validation(
        StrCat("The Segment parameter is zero-based and must be less than parameter TotalSegments: "
               "Segment: ",
               *number, " is not less than TotalSegments: ", *total));
  }
  return std::optional<ScanRequest::Segment>({*number, *total});
}

}  // namespace

Result<QueryRequest> DecodeQuery(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kQueryShape));
  RETURN_IF_ERROR(CheckExpressionFamily(json, kQueryFamily));
  QueryRequest request;
  request.table = DecodeTableName(json);
  request.forward = json.Bool("ScanIndexForward").value_or(true);
  request.options = DecodeReadOptions(json);
  ASSIGN_OR_RETURN(request.options.filter, DecodeLegacyFilter(json, "QueryFilter"));
  request.options.legacy_filter = request.options.filter.has_value();
  ASSIGN_OR_RETURN(request.options.projection, DecodeAttributesToGet(json));
  ASSIGN_OR_RETURN(request.options.exclusive_start_key, DecodeStartKey(json));
  const auto expression = json.String("KeyConditionExpression");
  if (!expression && !json.Has("KeyConditions")) {
    return Error::Validation(
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the "
        "request.");
  }
  if (const Status select = CheckSelect(json); !select.ok()) {
    return Error::Validation(AsOneViolation(select.error().message()));
  }

  ASSIGN_OR_RETURN(PlaceholderMaps maps, DecodePlaceholders(json, PlaceholderKinds::kNamesAndValues,
                                                            ValueFaults::kAlone));
  Placeholders placeholders = std::move(maps).Take();
  if (!expression) {
    RETURN_IF_ERROR(DecodeReadExpressions(json, placeholders, request.options));
    ASSIGN_OR_RETURN(std::optional<KeyCondition> legacy, DecodeKeyConditions(json));
    request.key_condition = std::move(legacy).value();
    return request;
  }
  if (const auto filter = json.String("FilterExpression"); filter && filter->empty()) {
    return ParseFilterExpression(*filter, placeholders).error();
  }
  auto key_condition = ParseKeyConditionExpression(*expression, placeholders);
  if (!key_condition.ok() && !key_condition.error().Is(reasons::kKeyConditionNotSupported)) {
    return std::move(key_condition).error();
  }
  // Conditions that a query cannot follow are found after all expressions have been read.
  RETURN_IF_ERROR(DecodeReadExpressions(json, placeholders, request.options));
  ASSIGN_OR_RETURN(request.key_condition, std::move(key_condition));
  return request;
}

Result<ScanRequest> DecodeScan(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kScanShape));
  RETURN_IF_ERROR(CheckExpressionFamily(json, kScanFamily));
  ScanRequest request;
  request.table = DecodeTableName(json);
  request.options = DecodeReadOptions(json);
  ASSIGN_OR_RETURN(request.options.projection, DecodeAttributesToGet(json));
  ASSIGN_OR_RETURN(request.options.filter, DecodeLegacyFilter(json, "ScanFilter"));
  ASSIGN_OR_RETURN(request.options.exclusive_start_key, DecodeStartKey(json));
  ASSIGN_OR_RETURN(request.segment, DecodeSegment(json));
  RETURN_IF_ERROR(CheckSelect(json));

  ASSIGN_OR_RETURN(PlaceholderMaps maps,
                   DecodePlaceholders(json, PlaceholderKinds::kNamesAndValues));
  Placeholders placeholders = std::move(maps).Take();
  RETURN_IF_ERROR(DecodeReadExpressions(json, placeholders, request.options));
  return request;
}

}  // namespace tintype::tables::wire
