#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tables/language/schema.h"
#include "tables/wire/internal/json.h"

/// Parts of a table's definition, read from requests whose shape is checked. Those with a `member`
/// have other names in the operations that restore tables.
namespace tintype::tables::wire {

/// What DynamoDB says of most parameters that are wrong.
Error InvalidParameter(std::string_view what);
/// What it says of parameters of backups, restores and exports that do not go together.
Error InvalidRequest(std::string_view what);

std::vector<AttributeDefinition> DecodeAttributeDefinitions(const JsonObject& json);
Result<KeySchema> DecodeKeySchema(const JsonObject& json);
std::optional<BillingMode> DecodeBillingMode(const JsonObject& json,
                                             std::string_view member = "BillingMode");
std::optional<Throughput> DecodeThroughput(const JsonObject& json,
                                           std::string_view member = "ProvisionedThroughput");
std::optional<Throughput> DecodeOnDemandThroughput(const JsonObject& json,
                                                   std::string_view member = "OnDemandThroughput");
Result<std::optional<EncryptionSpecification>> DecodeEncryption(
    const JsonObject& json, std::string_view member = "SSESpecification");

Result<IndexDefinition> DecodeIndex(const JsonObject& json);
/// Nothing if there is no such member.
Result<std::optional<std::vector<IndexDefinition>>> DecodeIndexes(const JsonObject& json,
                                                                  std::string_view member);
/// The same for new tables: none if there is no such member, and a list must not be empty.
Result<std::vector<IndexDefinition>> DecodeNewIndexes(const JsonObject& json,
                                                      std::string_view member);

}  // namespace tintype::tables::wire
