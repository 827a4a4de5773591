#include "tables/wire/internal/table_members.h"

namespace tintype::tables::wire {

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

void WriteText(JsonWriter& json, std::string_view name, std::string_view text) {
  json.Name(name);
  json.String(text);
}

void WriteInteger(JsonWriter& json, std::string_view name, int64_t number) {
  json.Name(name);
  json.Integer(number);
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

}  // namespace tintype::tables::wire
