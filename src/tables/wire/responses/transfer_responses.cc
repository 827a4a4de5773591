#include "tables/wire/codec.h"
#include "tables/wire/internal/import_token.h"
#include "tables/wire/internal/json_writer.h"
#include "tables/wire/internal/request_writer.h"
#include "tables/wire/internal/table_members.h"

namespace tintype::tables::wire {

namespace {

std::string_view StatusName(TransferStatus status) {
  switch (status) {
    case TransferStatus::kInProgress:
      return "IN_PROGRESS";
    case TransferStatus::kFailed:
      return "FAILED";
    case TransferStatus::kCancelled:
      return "CANCELLED";
    case TransferStatus::kCompleted:
      break;
  }
  return "COMPLETED";
}

/// An empty prefix is none.
void WritePrefix(JsonWriter& json, std::string_view name, std::string_view prefix) {
  if (!prefix.empty()) {
    WriteText(json, name, prefix);
  }
}

void WriteBucketSource(JsonWriter& json, const ImportDescription& description) {
  json.Name("S3BucketSource");
  json.OpenObject();
  WriteOptional(json, "S3BucketOwner", description.bucket_owner);
  WriteText(json, "S3Bucket", description.bucket);
  WritePrefix(json, "S3KeyPrefix", description.prefix);
  json.CloseObject();
}

void WriteTableParameters(JsonWriter& json, const TableDefinition& table) {
  json.Name("TableCreationParameters");
  json.OpenObject();
  WriteText(json, "TableName", table.name);
  WriteAttributeDefinitions(json, table.attributes);
  WriteKeySchema(json, table.keys);
  WriteText(json, "BillingMode", Name(table.billing_mode));
  WriteThroughput(json, table.throughput);
  WriteOnDemandThroughput(json, table.on_demand_throughput);
  WriteEncryptionSpecification(json, table.encryption);
  WriteIndexes(json, "GlobalSecondaryIndexes", table.global_indexes);
  json.CloseObject();
}

}  // namespace

std::string EncodeExport(const ExportResponse& response) {
  return WriteBody([&](JsonWriter& json) {
    const ExportDescription& description = response.description;
    json.Name("ExportDescription");
    json.OpenObject();
    WriteText(json, "ExportArn", description.arn);
    WriteText(json, "ExportStatus", StatusName(description.status));
    WriteTime(json, "StartTime", description.started_ms);
    WriteTime(json, "EndTime", description.ended_ms);
    WriteOptional(json, "ExportManifest", description.manifest);
    WriteText(json, "TableArn", description.table_arn);
    WriteText(json, "TableId", description.table_id);
    WriteTime(json, "ExportTime", description.time_ms);
    WriteOptional(json, "ClientToken", description.client_token);
    WriteText(json, "S3Bucket", description.bucket);
    WriteOptional(json, "S3BucketOwner", description.bucket_owner);
    WritePrefix(json, "S3Prefix", description.prefix);
    WriteOptional(json, "FailureCode", description.failure_code);
    WriteOptional(json, "FailureMessage", description.failure_message);
    WriteText(json, "ExportFormat", "DYNAMODB_JSON");
    // How much it is, is known once it is done.
    if (description.status == TransferStatus::kCompleted) {
      WriteInteger(json, "BilledSizeBytes", description.billed_bytes);
      WriteInteger(json, "ItemCount", description.item_count);
    }
    WriteText(json, "ExportType", "FULL_EXPORT");
    json.CloseObject();
  });
}

std::string EncodeListExports(const ListExportsResponse& response) {
  return WriteBody([&](JsonWriter& json) {
    json.Name("ExportSummaries");
    json.OpenArray();
    for (const ExportDescription& description : response.exports) {
      json.OpenObject();
      WriteText(json, "ExportArn", description.arn);
      WriteText(json, "ExportStatus", StatusName(description.status));
      WriteText(json, "ExportType", "FULL_EXPORT");
      json.CloseObject();
    }
    json.CloseArray();
    WriteOptional(json, "NextToken", response.next_token);
  });
}

std::string EncodeImport(const ImportResponse& response) {
  return WriteBody([&](JsonWriter& json) {
    const ImportDescription& description = response.description;
    json.Name("ImportTableDescription");
    json.OpenObject();
    WriteText(json, "ImportArn", description.arn);
    WriteText(json, "ImportStatus", StatusName(description.status));
    WriteText(json, "TableArn", description.table_arn);
    WriteText(json, "TableId", description.table_id);
    WriteOptional(json, "ClientToken", description.client_token);
    WriteBucketSource(json, description);
    WriteInteger(json, "ErrorCount", description.error_count);
    WriteText(json, "InputFormat", "DYNAMODB_JSON");
    WriteText(json, "InputCompressionType", description.gzip ? "GZIP" : "NONE");
    WriteTableParameters(json, description.table);
    WriteTime(json, "StartTime", description.started_ms);
    WriteTime(json, "EndTime", description.ended_ms);
    WriteInteger(json, "ProcessedSizeBytes", description.processed_bytes);
    WriteInteger(json, "ProcessedItemCount", description.processed_items);
    WriteInteger(json, "ImportedItemCount", description.imported_items);
    WriteOptional(json, "FailureCode", description.failure_code);
    WriteOptional(json, "FailureMessage", description.failure_message);
    json.CloseObject();
  });
}

std::string EncodeListImports(const ListImportsResponse& response) {
  return WriteBody([&](JsonWriter& json) {
    json.Name("ImportSummaryList");
    json.OpenArray();
    for (const ImportDescription& description : response.imports) {
      json.OpenObject();
      WriteText(json, "ImportArn", description.arn);
      WriteText(json, "ImportStatus", StatusName(description.status));
      WriteText(json, "TableArn", description.table_arn);
      WriteBucketSource(json, description);
      WriteText(json, "InputFormat", "DYNAMODB_JSON");
      WriteTime(json, "StartTime", description.started_ms);
      WriteTime(json, "EndTime", description.ended_ms);
      json.CloseObject();
    }
    json.CloseArray();
    if (response.next_token) {
      WriteText(json, "NextToken", EncodeImportToken(*response.next_token));
    }
  });
}

}  // namespace tintype::tables::wire
