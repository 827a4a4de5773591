#pragma once

#include "base/result.h"
#include "tables/language/values/value.h"
#include "tables/wire/internal/json.h"

/// Attribute values from DynamoDB's JSON, `{"S": "x"}`, to their stored form. The types have been
/// checked against the request's shape; the checks here are those whose failure DynamoDB reports as
/// a ValidationException: exactly one type, numbers, sets, nesting.
namespace tintype::tables::wire {

/// Fails if an attribute's name is empty or too long.
Status CheckAttributeName(std::string_view name);

Result<Value> DecodeValue(JsonElement json);
Result<std::vector<Value>> DecodeValues(JsonArray json);
/// An item, or a key: attributes by name.
Result<Item> DecodeItem(const JsonObject& json);

}  // namespace tintype::tables::wire
