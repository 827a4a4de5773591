#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "tables/language/values/value.h"

/// Items in the lines of files that DynamoDB exports and imports: {"Item":{"pk":{"S":"x"}}}. All
/// functions are pure and thread-safe.
namespace tintype::tables::wire {

/// Appends the line, without the newline that ends it.
void AppendItemLine(std::string& out, MapView item);

/// Reads a line. Errors: kSerialization or kValidation, saying what is wrong with it, an item that
/// is too large included. Members beside Item are passed over.
Result<Item> DecodeItemLine(std::string_view line);

}  // namespace tintype::tables::wire
