#pragma once

#include <optional>
#include <string_view>

#include "base/result.h"
#include "tables/language/expressions/condition.h"
#include "tables/language/expressions/key_condition.h"
#include "tables/language/expressions/projection.h"
#include "tables/language/expressions/update.h"
#include "tables/wire/internal/json.h"

/// The parameters that expressions replaced, translated into what expressions become. Each returns
/// nothing when the request does not have its parameter.
namespace tintype::tables::wire {

/// Expected with ConditionalOperator.
Result<std::optional<Condition>> DecodeExpected(const JsonObject& request);
/// QueryFilter or ScanFilter with ConditionalOperator.
Result<std::optional<Condition>> DecodeLegacyFilter(const JsonObject& request,
                                                    std::string_view parameter);
/// KeyConditions.
Result<std::optional<KeyCondition>> DecodeKeyConditions(const JsonObject& request);
/// AttributeUpdates.
Result<std::optional<Update>> DecodeAttributeUpdates(const JsonObject& request);
/// AttributesToGet.
Result<std::optional<Projection>> DecodeAttributesToGet(const JsonObject& request);

}  // namespace tintype::tables::wire
