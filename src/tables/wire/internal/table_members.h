#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tables/language/schema.h"
#include "tables/wire/internal/json_writer.h"

/// What requests about tables and descriptions of tables have in common, as it is written. Each
/// function that writes does so with the member's name.
namespace tintype::tables::wire {

std::string_view Name(StreamView view);
std::string_view Name(BillingMode mode);
std::string_view Name(TableClass table_class);

void WriteText(JsonWriter& json, std::string_view name, std::string_view text);
void WriteInteger(JsonWriter& json, std::string_view name, int64_t number);

void WriteKeySchema(JsonWriter& json, const KeySchema& keys);
void WriteAttributeDefinitions(JsonWriter& json,
                               const std::vector<AttributeDefinition>& attributes);
void WriteOnDemandThroughput(JsonWriter& json, const std::optional<Throughput>& throughput);
void WriteIndexProjection(JsonWriter& json, const IndexProjection& projection);

}  // namespace tintype::tables::wire
