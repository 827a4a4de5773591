#include "tables/wire/internal/table_parameters.h"

#include <string>
#include <utility>

#include "base/strings.h"

namespace tintype::tables::wire {

namespace {

Result<IndexProjection> DecodeIndexProjection(const JsonObject& index) {
  const JsonObject json = index.RequiredObject("Projection");
  const auto type = json.String("ProjectionType");
  if (!type) {
    return InvalidParameter("Unknown ProjectionType: null");
  }
  IndexProjection projection;
  projection.kind = *type == "ALL"         ? IndexProjection::Kind::kAll
                    : *type == "KEYS_ONLY" ? IndexProjection::Kind::kKeysOnly
                                           : IndexProjection::Kind::kInclude;
  if (const auto names = json.Array("NonKeyAttributes")) {
    for (const JsonElement name : *names) {
      projection.include.emplace_back(TextOf(name));
    }
  }
  return projection;
}

}  // namespace

Error InvalidParameter(std::string_view what) {
  return Error::Validation(StrCat("One or more parameter values were invalid: ", what));
}

Error InvalidRequest(std::string_view what) {
  return Error::Validation(StrCat("Invalid Request: ", what));
}

std::vector<AttributeDefinition> DecodeAttributeDefinitions(const JsonObject& json) {
  std::vector<AttributeDefinition> attributes;
  if (const auto list = json.Array("AttributeDefinitions")) {
    for (const JsonElement element : *list) {
      const JsonObject attribute(element);
      attributes.push_back({std::string(attribute.RequiredString("AttributeName")),
                            TypeFromName(attribute.RequiredString("AttributeType")).value()});
    }
  }
  return attributes;
}

// KeySchema does not keep the order between roles, so a wrong one has to be found here.
Result<KeySchema> DecodeKeySchema(const JsonObject& json) {
  KeySchema keys;
  for (const JsonElement element : json.RequiredArray("KeySchema")) {
    const JsonObject key(element);
    std::string name(key.RequiredString("AttributeName"));
    if (key.String("KeyType") == "RANGE") {
      if (keys.hash.empty()) {
        return Error::Validation(
            "Invalid KeySchema: The first KeySchemaElement is not a HASH key type");
      }
      keys.range.push_back(std::move(name));
    } else if (!keys.range.empty()) {
      return InvalidParameter(
          "All HASH key attributes must precede RANGE key attributes in the KeySchema");
    } else {
      keys.hash.push_back(std::move(name));
    }
  }
  return keys;
}

std::optional<BillingMode> DecodeBillingMode(const JsonObject& json, std::string_view member) {
  const auto mode = json.String(member);
  if (!mode) {
    return std::nullopt;
  }
  return *mode == "PAY_PER_REQUEST" ? BillingMode::kPayPerRequest : BillingMode::kProvisioned;
}

std::optional<Throughput> DecodeThroughput(const JsonObject& json, std::string_view member) {
  const auto throughput = json.Object(member);
  if (!throughput) {
    return std::nullopt;
  }
  return Throughput{throughput->RequiredInteger("ReadCapacityUnits"),
                    throughput->RequiredInteger("WriteCapacityUnits")};
}

/// A unit that is not given is not limited, which is what -1 says.
std::optional<Throughput> DecodeOnDemandThroughput(const JsonObject& json,
                                                   std::string_view member) {
  const auto throughput = json.Object(member);
  if (!throughput) {
    return std::nullopt;
  }
  return Throughput{throughput->Integer("MaxReadRequestUnits").value_or(-1),
                    throughput->Integer("MaxWriteRequestUnits").value_or(-1)};
}

Result<std::optional<EncryptionSpecification>> DecodeEncryption(const JsonObject& json,
                                                                std::string_view member) {
  const auto specification = json.Object(member);
  if (!specification) {
    return std::optional<EncryptionSpecification>();
  }
  EncryptionSpecification encryption;
  encryption.enabled = specification->Bool("Enabled").value_or(false);
  encryption.type = specification->String("SSEType");
  encryption.master_key = specification->String("KMSMasterKeyId");
  if (!encryption.enabled && encryption.type) {
    return InvalidParameter("SSEType can not be specified if Enabled is false");
  }
  if (!encryption.enabled && encryption.master_key) {
    return InvalidParameter("KMSMasterKeyId can not be specified if Enabled is false");
  }
  // The model has AES256, but DynamoDB never took it.
  if (encryption.type == "AES256") {
    return InvalidParameter("SSEType AES256 is not supported");
  }
  if (encryption.master_key && !encryption.type) {
    return InvalidParameter("SSEType KMS is required if KMSMasterKeyId is specified");
  }
  return std::optional(std::move(encryption));
}

// Local indexes have no throughput members, which then simply come out absent.
Result<IndexDefinition> DecodeIndex(const JsonObject& json) {
  IndexDefinition index;
  index.name = std::string(json.RequiredString("IndexName"));
  ASSIGN_OR_RETURN(index.keys, DecodeKeySchema(json));
  ASSIGN_OR_RETURN(index.projection, DecodeIndexProjection(json));
  index.throughput = DecodeThroughput(json);
  index.on_demand_throughput = DecodeOnDemandThroughput(json);
  return index;
}

Result<std::optional<std::vector<IndexDefinition>>> DecodeIndexes(const JsonObject& json,
                                                                  std::string_view member) {
  const auto list = json.Array(member);
  if (!list) {
    return std::optional<std::vector<IndexDefinition>>();
  }
  std::vector<IndexDefinition> indexes;
  for (const JsonElement element : *list) {
    ASSIGN_OR_RETURN(IndexDefinition index, DecodeIndex(JsonObject(element)));
    indexes.push_back(std::move(index));
  }
  return std::optional(std::move(indexes));
}

Result<std::vector<IndexDefinition>> DecodeNewIndexes(const JsonObject& json,
                                                      std::string_view member) {
  ASSIGN_OR_RETURN(auto indexes, DecodeIndexes(json, member));
  if (!indexes) {
    return std::vector<IndexDefinition>();
  }
  if (indexes->empty()) {
    return InvalidParameter(StrCat("List of ", member, " is empty"));
  }
  return *std::move(indexes);
}

}  // namespace tintype::tables::wire
