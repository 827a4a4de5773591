#include "tables/wire/internal/import_token.h"
#include "tables/wire/internal/testing.h"

// Exports and imports.
namespace tintype::tables::wire {
namespace {

using testing::ExpectAccepted;
using testing::ExpectErrors;
using testing::Violation;

constexpr char kExportedTableArn[] = "arn:aws:dynamodb:us-east-1:000000000000:table/abc";
constexpr char kExportArn[] =
    "arn:aws:dynamodb:us-east-1:000000000000:table/abc/export/01695353076000-a1b2c3d4";

std::string Export(const std::string& members) {
  return std::string(R"({"TableArn": ")") + kExportedTableArn + R"(", "S3Bucket": "bucket")" +
         members + "}";
}

constexpr char kParameters[] = R"("TableCreationParameters": {"TableName": "new",
    "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
    "BillingMode": "PAY_PER_REQUEST"})";
constexpr char kSource[] = R"("S3BucketSource": {"S3Bucket": "bucket"})";

std::string Import(const std::string& members = "",
                   const std::string& format = R"("InputFormat": "DYNAMODB_JSON")") {
  return "{" + format + ", " + kSource + ", " + kParameters + members + "}";
}

// The constraints of the model, each pattern once.
TEST(TransferRequestsTest, ChecksConstraints) {
  const auto pattern = [](const std::string& text) {
    return "satisfy regular expression pattern: " + text;
  };
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"ExportTableToPointInTime", "{}",
           "2 validation errors detected: Value null at 'tableArn' failed to satisfy constraint: "
           "Member must not be null; Value null at 's3Bucket' failed to satisfy constraint: Member "
           "must not be null"},
          {"ExportTableToPointInTime",
           std::string(R"({"S3Bucket": "-bucket", "TableArn": ")") + kExportedTableArn + "\"}",
           Violation("'-bucket'", "s3Bucket", pattern(R"(^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$)"))},
          {"ExportTableToPointInTime", Export(R"(, "S3BucketOwner": "12345")"),
           Violation("'12345'", "s3BucketOwner", pattern("[0-9]{12}"))},
          {"ExportTableToPointInTime", Export(R"(, "ClientToken": "a$b")"),
           Violation("'a$b'", "clientToken", pattern(R"(^[^\$]+$)"))},
          {"ExportTableToPointInTime", Export(R"(, "ExportFormat": "CSV")"),
           Violation("'CSV'", "exportFormat", "satisfy enum value set: [DYNAMODB_JSON, ION]")},
          {"ExportTableToPointInTime", Export(R"(, "ExportType": "PARTIAL")"),
           Violation("'PARTIAL'", "exportType",
                     "satisfy enum value set: [FULL_EXPORT, INCREMENTAL_EXPORT]")},
          {"ExportTableToPointInTime",
           Export(R"(, "IncrementalExportSpecification": {"ExportViewType": "OLD"})"),
           Violation("'OLD'", "incrementalExportSpecification.exportViewType",
                     "satisfy enum value set: [NEW_IMAGE, NEW_AND_OLD_IMAGES]")},
          {"DescribeExport", R"({"ExportArn": "arn"})",
           Violation("'arn'", "exportArn", "have length greater than or equal to 37")},
          {"ListExports", R"({"MaxResults": 26})",
           Violation("'26'", "maxResults", "have value less than or equal to 25")},
          {"ImportTable", "{}",
           "3 validation errors detected: Value null at 's3BucketSource' failed to satisfy "
           "constraint: Member must not be null; Value null at 'inputFormat' failed to satisfy "
           "constraint: Member must not be null; Value null at 'tableCreationParameters' failed to "
           "satisfy constraint: Member must not be null"},
          {"ImportTable", Import(R"(, "InputCompressionType": "LZ4")"),
           Violation("'LZ4'", "inputCompressionType",
                     "satisfy enum value set: [GZIP, ZSTD, NONE]")},
          {"ImportTable", Import(R"(, "InputFormatOptions": {"Csv": {"Delimiter": "x"}})"),
           Violation("'x'", "inputFormatOptions.csv.delimiter", pattern(R"([,;:|\t ])"))},
          {"ImportTable", Import(R"(, "InputFormatOptions": {"Csv": {"HeaderList": ["a,b"]}})"),
           Violation("'a,b'", "inputFormatOptions.csv.headerList.1.member",
                     pattern(R"([\x20-\x21\x23-\x2B\x2D-\x7E]*)"))},
          {"DescribeImport", "{}", Violation("null", "importArn", "not be null")},
          {"ListImports", R"({"PageSize": 0})",
           Violation("'0'", "pageSize", "have value greater than or equal to 1")},
          {"ListImports", R"({"NextToken": "abc"})",
           Violation("'abc'", "nextToken", "have length greater than or equal to 112")},
          {"ListImports", R"({"NextToken": ")" + std::string(112, 'x') + "\"}",
           Violation("'" + std::string(112, 'x') + "'", "nextToken", pattern("([0-9a-f]{16})+"))},
      });
  ExpectAccepted({
      {"ExportTableToPointInTime",
       Export(R"(, "S3BucketOwner": "123456789012", "ClientToken": "a-b c",
                   "ExportFormat": "DYNAMODB_JSON", "ExportType": "FULL_EXPORT",
                   "S3SseAlgorithm": "AES256")"),
       ""},
      {"ExportTableToPointInTime",
       std::string(R"({"S3Bucket": "my.bucket-1_x", "TableArn": ")") + kExportedTableArn + "\"}",
       ""},
  });
}

