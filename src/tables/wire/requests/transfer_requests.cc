#include "base/strings.h"
#include "tables/language/limits.h"
#include "tables/wire/codec.h"
#include "tables/wire/internal/import_token.h"
#include "tables/wire/internal/parameters.h"
#include "tables/wire/internal/shapes.h"
#include "tables/wire/internal/table_parameters.h"

// ExportTableToPointInTime, DescribeExport, ListExports; ImportTable, DescribeImport, ListImports.
namespace tintype::tables::wire {

namespace {

/// Features that DynamoDB has and we do not are refused: a client that asked for an encrypted or
/// incremental export must not take a plain or whole one for it.
Status CheckSupported(const JsonObject& json, std::string_view member,
                      std::string_view unsupported) {
  if (json.String(member) == unsupported) {
    return InvalidParameter(StrCat(member, " ", unsupported, " is not supported"));
  }
  return OkStatus();
}

Status CheckExportOptions(const JsonObject& json) {
  RETURN_IF_ERROR(CheckSupported(json, "ExportFormat", "ION"));
  RETURN_IF_ERROR(CheckSupported(json, "ExportType", "INCREMENTAL_EXPORT"));
  if (json.Has("IncrementalExportSpecification")) {
    return InvalidRequest(json.Has("ExportType")
                              ? "When Export Type is Full Export , Incremental Export "
                                "Specification should not be provided"
                              : "Export Type expected to be Incremental Export when incremental "
                                "export specification is provided");
  }
  RETURN_IF_ERROR(CheckSupported(json, "S3SseAlgorithm", "KMS"));
  if (json.Has("S3SseKmsKeyId")) {
    return InvalidRequest("KMS Key Id is not supported for this encryption type");
  }
  return OkStatus();
}

Status CheckImportOptions(const JsonObject& json) {
  RETURN_IF_ERROR(CheckSupported(json, "InputFormat", "ION"));
  RETURN_IF_ERROR(CheckSupported(json, "InputFormat", "CSV"));
  if (json.Has("InputFormatOptions")) {
    return InvalidParameter("InputFormatOptions can only be specified for InputFormat CSV");
  }
  return CheckSupported(json, "InputCompressionType", "ZSTD");
}

Result<TableDefinition> DecodeTableParameters(const JsonObject& json) {
  TableDefinition table;
  table.name = std::string(json.RequiredString("TableName"));
  table.attributes = DecodeAttributeDefinitions(json);
  table.billing_mode = DecodeBillingMode(json).value_or(BillingMode::kProvisioned);
  table.throughput = DecodeThroughput(json);
  table.on_demand_throughput = DecodeOnDemandThroughput(json);
  ASSIGN_OR_RETURN(table.encryption, DecodeEncryption(json));
  ASSIGN_OR_RETURN(table.keys, DecodeKeySchema(json));
  ASSIGN_OR_RETURN(table.global_indexes, DecodeNewIndexes(json, "GlobalSecondaryIndexes"));
  return table;
}

/// What ListExports and ListImports have in common; they name the size of a page differently.
template <typename Request>
Result<Request> DecodeList(const JsonObject& json, std::string_view limit) {
  Request request;
  if (const auto arn = json.String("TableArn")) {
    ASSIGN_OR_RETURN(request.table_arn, DecodeTableArn(*arn));
  }
  request.limit = static_cast<size_t>(json.Integer(limit).value_or(limits::kListedTransfers));
  return request;
}

}  // namespace

Result<ExportTableRequest> DecodeExportTable(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kExportTableShape));
  ExportTableRequest request;
  ASSIGN_OR_RETURN(request.table_arn, DecodeTableArn(json.RequiredString("TableArn")));
  RETURN_IF_ERROR(CheckExportOptions(json));
  request.time_ms = json.TimeMs("ExportTime");
  request.bucket = std::string(json.RequiredString("S3Bucket"));
  request.prefix = std::string(json.String("S3Prefix").value_or(""));
  request.client_token = json.String("ClientToken");
  request.bucket_owner = json.String("S3BucketOwner");
  return request;
}

Result<DescribeExportRequest> DecodeDescribeExport(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kDescribeExportShape));
  return DescribeExportRequest{std::string(json.RequiredString("ExportArn"))};
}

Result<ListExportsRequest> DecodeListExports(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kListExportsShape));
  ASSIGN_OR_RETURN(auto request, DecodeList<ListExportsRequest>(json, "MaxResults"));
  request.next_token = json.String("NextToken");
  return request;
}

Result<ImportTableRequest> DecodeImportTable(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kImportTableShape));
  RETURN_IF_ERROR(CheckImportOptions(json));
  const JsonObject source = json.RequiredObject("S3BucketSource");
  ImportTableRequest request;
  request.bucket = std::string(source.RequiredString("S3Bucket"));
  request.bucket_owner = source.String("S3BucketOwner");
  request.prefix = std::string(source.String("S3KeyPrefix").value_or(""));
  request.gzip = json.String("InputCompressionType") == "GZIP";
  ASSIGN_OR_RETURN(request.table,
                   DecodeTableParameters(json.RequiredObject("TableCreationParameters")));
  request.client_token = json.String("ClientToken");
  return request;
}

Result<DescribeImportRequest> DecodeDescribeImport(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kDescribeImportShape));
  return DescribeImportRequest{std::string(json.RequiredString("ImportArn"))};
}

Result<ListImportsRequest> DecodeListImports(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kListImportsShape));
  ASSIGN_OR_RETURN(auto request, DecodeList<ListImportsRequest>(json, "PageSize"));
  if (const auto token = json.String("NextToken")) {
    request.next_token = DecodeImportToken(*token);
  }
  return request;
}

}  // namespace tintype::tables::wire
