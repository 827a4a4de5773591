#include "tables/language/limits.h"
#include "tables/wire/internal/common_shapes.h"
#include "tables/wire/internal/shapes.h"
#include "tables/wire/internal/table_shapes.h"

// The requests about exports and imports.
namespace tintype::tables::wire {

namespace {

using Kind = Shape::Kind;

constexpr std::string_view kBucketEncryptionValues[] = {"AES256", "KMS"};
constexpr std::string_view kExportFormatValues[] = {"DYNAMODB_JSON", "ION"};
constexpr std::string_view kExportTypeValues[] = {"FULL_EXPORT", "INCREMENTAL_EXPORT"};
constexpr std::string_view kExportViewValues[] = {"NEW_IMAGE", "NEW_AND_OLD_IMAGES"};
constexpr std::string_view kInputFormatValues[] = {"DYNAMODB_JSON", "ION", "CSV"};
constexpr std::string_view kCompressionValues[] = {"GZIP", "ZSTD", "NONE"};

constexpr Member kClientToken{
    .name = "ClientToken", .shape = &kStringShape, .pattern = Pattern::kClientToken};
constexpr Member kBucket{.name = "S3Bucket",
                         .shape = &kStringShape,
                         .required = true,
                         .max = 255,
                         .pattern = Pattern::kBucket};
constexpr Member kBucketOwner{
    .name = "S3BucketOwner", .shape = &kStringShape, .pattern = Pattern::kAccount};
constexpr Member kOptionalTableArn{
    .name = "TableArn", .shape = &kStringShape, .min = 1, .max = 1024};

constexpr Member kIncrementalMembers[] = {
    {.name = "ExportFromTime", .shape = &kTimestampShape},
    {.name = "ExportToTime", .shape = &kTimestampShape},
    {.name = "ExportViewType", .shape = &kStringShape, .one_of = kExportViewValues},
};
constexpr Shape kIncrementalShape{.kind = Kind::kStruct,
                                  .type_name = "IncrementalExportSpecification",
                                  .members = kIncrementalMembers};
constexpr Member kExportTableMembers[] = {
    {.name = "TableArn", .shape = &kStringShape, .required = true, .min = 1, .max = 1024},
    {.name = "ExportTime", .shape = &kTimestampShape},
    kClientToken,
    kBucket,
    kBucketOwner,
    {.name = "S3Prefix", .shape = &kStringShape, .max = 1024},
    {.name = "S3SseAlgorithm", .shape = &kStringShape, .one_of = kBucketEncryptionValues},
    {.name = "S3SseKmsKeyId", .shape = &kStringShape, .min = 1, .max = 2048},
    {.name = "ExportFormat", .shape = &kStringShape, .one_of = kExportFormatValues},
    {.name = "ExportType", .shape = &kStringShape, .one_of = kExportTypeValues},
    {.name = "IncrementalExportSpecification", .shape = &kIncrementalShape},
};
constexpr Member kDescribeExportMembers[] = {
    {.name = "ExportArn", .shape = &kStringShape, .required = true, .min = 37, .max = 1024},
};
constexpr Member kListExportsMembers[] = {
    kOptionalTableArn,
    {.name = "MaxResults", .shape = &kIntegerShape, .min = 1, .max = limits::kListedTransfers},
    {.name = "NextToken", .shape = &kStringShape},
};

constexpr Member kBucketSourceMembers[] = {
    kBucketOwner,
    kBucket,
    {.name = "S3KeyPrefix", .shape = &kStringShape, .max = 1024},
};
constexpr Shape kBucketSourceShape{
    .kind = Kind::kStruct, .type_name = "S3BucketSource", .members = kBucketSourceMembers};

constexpr Member kCsvHeaderElement{.shape = &kStringShape,
                                   .required = true,
                                   .min = 1,
                                   .max = 65536,
                                   .pattern = Pattern::kCsvHeader};
constexpr Shape kCsvHeadersShape{.kind = Kind::kList, .element = &kCsvHeaderElement};
constexpr Member kCsvMembers[] = {
    {.name = "Delimiter",
     .shape = &kStringShape,
     .min = 1,
     .max = 1,
     .pattern = Pattern::kCsvDelimiter},
    {.name = "HeaderList", .shape = &kCsvHeadersShape, .min = 1, .max = 255},
};
constexpr Shape kCsvShape{.kind = Kind::kStruct, .type_name = "CsvOptions", .members = kCsvMembers};
constexpr Member kFormatOptionsMembers[] = {{.name = "Csv", .shape = &kCsvShape}};
constexpr Shape kFormatOptionsShape{
    .kind = Kind::kStruct, .type_name = "InputFormatOptions", .members = kFormatOptionsMembers};

constexpr Member kTableParametersMembers[] = {
    {.name = "TableName",
     .shape = &kStringShape,
     .required = true,
     .min = limits::kNameBytesMin,
     .max = limits::kNameBytes,
     .pattern = Pattern::kName},
    {.name = "AttributeDefinitions", .shape = &kAttributeDefinitionsShape, .required = true},
    {.name = "KeySchema", .shape = &kKeySchemaShape, .required = true, .min = 1, .max = 2},
    {.name = "BillingMode", .shape = &kStringShape, .one_of = kBillingModeValues},
    {.name = "ProvisionedThroughput", .shape = &kThroughputShape},
    {.name = "OnDemandThroughput", .shape = &kOnDemandShape},
    {.name = "SSESpecification", .shape = &kEncryptionShape},
    {.name = "GlobalSecondaryIndexes", .shape = &kGlobalIndexesShape},
};
constexpr Shape kTableParametersShape{.kind = Kind::kStruct,
                                      .type_name = "TableCreationParameters",
                                      .members = kTableParametersMembers};

constexpr Member kImportTableMembers[] = {
    kClientToken,
    {.name = "S3BucketSource", .shape = &kBucketSourceShape, .required = true},
    {.name = "InputFormat", .shape = &kStringShape, .required = true, .one_of = kInputFormatValues},
    {.name = "InputFormatOptions", .shape = &kFormatOptionsShape},
    {.name = "InputCompressionType", .shape = &kStringShape, .one_of = kCompressionValues},
    {.name = "TableCreationParameters", .shape = &kTableParametersShape, .required = true},
};
constexpr Member kDescribeImportMembers[] = {
    {.name = "ImportArn", .shape = &kStringShape, .required = true, .min = 37, .max = 1024},
};
constexpr Member kListImportsMembers[] = {
    kOptionalTableArn,
    {.name = "PageSize", .shape = &kIntegerShape, .min = 1, .max = limits::kListedTransfers},
    {.name = "NextToken",
     .shape = &kStringShape,
     .min = 112,
     .max = 1024,
     .pattern = Pattern::kImportToken},
};

}  // namespace

const RequestShape kExportTableShape{{.kind = Kind::kStruct, .members = kExportTableMembers}};
const RequestShape kDescribeExportShape{{.kind = Kind::kStruct, .members = kDescribeExportMembers}};
const RequestShape kListExportsShape{{.kind = Kind::kStruct, .members = kListExportsMembers}};
const RequestShape kImportTableShape{{.kind = Kind::kStruct, .members = kImportTableMembers}};
const RequestShape kDescribeImportShape{{.kind = Kind::kStruct, .members = kDescribeImportMembers}};
const RequestShape kListImportsShape{{.kind = Kind::kStruct, .members = kListImportsMembers}};

}  // namespace tintype::tables::wire
