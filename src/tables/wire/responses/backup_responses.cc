#include "tables/wire/codec.h"
#include "tables/wire/internal/json_writer.h"
#include "tables/wire/internal/request_writer.h"
#include "tables/wire/internal/table_members.h"

namespace tintype::tables::wire {

namespace {

std::string_view StatusName(BackupStatus status) {
  switch (status) {
    case BackupStatus::kCreating:
      return "CREATING";
    case BackupStatus::kDeleted:
      return "DELETED";
    case BackupStatus::kAvailable:
      break;
  }
  return "AVAILABLE";
}

/// What a backup's description and its line in a list have in common.
void WriteDetails(JsonWriter& json, const BackupDetails& details) {
  WriteText(json, "BackupArn", details.arn);
  WriteText(json, "BackupName", details.name);
  WriteInteger(json, "BackupSizeBytes", details.size_bytes);
  WriteText(json, "BackupStatus", StatusName(details.status));
  WriteText(json, "BackupType", details.type == BackupType::kUser ? "USER" : "SYSTEM");
  WriteTime(json, "BackupCreationDateTime", details.created_ms);
  WriteTime(json, "BackupExpiryDateTime", details.expires_ms);
}

void WriteBackupDetails(JsonWriter& json, const BackupDetails& details) {
  json.Name("BackupDetails");
  json.OpenObject();
  WriteDetails(json, details);
  json.CloseObject();
}

void WriteSourceTable(JsonWriter& json, const TableDescription& table) {
  json.Name("SourceTableDetails");
  json.OpenObject();
  WriteText(json, "TableName", table.definition.name);
  WriteText(json, "TableId", table.id);
  WriteText(json, "TableArn", table.arn);
  WriteInteger(json, "TableSizeBytes", table.size_bytes);
  WriteKeySchema(json, table.definition.keys);
  WriteTime(json, "TableCreationDateTime", table.created_ms);
  // On-demand tables show zeros.
  WriteThroughput(json, table.definition.throughput.value_or(Throughput{}));
  WriteOnDemandThroughput(json, table.definition.on_demand_throughput);
  WriteInteger(json, "ItemCount", table.item_count);
  WriteText(json, "BillingMode", Name(table.definition.billing_mode));
  json.CloseObject();
}

void WriteSourceIndexes(JsonWriter& json, std::string_view name,
                        const std::vector<IndexDescription>& indexes) {
  if (indexes.empty()) {
    return;
  }
  json.Name(name);
  json.OpenArray();
  for (const IndexDescription& index : indexes) {
    WriteIndex(json, index.definition);
  }
  json.CloseArray();
}

void WriteSourceFeatures(JsonWriter& json, const BackupDescription& backup) {
  const TableDescription& table = backup.table;
  json.Name("SourceTableFeatureDetails");
  json.OpenObject();
  WriteSourceIndexes(json, "LocalSecondaryIndexes", table.local_indexes);
  WriteSourceIndexes(json, "GlobalSecondaryIndexes", table.global_indexes);
  if (table.definition.stream) {
    WriteStreamSpecification(json, "StreamDescription", table.definition.stream);
  }
  if (backup.expiry_attribute) {
    json.Name("TimeToLiveDescription");
    json.OpenObject();
    WriteText(json, "AttributeName", *backup.expiry_attribute);
    WriteText(json, "TimeToLiveStatus", Name(TimeToLiveStatus::kEnabled));
    json.CloseObject();
  }
  WriteEncryptionDescription(json, table);
  json.CloseObject();
}

}  // namespace

std::string EncodeCreateBackup(const CreateBackupResponse& response) {
  return WriteBody([&](JsonWriter& json) { WriteBackupDetails(json, response.details); });
}

std::string EncodeBackup(const BackupResponse& response) {
  return WriteBody([&](JsonWriter& json) {
    json.Name("BackupDescription");
    json.OpenObject();
    WriteBackupDetails(json, response.backup.details);
    WriteSourceTable(json, response.backup.table);
    WriteSourceFeatures(json, response.backup);
    json.CloseObject();
  });
}

std::string EncodeListBackups(const ListBackupsResponse& response) {
  return WriteBody([&](JsonWriter& json) {
    json.Name("BackupSummaries");
    json.OpenArray();
    for (const BackupSummary& backup : response.backups) {
      json.OpenObject();
      WriteText(json, "TableName", backup.table);
      WriteText(json, "TableId", backup.table_id);
      WriteText(json, "TableArn", backup.table_arn);
      WriteDetails(json, backup.details);
      json.CloseObject();
    }
    json.CloseArray();
    WriteOptional(json, "LastEvaluatedBackupArn", response.last_evaluated_arn);
  });
}

std::string EncodeContinuousBackups(const ContinuousBackupsResponse& response) {
  return WriteBody([&](JsonWriter& json) {
    json.Name("ContinuousBackupsDescription");
    json.OpenObject();
    // On for every table, says DynamoDB; it is recovery from them that is on or off.
    WriteText(json, "ContinuousBackupsStatus", "ENABLED");
    json.Name("PointInTimeRecoveryDescription");
    json.OpenObject();
    WriteText(json, "PointInTimeRecoveryStatus", response.recovery ? "ENABLED" : "DISABLED");
    if (response.recovery) {
      WriteInteger(json, "RecoveryPeriodInDays", response.recovery->days);
      WriteTime(json, "EarliestRestorableDateTime", response.recovery->earliest_ms);
      WriteTime(json, "LatestRestorableDateTime", response.recovery->latest_ms);
    }
    json.CloseObject();
    json.CloseObject();
  });
}

}  // namespace tintype::tables::wire
