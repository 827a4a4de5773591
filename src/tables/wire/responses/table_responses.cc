#include "tables/wire/codec.h"
#include "tables/wire/internal/json_writer.h"
#include "tables/wire/internal/table_members.h"

namespace tintype::tables::wire {

namespace {

std::string_view StatusName(TableStatus status) {
  switch (status) {
    case TableStatus::kCreating:
      return "CREATING";
    case TableStatus::kUpdating:
      return "UPDATING";
    case TableStatus::kDeleting:
      return "DELETING";
    case TableStatus::kActive:
      break;
  }
  return "ACTIVE";
}

std::string_view StatusName(IndexStatus status) {
  switch (status) {
    case IndexStatus::kCreating:
      return "CREATING";
    case IndexStatus::kUpdating:
      return "UPDATING";
    case IndexStatus::kDeleting:
      return "DELETING";
    case IndexStatus::kActive:
      break;
  }
  return "ACTIVE";
}

/// On-demand tables and indexes show zeros.
void WriteThroughputUnits(JsonWriter& json, const std::optional<Throughput>& throughput) {
  const Throughput units = throughput.value_or(Throughput{});
  WriteInteger(json, "ReadCapacityUnits", units.read_units);
  WriteInteger(json, "WriteCapacityUnits", units.write_units);
}

/// What local and global indexes have in common.
void WriteIndex(JsonWriter& json, const IndexDescription& index) {
  WriteText(json, "IndexName", index.definition.name);
  WriteKeySchema(json, index.definition.keys);
  WriteIndexProjection(json, index.definition.projection);
  WriteInteger(json, "IndexSizeBytes", index.size_bytes);
  WriteInteger(json, "ItemCount", index.item_count);
  WriteText(json, "IndexArn", index.arn);
}

void WriteLocalIndexes(JsonWriter& json, const TableDescription& table) {
  if (table.local_indexes.empty()) {
    return;
  }
  json.Name("LocalSecondaryIndexes");
  json.OpenArray();
  for (const IndexDescription& index : table.local_indexes) {
    json.OpenObject();
    WriteIndex(json, index);
    json.CloseObject();
  }
  json.CloseArray();
}

void WriteGlobalIndexes(JsonWriter& json, const TableDescription& table) {
  if (table.global_indexes.empty()) {
    return;
  }
  json.Name("GlobalSecondaryIndexes");
  json.OpenArray();
  for (const IndexDescription& index : table.global_indexes) {
    json.OpenObject();
    WriteIndex(json, index);
    WriteText(json, "IndexStatus", StatusName(index.status));
    // Indexes that are created with their table have nothing to fill from and do not show it.
    if (index.status == IndexStatus::kCreating && table.status != TableStatus::kCreating) {
      WriteBool(json, "Backfilling", index.backfilling);
    }
    json.Name("ProvisionedThroughput");
    json.OpenObject();
    WriteInteger(json, "NumberOfDecreasesToday", 0);
    WriteThroughputUnits(json, index.definition.throughput);
    json.CloseObject();
    WriteOnDemandThroughput(json, index.definition.on_demand_throughput);
    json.CloseObject();
  }
  json.CloseArray();
}

void WriteTableThroughput(JsonWriter& json, const TableDescription& table) {
  json.Name("ProvisionedThroughput");
  json.OpenObject();
  WriteTime(json, "LastIncreaseDateTime", table.last_increase_ms);
  WriteTime(json, "LastDecreaseDateTime", table.last_decrease_ms);
  WriteInteger(json, "NumberOfDecreasesToday", table.throughput_decreases_today);
  WriteThroughputUnits(json, table.definition.throughput);
  json.CloseObject();
  WriteOnDemandThroughput(json, table.definition.on_demand_throughput);
  // Tables that were provisioned all their life have no summary.
  if (table.definition.billing_mode == BillingMode::kPayPerRequest || table.on_demand_since_ms) {
    json.Name("BillingModeSummary");
    json.OpenObject();
    WriteText(json, "BillingMode", Name(table.definition.billing_mode));
    WriteTime(json, "LastUpdateToPayPerRequestDateTime", table.on_demand_since_ms);
    json.CloseObject();
  }
}

void WriteStream(JsonWriter& json, const TableDescription& table) {
  if (table.definition.stream) {
    WriteStreamSpecification(json, "StreamSpecification", table.definition.stream);
  }
  // The latest stream stays readable, and so stays shown, after it is turned off.
  WriteOptional(json, "LatestStreamLabel", table.stream_label);
  WriteOptional(json, "LatestStreamArn", table.stream_arn);
}

void WriteRestore(JsonWriter& json, const std::optional<RestoreSummary>& restore) {
  if (!restore) {
    return;
  }
  json.Name("RestoreSummary");
  json.OpenObject();
  WriteOptional(json, "SourceBackupArn", restore->source_backup_arn);
  WriteOptional(json, "SourceTableArn", restore->source_table_arn);
  WriteTime(json, "RestoreDateTime", restore->time_ms);
  WriteBool(json, "RestoreInProgress", restore->in_progress);
  json.CloseObject();
}

/// Only tables whose class was chosen show it.
void WriteTableClass(JsonWriter& json, const TableDescription& table) {
  if (table.definition.table_class == TableClass::kStandard && !table.class_changed_ms) {
    return;
  }
  json.Name("TableClassSummary");
  json.OpenObject();
  WriteText(json, "TableClass", Name(table.definition.table_class));
  WriteTime(json, "LastUpdateDateTime", table.class_changed_ms);
  json.CloseObject();
}

}  // namespace

std::string EncodeTable(std::string_view member, const TableResponse& response) {
  const TableDescription& table = response.table;
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  json.Name(member);
  json.OpenObject();
  // Of a table that is about to go, DynamoDB no longer tells what it was made of.
  const bool stays = table.status != TableStatus::kDeleting;
  if (stays) {
    WriteAttributeDefinitions(json, table.definition.attributes);
  }
  WriteText(json, "TableName", table.definition.name);
  if (stays) {
    WriteKeySchema(json, table.definition.keys);
  }
  WriteText(json, "TableStatus", StatusName(table.status));
  if (stays) {
    WriteTime(json, "CreationDateTime", table.created_ms);
  }
  WriteTableThroughput(json, table);
  WriteInteger(json, "TableSizeBytes", table.size_bytes);
  WriteInteger(json, "ItemCount", table.item_count);
  WriteText(json, "TableArn", table.arn);
  WriteText(json, "TableId", table.id);
  if (stays) {
    WriteLocalIndexes(json, table);
    WriteGlobalIndexes(json, table);
  }
  WriteStream(json, table);
  WriteRestore(json, table.restore);
  WriteEncryptionDescription(json, table);
  WriteTableClass(json, table);
  WriteBool(json, "DeletionProtectionEnabled", table.definition.deletion_protection);
  json.CloseObject();
  json.CloseObject();
  return body;
}

std::string EncodeListTables(const ListTablesResponse& response) {
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  json.Name("TableNames");
  json.OpenArray();
  for (const std::string& name : response.names) {
    json.String(name);
  }
  json.CloseArray();
  WriteOptional(json, "LastEvaluatedTableName", response.last_evaluated_name);
  json.CloseObject();
  return body;
}

std::string EncodeListTagsOfResource(const ListTagsResponse& response) {
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  json.Name("Tags");
  json.OpenArray();
  for (const auto& [key, value] : response.tags) {
    json.OpenObject();
    WriteText(json, "Key", key);
    WriteText(json, "Value", value);
    json.CloseObject();
  }
  json.CloseArray();
  WriteOptional(json, "NextToken", response.next_token);
  json.CloseObject();
  return body;
}

std::string EncodeResourcePolicyRevision(const ResourcePolicyResponse& response) {
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  WriteOptional(json, "RevisionId", response.revision_id);
  json.CloseObject();
  return body;
}

std::string EncodeGetResourcePolicy(const GetResourcePolicyResponse& response) {
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  WriteText(json, "Policy", response.policy.document);
  WriteText(json, "RevisionId", response.policy.revision_id);
  json.CloseObject();
  return body;
}

std::string EncodeUpdateTimeToLive(const UpdateTimeToLiveResponse& response) {
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  json.Name("TimeToLiveSpecification");
  json.OpenObject();
  WriteText(json, "AttributeName", response.attribute);
  WriteBool(json, "Enabled", response.enabled);
  json.CloseObject();
  json.CloseObject();
  return body;
}

std::string EncodeDescribeTimeToLive(const DescribeTimeToLiveResponse& response) {
  std::string body;
  JsonWriter json(body);
  json.OpenObject();
  json.Name("TimeToLiveDescription");
  json.OpenObject();
  WriteOptional(json, "AttributeName", response.attribute);
  WriteText(json, "TimeToLiveStatus", Name(response.status));
  json.CloseObject();
  json.CloseObject();
  return body;
}

}  // namespace tintype::tables::wire
