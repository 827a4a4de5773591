#include <set>
#include <utility>

#include "base/strings.h"
#include "tables/language/limits.h"
#include "tables/language/schema_validation.h"
#include "tables/wire/codec.h"
#include "tables/wire/internal/parameters.h"
#include "tables/wire/internal/shapes.h"
#include "tables/wire/internal/tags.h"

// CreateTable, UpdateTable, DeleteTable, DescribeTable, ListTables.
namespace tintype::tables::wire {

namespace {

Error Invalid(std::string_view what) {
  return Error::Validation(StrCat("One or more parameter values were invalid: ", what));
}

std::vector<AttributeDefinition> DecodeAttributeDefinitions(const JsonObject& request) {
  std::vector<AttributeDefinition> attributes;
  if (const auto list = request.Array("AttributeDefinitions")) {
    for (const JsonElement element : *list) {
      const JsonObject json(element);
      attributes.push_back({std::string(json.RequiredString("AttributeName")),
                            TypeFromName(json.RequiredString("AttributeType")).value()});
    }
  }
  return attributes;
}

/// REQUIRES: every element is HASH or RANGE. KeySchema does not keep the order between roles, so a
/// wrong one has to be found here.
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
      return Invalid("All HASH key attributes must precede RANGE key attributes in the KeySchema");
    } else {
      keys.hash.push_back(std::move(name));
    }
  }
  return keys;
}

