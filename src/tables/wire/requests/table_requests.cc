#include <algorithm>
#include <set>
#include <utility>

#include "base/strings.h"
#include "tables/language/limits.h"
#include "tables/language/schema_validation.h"
#include "tables/wire/codec.h"
#include "tables/wire/internal/parameters.h"
#include "tables/wire/internal/resource_policy.h"
#include "tables/wire/internal/shapes.h"
#include "tables/wire/internal/table_parameters.h"
#include "tables/wire/internal/tags.h"

// CreateTable, UpdateTable, DeleteTable, DescribeTable, ListTables, UpdateTimeToLive,
// DescribeTimeToLive.
namespace tintype::tables::wire {

namespace {

std::optional<TableClass> DecodeTableClass(const JsonObject& request) {
  const auto name = request.String("TableClass");
  if (!name) {
    return std::nullopt;
  }
  return *name == "STANDARD" ? TableClass::kStandard : TableClass::kStandardInfrequentAccess;
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
      return InvalidParameter("StreamViewType cannot be specified when StreamEnabled is false");
    }
    return Change(std::optional<StreamView>());
  }
  if (!view) {
    return InvalidParameter("StreamViewType must be specified when StreamEnabled is true");
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
    return InvalidParameter(
        "One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, "
        "GlobalSecondaryIndexUpdate.Delete must not be null");
  }
  if (actions > 1) {
    return InvalidParameter(
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
    return InvalidParameter("List of GlobalSecondaryIndexUpdates is empty");
  }
  std::set<std::string> names;
  for (const JsonElement element : list) {
    ASSIGN_OR_RETURN(UpdateTableRequest::IndexChange change,
                     DecodeIndexChange(JsonObject(element)));
    const std::string& name =
        std::visit([](const auto& each) -> const std::string& { return each.name; }, change);
    if (!names.insert(name).second) {
      return InvalidParameter(
          StrCat("Only one global secondary index update per index is allowed simultaneously. "
                 "Index: ",
                 name));
    }
    request.index_changes.push_back(std::move(change));
  }
  const auto creates_or_deletes = [](const UpdateTableRequest::IndexChange& change) {
    return !std::holds_alternative<UpdateTableRequest::UpdateIndex>(change);
  };
  if (std::ranges::count_if(request.index_changes, creates_or_deletes) > 1) {
    return Error::LimitExceeded(
        "Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously "
        "per table");
  }
  for (const UpdateTableRequest::IndexChange& change : request.index_changes) {
    if (const auto* index = std::get_if<IndexDefinition>(&change)) {
      if (request.attributes.empty()) {
        return InvalidParameter(
            StrCat("AttributeDefinitions is not specified for index: ", index->name));
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
    return InvalidParameter(
        "ProvisionedThroughput must be specified when BillingMode is PROVISIONED");
  }
  if (request.billing_mode == BillingMode::kPayPerRequest && request.throughput) {
    return InvalidParameter(
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
  ASSIGN_OR_RETURN(table.encryption, DecodeEncryption(json));
  table.deletion_protection = json.Bool("DeletionProtectionEnabled").value_or(false);
  table.table_class = DecodeTableClass(json).value_or(TableClass::kStandard);
  ASSIGN_OR_RETURN(table.keys, DecodeKeySchema(json));
  ASSIGN_OR_RETURN(table.local_indexes, DecodeNewIndexes(json, "LocalSecondaryIndexes"));
  ASSIGN_OR_RETURN(table.global_indexes, DecodeNewIndexes(json, "GlobalSecondaryIndexes"));
  ASSIGN_OR_RETURN(const auto stream, DecodeStream(json));
  table.stream = stream.value_or(std::nullopt);
  if (const auto tags = json.Array("Tags")) {
    ASSIGN_OR_RETURN(request.tags, DecodeTags(*tags));
  }
  if (const auto policy = json.String("ResourcePolicy")) {
    ASSIGN_OR_RETURN(request.resource_policy, DecodePolicyDocument(*policy));
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
  ASSIGN_OR_RETURN(request.encryption, DecodeEncryption(json));
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

Result<UpdateTimeToLiveRequest> DecodeUpdateTimeToLive(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kUpdateTimeToLiveShape));
  const JsonObject specification = json.RequiredObject("TimeToLiveSpecification");
  return UpdateTimeToLiveRequest{DecodeTableName(json), specification.Bool("Enabled").value(),
                                 std::string(specification.RequiredString("AttributeName"))};
}

Result<DescribeTimeToLiveRequest> DecodeDescribeTimeToLive(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kNameTableShape));
  return DescribeTimeToLiveRequest{DecodeTableName(json)};
}

}  // namespace tintype::tables::wire
