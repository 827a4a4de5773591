#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tables/language/expressions/expressions.h"
#include "tables/language/requests.h"
#include "tables/wire/internal/json.h"

/// Parameters that several operations share.
namespace tintype::tables::wire {

/// An operation's expressions, and the legacy parameters that they replaced, in the order in which
/// DynamoDB names them in messages.
struct ExpressionFamily {
  std::span<const std::string_view> expressions;
  std::span<const std::string_view> legacy;
  /// Whether values that no expression can use are refused with the list of those that are missing.
  bool lists_missing = true;
};

/// Fails if expressions and legacy parameters are mixed, or if placeholders are given and nothing
/// that could use them.
Status CheckExpressionFamily(const JsonObject& request, const ExpressionFamily& family);

/// ExpressionAttributeNames and ExpressionAttributeValues, by placeholder.
struct PlaceholderMaps {
  std::map<std::string, std::string, std::less<>> names;
  std::map<std::string, Value, std::less<>> values;

  Placeholders Take() && { return {std::move(names), std::move(values)}; }
};
/// Reads of single items have names only: ExpressionAttributeValues is no member of theirs, and
/// DynamoDB ignores members that it does not know.
enum class PlaceholderKinds { kNames, kNamesAndValues };
/// Whether the fault of a value names its placeholder. Operations that DynamoDB has moved to its
/// newer validation say no more than what is wrong.
enum class ValueFaults { kNamed, kAlone };
Result<PlaceholderMaps> DecodePlaceholders(const JsonObject& request, PlaceholderKinds kinds,
                                           ValueFaults faults = ValueFaults::kNamed);

/// Parses ConditionExpression if there is one.
Result<std::optional<Condition>> DecodeConditionExpression(const JsonObject& request,
                                                           Placeholders& placeholders);
/// Parses ProjectionExpression if there is one.
Result<std::optional<Projection>> DecodeProjectionExpression(const JsonObject& request,
                                                             Placeholders& placeholders);

/// The table that the request's TableName means.
std::string DecodeTableName(const JsonObject& request);
/// The same text, if it is the ARN of a table.
Result<std::string> DecodeTableArn(std::string_view arn);

ReturnCapacity DecodeReturnCapacity(const JsonObject& request);
ReturnValues DecodeReturnValues(const JsonObject& request);
bool DecodeReturnCollectionMetrics(const JsonObject& request);
bool DecodeReturnOldOnConditionFailure(const JsonObject& request);

}  // namespace tintype::tables::wire
