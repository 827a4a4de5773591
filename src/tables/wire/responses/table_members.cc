#include "tables/wire/internal/table_members.h"

#include "base/strings.h"

namespace tintype::tables::wire {

namespace {

/// Keys are given by id, alias or ARN and shown by ARN, in the region and account of the table's.
/// DynamoDB shows the key that an alias stands for; here an alias is all there is.
std::string MasterKeyArn(std::string_view key, std::string_view table_arn) {
  constexpr std::string_view kService = "arn:aws:dynamodb:";
  const size_t account_end = table_arn.find(":table/");
  if (key.starts_with("arn:") || !table_arn.starts_with(kService) ||
      account_end == std::string_view::npos) {
    return std::string(key);
  }
  const std::string_view region_and_account =
      table_arn.substr(kService.size(), account_end - kService.size());
  return StrCat("arn:aws:kms:", region_and_account, key.starts_with("alias/") ? ":" : ":key/", key);
}

}  // namespace

std::string_view Name(StreamView view) {
  switch (view) {
    case StreamView::kKeysOnly:
      return "KEYS_ONLY";
    case StreamView::kNewImage:
      return "NEW_IMAGE";
    case StreamView::kOldImage:
      return "OLD_IMAGE";
    case StreamView::kNewAndOldImages:
      break;
  }
  return "NEW_AND_OLD_IMAGES";
}

std::string_view Name(BillingMode mode) {
  return mode == BillingMode::kProvisioned ? "PROVISIONED" : "PAY_PER_REQUEST";
}

std::string_view Name(TableClass table_class) {
  return table_class == TableClass::kStandard ? "STANDARD" : "STANDARD_INFREQUENT_ACCESS";
}

std::string_view Name(TimeToLiveStatus status) {
  switch (status) {
    case TimeToLiveStatus::kEnabling:
      return "ENABLING";
    case TimeToLiveStatus::kDisabling:
      return "DISABLING";
    case TimeToLiveStatus::kEnabled:
      return "ENABLED";
    case TimeToLiveStatus::kDisabled:
      break;
  }
  return "DISABLED";
}

void WriteText(JsonWriter& json, std::string_view name, std::string_view text) {
  json.Name(name);
  json.String(text);
}

void WriteInteger(JsonWriter& json, std::string_view name, int64_t number) {
  json.Name(name);
  json.Integer(number);
}

void WriteBool(JsonWriter& json, std::string_view name, bool value) {
  json.Name(name);
  json.Bool(value);
}

void WriteOptional(JsonWriter& json, std::string_view name,
                   const std::optional<std::string>& text) {
  if (text) {
    WriteText(json, name, *text);
  }
}

void WriteTime(JsonWriter& json, std::string_view name, std::optional<int64_t> ms) {
  if (ms) {
    json.Name(name);
    json.Time(*ms);
  }
}

void WriteKeySchema(JsonWriter& json, const KeySchema& keys) {
  json.Name("KeySchema");
  json.OpenArray();
  const auto write = [&](const std::vector<std::string>& names, std::string_view role) {
    for (const std::string& name : names) {
      json.OpenObject();
      WriteText(json, "AttributeName", name);
      WriteText(json, "KeyType", role);
      json.CloseObject();
    }
  };
  write(keys.hash, "HASH");
  write(keys.range, "RANGE");
  json.CloseArray();
}

void WriteAttributeDefinitions(JsonWriter& json,
                               const std::vector<AttributeDefinition>& attributes) {
  json.Name("AttributeDefinitions");
  json.OpenArray();
  for (const AttributeDefinition& attribute : attributes) {
    json.OpenObject();
    WriteText(json, "AttributeName", attribute.name);
    WriteText(json, "AttributeType", TypeName(attribute.type));
    json.CloseObject();
  }
  json.CloseArray();
}

void WriteThroughput(JsonWriter& json, const std::optional<Throughput>& throughput) {
  if (!throughput) {
    return;
  }
  json.Name("ProvisionedThroughput");
  json.OpenObject();
  WriteInteger(json, "ReadCapacityUnits", throughput->read_units);
  WriteInteger(json, "WriteCapacityUnits", throughput->write_units);
  json.CloseObject();
}

void WriteOnDemandThroughput(JsonWriter& json, const std::optional<Throughput>& throughput) {
  if (!throughput) {
    return;
  }
  json.Name("OnDemandThroughput");
  json.OpenObject();
  WriteInteger(json, "MaxReadRequestUnits", throughput->read_units);
  WriteInteger(json, "MaxWriteRequestUnits", throughput->write_units);
  json.CloseObject();
}

void WriteIndexProjection(JsonWriter& json, const IndexProjection& projection) {
  json.Name("Projection");
  json.OpenObject();
  WriteText(json, "ProjectionType", ProjectionTypeName(projection.kind));
  if (!projection.include.empty()) {
    json.Name("NonKeyAttributes");
    json.OpenArray();
    for (const std::string& name : projection.include) {
      json.String(name);
    }
    json.CloseArray();
  }
  json.CloseObject();
}

void WriteIndex(JsonWriter& json, const IndexDefinition& index) {
  json.OpenObject();
  WriteText(json, "IndexName", index.name);
  WriteKeySchema(json, index.keys);
  WriteIndexProjection(json, index.projection);
  WriteThroughput(json, index.throughput);
  WriteOnDemandThroughput(json, index.on_demand_throughput);
  json.CloseObject();
}

void WriteIndexes(JsonWriter& json, std::string_view name,
                  const std::vector<IndexDefinition>& indexes) {
  if (indexes.empty()) {
    return;
  }
  json.Name(name);
  json.OpenArray();
  for (const IndexDefinition& index : indexes) {
    WriteIndex(json, index);
  }
  json.CloseArray();
}

void WriteStreamSpecification(JsonWriter& json, std::string_view name,
                              const std::optional<StreamView>& view) {
  json.Name(name);
  json.OpenObject();
  WriteBool(json, "StreamEnabled", view.has_value());
  if (view) {
    WriteText(json, "StreamViewType", Name(*view));
  }
  json.CloseObject();
}

void WriteEncryptionSpecification(JsonWriter& json,
                                  const std::optional<EncryptionSpecification>& encryption) {
  if (!encryption) {
    return;
  }
  json.Name("SSESpecification");
  json.OpenObject();
  WriteBool(json, "Enabled", encryption->enabled);
  WriteOptional(json, "SSEType", encryption->type);
  WriteOptional(json, "KMSMasterKeyId", encryption->master_key);
  json.CloseObject();
}

void WriteEncryptionDescription(JsonWriter& json, const TableDescription& table) {
  const std::optional<EncryptionSpecification>& encryption = table.definition.encryption;
  if (!encryption || !encryption->enabled) {
    return;
  }
  json.Name("SSEDescription");
  json.OpenObject();
  WriteText(json, "Status", "ENABLED");
  WriteText(json, "SSEType", "KMS");
  WriteText(json, "KMSMasterKeyArn",
            MasterKeyArn(encryption->master_key.value_or("alias/aws/dynamodb"), table.arn));
  json.CloseObject();
}

}  // namespace tintype::tables::wire