// Features that DynamoDB has and we do not are refused, not passed over.
TEST(TransferRequestsTest, RefusesWhatIsNotSupported) {
  const std::string prefix = "One or more parameter values were invalid: ";
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"ExportTableToPointInTime", Export(R"(, "ExportFormat": "ION")"),
           prefix + "ExportFormat ION is not supported"},
          {"ExportTableToPointInTime", Export(R"(, "ExportType": "INCREMENTAL_EXPORT")"),
           prefix + "ExportType INCREMENTAL_EXPORT is not supported"},
          {"ExportTableToPointInTime", Export(R"(, "IncrementalExportSpecification": {})"),
           "Invalid Request: Export Type expected to be Incremental Export when "
           "incremental export specification is provided"},
          {"ExportTableToPointInTime",
           Export(R"(, "ExportType": "FULL_EXPORT", "IncrementalExportSpecification": {})"),
           "Invalid Request: When Export Type is Full Export , Incremental Export "
           "Specification should not be provided"},
          {"ExportTableToPointInTime", Export(R"(, "S3SseAlgorithm": "KMS")"),
           prefix + "S3SseAlgorithm KMS is not supported"},
          {"ExportTableToPointInTime", Export(R"(, "S3SseKmsKeyId": "key")"),
           "Invalid Request: KMS Key Id is not supported for this encryption type"},
          {"ExportTableToPointInTime", R"({"S3Bucket": "bucket", "TableArn": "abc"})",
           "Invalid TableArn: Invalid ResourceArn provided as input abc"},
          {"ImportTable", Import("", R"("InputFormat": "ION")"),
           prefix + "InputFormat ION is not supported"},
          {"ImportTable", Import("", R"("InputFormat": "CSV")"),
           prefix + "InputFormat CSV is not supported"},
          {"ImportTable", Import(R"(, "InputFormatOptions": {})"),
           prefix + "InputFormatOptions can only be specified for InputFormat CSV"},
          {"ImportTable", Import(R"(, "InputCompressionType": "ZSTD")"),
           prefix + "InputCompressionType ZSTD is not supported"},
          {"ListExports", R"({"TableArn": "abc"})",
           "Invalid TableArn: Invalid ResourceArn provided as input abc"},
          {"ListImports", R"({"TableArn": "abc"})",
           "Invalid TableArn: Invalid ResourceArn provided as input abc"},
      });
}

