#include "tables/wire/internal/parameters.h"

#include <utility>
#include <vector>

#include "base/strings.h"
#include "tables/language/faults.h"
#include "tables/language/limits.h"
#include "tables/wire/internal/attribute_value.h"
#include "tables/wire/internal/table_name.h"

namespace tintype::tables::wire {

namespace {

Error PlaceholderValueError(const Error& error, std::string_view placeholder, ValueFaults faults) {
  if (faults == ValueFaults::kAlone && !error.Is(reasons::kAmbiguousValue)) {
    return error;
  }
  return {error.reason(), StrCat("ExpressionAttributeValues contains invalid value: ",
                                 error.message(), " for key ", placeholder)};
}

}  // namespace

Status CheckExpressionFamily(const JsonObject& request, const ExpressionFamily& family) {
  std::vector<std::string_view> expressions;
  std::vector<std::string_view> value_expressions;  // Those that may refer to values.
  bool value_expression_given = false;
  for (const std::string_view name : family.expressions) {
    const bool given = request.Has(name);
    if (given) {
      expressions.push_back(name);
    }
    if (name != "ProjectionExpression") {
      value_expressions.push_back(name);
      value_expression_given = value_expression_given || given;
    }
  }
  if (!expressions.empty()) {
    std::vector<std::string_view> legacy;
    for (const std::string_view name : family.legacy) {
      // KeyConditions get along with the other expressions of a Query.
      const bool tolerated = name == "KeyConditions" && !request.Has("KeyConditionExpression");
      if (request.Has(name) && !tolerated) {
        legacy.push_back(name);
      }
    }
    if (!legacy.empty()) {
      return Error::Validation(StrCat(
          "Can not use both expression and non-expression parameters in the same request: "
          "Non-expression parameters: {",
          StrJoin(legacy, ", "), "} Expression parameters: {", StrJoin(expressions, ", "), "}"));
    }
  } else if (request.Has("ExpressionAttributeNames")) {
    return Error::Validation(
        "ExpressionAttributeNames can only be specified when using expressions");
  }
  if (!value_expressions.empty() && !value_expression_given &&
      request.Has("ExpressionAttributeValues")) {
    constexpr std::string_view kAlone =
        "ExpressionAttributeValues can only be specified when using expressions";
    if (!family.lists_missing) {
      return Error::Validation(std::string(kAlone));
    }
    return Error::Validation(StrCat(kAlone, ": ", StrJoin(value_expressions, " and "),
                                    value_expressions.size() > 1 ? " are" : " is", " null"));
  }
  return OkStatus();
}

Result<PlaceholderMaps> DecodePlaceholders(const JsonObject& request, PlaceholderKinds kinds,
                                           ValueFaults faults) {
  PlaceholderMaps maps;
  size_t bytes = 0;
  if (const auto names = request.Object("ExpressionAttributeNames")) {
    if (names->size() == 0) {
      return Error::Validation("ExpressionAttributeNames must not be empty");
    }
    for (const auto& [key, name] : *names) {
      bytes += key.size() + TextOf(name).size();
      maps.names.insert_or_assign(std::string(key), std::string(TextOf(name)));
    }
  }
  if (const auto values = kinds == PlaceholderKinds::kNames
                              ? std::nullopt
                              : request.Object("ExpressionAttributeValues")) {
    if (values->size() == 0) {
      return Error::Validation("ExpressionAttributeValues must not be empty");
    }
    for (const auto& [key, json] : *values) {
      auto value = DecodeValue(json);
      if (!value.ok()) {
        return PlaceholderValueError(value.error(), key, faults);
      }
      bytes += key.size() + value->encoded().size();
      maps.values.insert_or_assign(std::string(key), std::move(value).value());
    }
  }
  if (bytes > limits::kExpressionVariableBytes) {
    return Error::Validation(
        StrCat("ExpressionAttributeNames and ExpressionAttributeValues have more than ",
               limits::kExpressionVariableBytes, " bytes together"));
  }
  return maps;
}

Result<std::optional<Condition>> DecodeConditionExpression(const JsonObject& request,
                                                           Placeholders& placeholders) {
  const auto text = request.String("ConditionExpression");
  if (!text) {
    return std::optional<Condition>();
  }
  ASSIGN_OR_RETURN(Condition condition, ParseConditionExpression(*text, placeholders));
  return std::optional<Condition>(std::move(condition));
}

Result<std::optional<Projection>> DecodeProjectionExpression(const JsonObject& request,
                                                             Placeholders& placeholders) {
  const auto text = request.String("ProjectionExpression");
  if (!text) {
    return std::optional<Projection>();
  }
  ASSIGN_OR_RETURN(Projection projection, ParseProjectionExpression(*text, placeholders));
  return std::optional<Projection>(std::move(projection));
}

std::string DecodeTableName(const JsonObject& request) {
  return std::string(TableNameOf(request.String("TableName").value_or("")));
}

Result<std::string> DecodeTableArn(std::string_view arn) {
  if (!IsTableArn(arn)) {
    return Error::Validation(
        StrCat("Invalid TableArn: Invalid ResourceArn provided as input ", arn));
  }
  return std::string(arn);
}

ReturnCapacity DecodeReturnCapacity(const JsonObject& request) {
  const auto text = request.String("ReturnConsumedCapacity");
  if (text == "TOTAL") {
    return ReturnCapacity::kTotal;
  }
  return text == "INDEXES" ? ReturnCapacity::kIndexes : ReturnCapacity::kNone;
}

ReturnValues DecodeReturnValues(const JsonObject& request) {
  static constexpr std::pair<std::string_view, ReturnValues> kNames[] = {
      {"ALL_OLD", ReturnValues::kAllOld},
      {"UPDATED_OLD", ReturnValues::kUpdatedOld},
      {"ALL_NEW", ReturnValues::kAllNew},
      {"UPDATED_NEW", ReturnValues::kUpdatedNew},
  };
  const auto text = request.String("ReturnValues");
  for (const auto& [name, value] : kNames) {
    if (text == name) {
      return value;
    }
  }
  return ReturnValues::kNone;
}

bool DecodeReturnCollectionMetrics(const JsonObject& request) {
  return request.String("ReturnItemCollectionMetrics") == "SIZE";
}

bool DecodeReturnOldOnConditionFailure(const JsonObject& request) {
  return request.String("ReturnValuesOnConditionCheckFailure") == "ALL_OLD";
}

}  // namespace tintype::tables::wire
