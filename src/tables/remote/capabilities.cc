#include "tables/remote/capabilities.h"

#include "base/strings.h"
#include "tables/language/errors.h"

namespace tintype::tables::remote {

Capabilities Capabilities::Aws() { return {.service = "DynamoDB"}; }

Capabilities Capabilities::Tintype() { return {.service = "Tintype"}; }

Capabilities Capabilities::Alternator() {
  return {.service = "Alternator",
          .transactions = false,
          .partial_projections = false,
          .multi_attribute_keys = false,
          .resource_policies = false,
          .encryption = false};
}

Capabilities Capabilities::DynamoDbLocal() {
  return {.service = "DynamoDB Local",
          .multi_attribute_keys = false,
          .tags = false,
          .tags_at_creation = false,
          .resource_policies = false,
          .encryption = false,
          .table_class = false,
          .deletion_protection = false,
          .on_demand_throughput = false,
          .item_on_condition_failure = false};
}

Capabilities Capabilities::Dynalite() {
  return {.service = "dynalite",
          .transactions = false,
          .multi_attribute_keys = false,
          .streams = false,
          .tags_at_creation = false,
          .resource_policies = false,
          .time_to_live = false,
          .encryption = false,
          .table_class = false,
          .deletion_protection = false,
          .on_demand_throughput = false,
          .item_on_condition_failure = false};
}

Result<Capabilities> Capabilities::Named(std::string_view name) {
  if (name == "aws") {
    return Aws();
  }
  if (name == "tintype") {
    return Tintype();
  }
  if (name == "alternator") {
    return Alternator();
  }
  if (name == "dynamodb_local") {
    return DynamoDbLocal();
  }
  if (name == "dynalite") {
    return Dynalite();
  }
  return Error::Validation(
      StrCat("There is no preset of capabilities named ", name,
             "; there are aws, tintype, alternator, dynamodb_local and dynalite."));
}

Status Capabilities::Require(bool needed, bool available, std::string_view what) const {
  if (needed && !available) {
    return Error(tables::reasons::kUnknownOperation,
                 StrCat("The request needs ", what, ", which ", service,
                        " is declared not to have. It was not sent."));
  }
  return OkStatus();
}

Status Capabilities::CheckWrite(const WriteOptions& options) const {
  return Require(options.return_old_on_condition_failure, item_on_condition_failure,
                 "the item of a failed condition");
}

Status Capabilities::Check(const TransactGetItemsRequest& /*request*/) const {
  return Require(true, transactions, "transactions");
}

Status Capabilities::Check(const TransactWriteItemsRequest& /*request*/) const {
  return Require(true, transactions, "transactions");
}

Status Capabilities::CheckIndex(const IndexDefinition& index) const {
  RETURN_IF_ERROR(Require(index.projection.kind != IndexProjection::Kind::kAll, partial_projections,
                          "indexes that project less than all"));
  RETURN_IF_ERROR(Require(index.keys.hash.size() > 1 || index.keys.range.size() > 1,
                          multi_attribute_keys, "index keys of several attributes"));
  return Require(index.on_demand_throughput.has_value(), on_demand_throughput,
                 "limits for on-demand throughput");
}

Status Capabilities::Check(const CreateTableRequest& request) const {
  const TableDefinition& table = request.definition;
  for (const auto* indexes : {&table.local_indexes, &table.global_indexes}) {
    for (const IndexDefinition& index : *indexes) {
      RETURN_IF_ERROR(CheckIndex(index));
    }
  }
  RETURN_IF_ERROR(Require(table.stream.has_value(), streams, "streams"));
  RETURN_IF_ERROR(Require(!request.tags.empty(), tags_at_creation, "tags of a new table"));
  RETURN_IF_ERROR(Require(request.resource_policy.has_value(), resource_policies,
                          "a resource policy of a new table"));
  RETURN_IF_ERROR(Require(table.encryption.has_value(), encryption, "encryption settings"));
  RETURN_IF_ERROR(
      Require(table.table_class != TableClass::kStandard, table_class, "table classes"));
  RETURN_IF_ERROR(
      Require(table.deletion_protection, deletion_protection, "protection against deletion"));
  return Require(table.on_demand_throughput.has_value(), on_demand_throughput,
                 "limits for on-demand throughput");
}

Status Capabilities::Check(const UpdateTableRequest& request) const {
  for (const UpdateTableRequest::IndexChange& change : request.index_changes) {
    if (const auto* index = std::get_if<IndexDefinition>(&change)) {
      RETURN_IF_ERROR(CheckIndex(*index));
    } else if (const auto* update = std::get_if<UpdateTableRequest::UpdateIndex>(&change)) {
      RETURN_IF_ERROR(Require(update->on_demand_throughput.has_value(), on_demand_throughput,
                              "limits for on-demand throughput"));
    }
  }
  RETURN_IF_ERROR(Require(request.stream.has_value(), streams, "streams"));
  RETURN_IF_ERROR(Require(request.encryption.has_value(), encryption, "encryption settings"));
  RETURN_IF_ERROR(Require(request.table_class.has_value(), table_class, "table classes"));
  RETURN_IF_ERROR(Require(request.deletion_protection.has_value(), deletion_protection,
                          "protection against deletion"));
  return Require(request.on_demand_throughput.has_value(), on_demand_throughput,
                 "limits for on-demand throughput");
}

Status Capabilities::Check(const TagResourceRequest& /*request*/) const {
  return Require(true, tags, "tags");
}

Status Capabilities::Check(const UntagResourceRequest& /*request*/) const {
  return Require(true, tags, "tags");
}

Status Capabilities::Check(const ListTagsRequest& /*request*/) const {
  return Require(true, tags, "tags");
}

Status Capabilities::Check(const UpdateTimeToLiveRequest& /*request*/) const {
  return Require(true, time_to_live, "time to live");
}

}  // namespace tintype::tables::remote