Result<IndexProjection> DecodeIndexProjection(const JsonObject& index) {
  const JsonObject json = index.RequiredObject("Projection");
  const auto type = json.String("ProjectionType");
  if (!type) {
    return Invalid("Unknown ProjectionType: null");
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

std::optional<Throughput> DecodeThroughput(const JsonObject& json) {
  const auto throughput = json.Object("ProvisionedThroughput");
  if (!throughput) {
    return std::nullopt;
  }
  return Throughput{throughput->RequiredInteger("ReadCapacityUnits"),
                    throughput->RequiredInteger("WriteCapacityUnits")};
}

/// A unit that is not given is not limited, which is what -1 says.
std::optional<Throughput> DecodeOnDemandThroughput(const JsonObject& json) {
  const auto throughput = json.Object("OnDemandThroughput");
  if (!throughput) {
    return std::nullopt;
  }
  return Throughput{throughput->Integer("MaxReadRequestUnits").value_or(-1),
                    throughput->Integer("MaxWriteRequestUnits").value_or(-1)};
}

/// Local indexes have no throughput members, which then simply come out absent.
Result<IndexDefinition> DecodeIndex(const JsonObject& json) {
  IndexDefinition index;
  index.name = std::string(json.RequiredString("IndexName"));
  ASSIGN_OR_RETURN(index.keys, DecodeKeySchema(json));
  ASSIGN_OR_RETURN(index.projection, DecodeIndexProjection(json));
  index.throughput = DecodeThroughput(json);
  index.on_demand_throughput = DecodeOnDemandThroughput(json);
  return index;
}

Result<std::vector<IndexDefinition>> DecodeIndexes(const JsonObject& request,
                                                   std::string_view parameter) {
  std::vector<IndexDefinition> indexes;
  const auto list = request.Array(parameter);
  if (!list) {
    return indexes;
  }
  if (list->size() == 0) {
    return Invalid(StrCat("List of ", parameter, " is empty"));
  }
  for (const JsonElement element : *list) {
    ASSIGN_OR_RETURN(IndexDefinition index, DecodeIndex(JsonObject(element)));
    indexes.push_back(std::move(index));
  }
  return indexes;
}

std::optional<BillingMode> DecodeBillingMode(const JsonObject& request) {
  const auto mode = request.String("BillingMode");
  if (!mode) {
    return std::nullopt;
  }
  return *mode == "PAY_PER_REQUEST" ? BillingMode::kPayPerRequest : BillingMode::kProvisioned;
}

std::optional<TableClass> DecodeTableClass(const JsonObject& request) {
  const auto name = request.String("TableClass");
  if (!name) {
    return std::nullopt;
  }
  return *name == "STANDARD" ? TableClass::kStandard : TableClass::kStandardInfrequentAccess;
}

std::optional<EncryptionSpecification> DecodeEncryption(const JsonObject& request) {
  const auto json = request.Object("SSESpecification");
  if (!json) {
    return std::nullopt;
  }
  EncryptionSpecification encryption;
  encryption.enabled = json->Bool("Enabled").value_or(false);
  encryption.type = json->String("SSEType");
  encryption.master_key = json->String("KMSMasterKeyId");
  return encryption;
}

/// Outer: whether the request says anything about a stream. Inner: the view, or none for off.
Result<std::optional<std::optional<StreamView>>> DecodeStream(const JsonObject& request) {
  using Change = std::optional<std::optional<StreamView>>;
  const auto json = request.Object("StreamSpecification");
  if (!json) {
    return Change();
  }
  const auto view = json->String("StreamViewType");
  if (!json->Bool("StreamEnabled").value()) {
    if (view) {
      return Invalid("StreamViewType cannot be specified when StreamEnabled is false");
    }
    return Change(std::optional<StreamView>());
  }
  if (!view) {
    return Invalid("StreamViewType must be specified when StreamEnabled is true");
  }
  return Change(*view == "KEYS_ONLY"   ? StreamView::kKeysOnly
                : *view == "NEW_IMAGE" ? StreamView::kNewImage
                : *view == "OLD_IMAGE" ? StreamView::kOldImage
                                       : StreamView::kNewAndOldImages);
}

Result<UpdateTableRequest::IndexChange> DecodeIndexChange(const JsonObject& json) {
  const auto update = json.Object("Update");
  const auto create = json.Object("Create");
  const auto erase = json.Object("Delete");
  const int actions = int{update.has_value()} + int{create.has_value()} + int{erase.has_value()};
  if (actions == 0) {
    return Invalid(
        "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
        "GlobalSecondaryIndexUpdate.Delete must not be null");
  }
  if (actions > 1) {
    return Invalid(
        "Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object");
  }
  if (update) {
    return UpdateTableRequest::IndexChange(UpdateTableRequest::UpdateIndex{
        std::string(update->RequiredString("IndexName")), DecodeThroughput(*update),
        DecodeOnDemandThroughput(*update)});
  }
  if (erase) {
    return UpdateTableRequest::IndexChange(
        UpdateTableRequest::DeleteIndex{std::string(erase->RequiredString("IndexName"))});
  }
  ASSIGN_OR_RETURN(IndexDefinition index, DecodeIndex(*create));
  return UpdateTableRequest::IndexChange(std::move(index));
}

Status DecodeIndexChanges(const JsonArray& list, UpdateTableRequest& request) {
  if (list.size() == 0) {
    return Invalid("List of GlobalSecondaryIndexUpdates is empty");
  }
  std::set<std::string> names;
  for (const JsonElement element : list) {
    ASSIGN_OR_RETURN(UpdateTableRequest::IndexChange change,
                     DecodeIndexChange(JsonObject(element)));
    const std::string& name =
        std::visit([](const auto& each) -> const std::string& { return each.name; }, change);
    if (!names.insert(name).second) {
      return Invalid(
          StrCat("Only one global secondary index update per index is allowed simultaneously. "
                 "Index: ",
                 name));
    }
    request.index_changes.push_back(std::move(change));
  }
  for (const UpdateTableRequest::IndexChange& change : request.index_changes) {
    if (const auto* index = std::get_if<IndexDefinition>(&change)) {
      if (request.attributes.empty()) {
        return Invalid(StrCat("AttributeDefinitions is not specified for index: ", index->name));
      }
      RETURN_IF_ERROR(ValidateGlobalIndex(*index));
    }
  }
  return OkStatus();
}

/// AttributeDefinitions alone change nothing, and an empty list of index updates counts as none.
bool ChangesSomething(const JsonObject& request) {
  for (const std::string_view name :
       {"ProvisionedThroughput", "BillingMode", "StreamSpecification", "SSESpecification",
        "DeletionProtectionEnabled", "OnDemandThroughput", "TableClass"}) {
    if (request.Has(name)) {
      return true;
    }
  }
  const auto indexes = request.Array("GlobalSecondaryIndexUpdates");
  return indexes && indexes->size() > 0;
}

Status CheckNewThroughput(const UpdateTableRequest& request) {
  if (request.billing_mode == BillingMode::kProvisioned && !request.throughput) {
    return Invalid("ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  }
  if (request.billing_mode == BillingMode::kPayPerRequest && request.throughput) {
    return Invalid(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  return request.throughput ? ValidateThroughputBounds(*request.throughput) : OkStatus();
}

}  // namespace

Result<CreateTableRequest> DecodeCreateTable(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kCreateTableShape));
  CreateTableRequest request;
  TableDefinition& table = request.definition;
  table.name = DecodeTableName(json);
  table.attributes = DecodeAttributeDefinitions(json);
  table.billing_mode = DecodeBillingMode(json).value_or(BillingMode::kProvisioned);
  table.throughput = DecodeThroughput(json);
  table.on_demand_throughput = DecodeOnDemandThroughput(json);
  table.encryption = DecodeEncryption(json);
  table.deletion_protection = json.Bool("DeletionProtectionEnabled").value_or(false);
  table.table_class = DecodeTableClass(json).value_or(TableClass::kStandard);
  ASSIGN_OR_RETURN(table.keys, DecodeKeySchema(json));
  ASSIGN_OR_RETURN(table.local_indexes, DecodeIndexes(json, "LocalSecondaryIndexes"));
  ASSIGN_OR_RETURN(table.global_indexes, DecodeIndexes(json, "GlobalSecondaryIndexes"));
  ASSIGN_OR_RETURN(const auto stream, DecodeStream(json));
  table.stream = stream.value_or(std::nullopt);
  if (const auto tags = json.Array("Tags")) {
    ASSIGN_OR_RETURN(request.tags, DecodeTags(*tags));
  }
  return request;
}

Result<UpdateTableRequest> DecodeUpdateTable(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kUpdateTableShape));
  if (!ChangesSomething(json)) {
    return Error::Validation(
        "At least one of ProvisionedThroughput, BillingMode, UpdateStreamEnabled, "
        "GlobalSecondaryIndexUpdates, SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
        "ReplicaTransitRoleArn, MultiRegionConsistency, DeletionProtectionEnabled, "
        "OnDemandThroughput, WarmThroughput or TableClass is required");
  }
  UpdateTableRequest request;
  request.table = DecodeTableName(json);
  request.attributes = DecodeAttributeDefinitions(json);
  request.billing_mode = DecodeBillingMode(json);
  request.throughput = DecodeThroughput(json);
  request.on_demand_throughput = DecodeOnDemandThroughput(json);
  request.deletion_protection = json.Bool("DeletionProtectionEnabled");
  request.table_class = DecodeTableClass(json);
  request.encryption = DecodeEncryption(json);
  RETURN_IF_ERROR(CheckNewThroughput(request));
  if (const auto changes = json.Array("GlobalSecondaryIndexUpdates")) {
    RETURN_IF_ERROR(DecodeIndexChanges(*changes, request));
  }
  ASSIGN_OR_RETURN(request.stream, DecodeStream(json));
  return request;
}

Result<DeleteTableRequest> DecodeDeleteTable(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kNameTableShape));
  return DeleteTableRequest{DecodeTableName(json)};
}

Result<DescribeTableRequest> DecodeDescribeTable(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kNameTableShape));
  return DescribeTableRequest{DecodeTableName(json)};
}

Result<ListTablesRequest> DecodeListTables(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kListTablesShape));
  ListTablesRequest request;
  request.exclusive_start_name = json.String("ExclusiveStartTableName");
  request.limit = static_cast<size_t>(json.Integer("Limit").value_or(limits::kListedTables));
  return request;
}

}  // namespace tintype::tables::wire
