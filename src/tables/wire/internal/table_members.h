#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "tables/language/requests.h"
#include "tables/language/schema.h"
#include "tables/wire/internal/json_writer.h"

/// What requests about tables and descriptions of tables have in common, as it is written. Each
/// function that writes does so with the member's name.
namespace tintype::tables::wire {

std::string_view Name(StreamView view);
std::string_view Name(BillingMode mode);
std::string_view Name(TableClass table_class);

std::string_view Name(TimeToLiveStatus status);

void WriteText(JsonWriter& json, std::string_view name, std::string_view text);
void WriteInteger(JsonWriter& json, std::string_view name, int64_t number);
void WriteBool(JsonWriter& json, std::string_view name, bool value);
// These write nothing when there is nothing.
void WriteOptional(JsonWriter& json, std::string_view name, const std::optional<std::string>& text);
void WriteTime(JsonWriter& json, std::string_view name, std::optional<int64_t> ms);

void WriteKeySchema(JsonWriter& json, const KeySchema& keys);
void WriteAttributeDefinitions(JsonWriter& json,
                               const std::vector<AttributeDefinition>& attributes);
void WriteThroughput(JsonWriter& json, const std::optional<Throughput>& throughput);
void WriteOnDemandThroughput(JsonWriter& json, const std::optional<Throughput>& throughput);
void WriteIndexProjection(JsonWriter& json, const IndexProjection& projection);
/// An index as it is declared, without a name.
void WriteIndex(JsonWriter& json, const IndexDefinition& index);
/// Nothing when there are none.
void WriteIndexes(JsonWriter& json, std::string_view name,
                  const std::vector<IndexDefinition>& indexes);
void WriteStreamSpecification(JsonWriter& json, std::string_view name,
                              const std::optional<StreamView>& view);
void WriteEncryptionSpecification(JsonWriter& json,
                                  const std::optional<EncryptionSpecification>& encryption);
/// Nothing for the key that DynamoDB owns, which is what a table has that did not ask.
void WriteEncryptionDescription(JsonWriter& json, const TableDescription& table);

}  // namespace tintype::tables::wire