TEST(TransferRequestsTest, DecodesExports) {
  const auto least = DecodeExportTable(Export(""));
  ASSERT_TRUE(least.ok()) << least.error().message();
  EXPECT_EQ(least->table_arn, kExportedTableArn);
  EXPECT_EQ(least->bucket, "bucket");
  EXPECT_EQ(least->prefix, "");
  EXPECT_FALSE(least->time_ms.has_value());
  EXPECT_FALSE(least->client_token.has_value());
  EXPECT_FALSE(least->bucket_owner.has_value());
  const auto most = DecodeExportTable(Export(R"(, "ExportTime": 1.5, "S3Prefix": "a/b",
      "ClientToken": "token", "S3BucketOwner": "123456789012")"));
  ASSERT_TRUE(most.ok()) << most.error().message();
  EXPECT_EQ(most->time_ms, 1500);
  EXPECT_EQ(most->prefix, "a/b");
  EXPECT_EQ(most->client_token, "token");
  EXPECT_EQ(most->bucket_owner, "123456789012");

  EXPECT_EQ(DecodeDescribeExport(std::string(R"({"ExportArn": ")") + kExportArn + "\"}")->arn,
            kExportArn);
  EXPECT_EQ(DecodeListExports("{}")->limit, 25u);
  const auto list =
      DecodeListExports(std::string(R"({"MaxResults": 2, "NextToken": "t", "TableArn": ")") +
                        kExportedTableArn + "\"}");
  ASSERT_TRUE(list.ok()) << list.error().message();
  EXPECT_EQ(list->limit, 2u);
  EXPECT_EQ(list->next_token, "t");
  EXPECT_EQ(list->table_arn, kExportedTableArn);
}

TEST(TransferRequestsTest, DecodesImports) {
  const auto least = DecodeImportTable(Import());
  ASSERT_TRUE(least.ok()) << least.error().message();
  EXPECT_EQ(least->bucket, "bucket");
  EXPECT_EQ(least->prefix, "");
  EXPECT_FALSE(least->gzip);
  EXPECT_EQ(least->table.name, "new");
  EXPECT_EQ(least->table.keys, (KeySchema{{"pk"}, {}}));
  EXPECT_EQ(least->table.attributes, (std::vector<AttributeDefinition>{{"pk", Type::kString}}));
  EXPECT_EQ(least->table.billing_mode, BillingMode::kPayPerRequest);

  const auto most = DecodeImportTable(R"({"InputFormat": "DYNAMODB_JSON", "ClientToken": "token",
      "InputCompressionType": "GZIP",
      "S3BucketSource": {"S3Bucket": "bucket", "S3KeyPrefix": "a/b", "S3BucketOwner": "123456789012"},
      "TableCreationParameters": {"TableName": "new",
          "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
          "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
          "ProvisionedThroughput": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2},
          "OnDemandThroughput": {"MaxReadRequestUnits": 3},
          "SSESpecification": {"Enabled": true},
          "GlobalSecondaryIndexes": [{"IndexName": "idx",
              "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
              "Projection": {"ProjectionType": "ALL"}}]}})");
  ASSERT_TRUE(most.ok()) << most.error().message();
  EXPECT_EQ(most->prefix, "a/b");
  EXPECT_EQ(most->bucket_owner, "123456789012");
  EXPECT_TRUE(most->gzip);
  EXPECT_EQ(most->client_token, "token");
  EXPECT_EQ(most->table.billing_mode, BillingMode::kProvisioned);
  EXPECT_EQ(most->table.throughput, (Throughput{1, 2}));
  EXPECT_EQ(most->table.on_demand_throughput, (Throughput{3, -1}));
  ASSERT_TRUE(most->table.encryption.has_value());
  ASSERT_EQ(most->table.global_indexes.size(), 1u);
  EXPECT_EQ(most->table.global_indexes[0].name, "idx");

  EXPECT_EQ(DecodeDescribeImport(std::string(R"({"ImportArn": ")") + kExportArn + "\"}")->arn,
            kExportArn);
  EXPECT_EQ(DecodeListImports("{}")->limit, 25u);
  EXPECT_EQ(DecodeListImports(R"({"PageSize": 2})")->limit, 2u);
}

// Tokens of any length come back as they were, in a form that SDKs accept.
TEST(TransferRequestsTest, ImportTokensComeBack) {
  for (const std::string& token : {std::string("t"), std::string(kExportArn), std::string(56, 'x'),
                                   std::string(57, 'x'), std::string("\xC3\xA4\x01\xFF")}) {
    const std::string text = EncodeImportToken(token);
    EXPECT_GE(text.size(), 112u);
    const auto request = DecodeListImports(R"({"NextToken": ")" + text + "\"}");
    ASSERT_TRUE(request.ok()) << request.error().message();
    EXPECT_EQ(request->next_token, token);
  }
}

}  // namespace
}  // namespace tintype::tables::wire
