#include "tables/wire/internal/import_token.h"
#include "tables/wire/internal/testing.h"

// Answers about exports and imports.
namespace tintype::tables::wire {
namespace {

// How much an export is, and where its manifest is, is known at its end.
TEST(TransferResponsesTest, EncodesExports) {
  ExportDescription description;
  description.arn = "arn";
  description.table_arn = "table-arn";
  description.table_id = "id";
  description.time_ms = 1000;
  description.started_ms = 1500;
  description.bucket = "bucket";
  EXPECT_EQ(EncodeExport({description}),
            R"({"ExportDescription":{"ExportArn":"arn","ExportStatus":"IN_PROGRESS",)"
            R"("StartTime":1.500,"TableArn":"table-arn","TableId":"id","ExportTime":1.000,)"
            R"("S3Bucket":"bucket","ExportFormat":"DYNAMODB_JSON","ExportType":"FULL_EXPORT"}})");

  description.status = TransferStatus::kCompleted;
  description.ended_ms = 2000;
  description.manifest = "a/b";
  description.client_token = "token";
  description.bucket_owner = "123456789012";
  description.prefix = "a";
  description.billed_bytes = 7;
  description.item_count = 8;
  EXPECT_EQ(EncodeExport({description}),
            R"({"ExportDescription":{"ExportArn":"arn","ExportStatus":"COMPLETED",)"
            R"("StartTime":1.500,"EndTime":2.000,"ExportManifest":"a/b","TableArn":"table-arn",)"
            R"("TableId":"id","ExportTime":1.000,"ClientToken":"token","S3Bucket":"bucket",)"
            R"("S3BucketOwner":"123456789012","S3Prefix":"a","ExportFormat":"DYNAMODB_JSON",)"
            R"("BilledSizeBytes":7,"ItemCount":8,"ExportType":"FULL_EXPORT"}})");

  description.status = TransferStatus::kFailed;
  description.failure_code = "Why";
  description.failure_message = "Because";
  EXPECT_THAT(
      EncodeExport({description}),
      ::testing::AllOf(::testing::HasSubstr(R"("ExportStatus":"FAILED")"),
                       ::testing::HasSubstr(R"("FailureCode":"Why","FailureMessage":"Because")"),
                       ::testing::Not(::testing::HasSubstr("ItemCount"))));

  EXPECT_EQ(EncodeListExports({}), R"({"ExportSummaries":[]})");
  EXPECT_EQ(EncodeListExports({{description}, "next"}),
            R"({"ExportSummaries":[{"ExportArn":"arn","ExportStatus":"FAILED",)"
            R"("ExportType":"FULL_EXPORT"}],"NextToken":"next"})");
}

TEST(TransferResponsesTest, EncodesImports) {
  ImportDescription description;
  description.arn = "arn";
  description.table_arn = "table-arn";
  description.table_id = "id";
  description.table.name = "new";
  description.table.keys = {{"pk"}, {}};
  description.table.attributes = {{"pk", Type::kString}};
  description.bucket = "bucket";
  description.started_ms = 1500;
  EXPECT_EQ(EncodeImport({description}),
            R"({"ImportTableDescription":{"ImportArn":"arn","ImportStatus":"IN_PROGRESS",)"
            R"("TableArn":"table-arn","TableId":"id","S3BucketSource":{"S3Bucket":"bucket"},)"
            R"("ErrorCount":0,"InputFormat":"DYNAMODB_JSON","InputCompressionType":"NONE",)"
            R"("TableCreationParameters":{"TableName":"new",)"
            R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
            R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
            R"("BillingMode":"PROVISIONED"},"StartTime":1.500,"ProcessedSizeBytes":0,)"
            R"("ProcessedItemCount":0,"ImportedItemCount":0}})");

  description.status = TransferStatus::kCancelled;
  description.ended_ms = 2000;
  description.client_token = "token";
  description.bucket_owner = "123456789012";
  description.prefix = "a";
  description.gzip = true;
  description.error_count = 1;
  description.processed_bytes = 2;
  description.processed_items = 3;
  description.imported_items = 4;
  description.failure_code = "Why";
  description.failure_message = "Because";
  description.table.billing_mode = BillingMode::kPayPerRequest;
  description.table.on_demand_throughput = Throughput{5, 6};
  description.table.encryption = EncryptionSpecification{true, "KMS", "key"};
  description.table.global_indexes = {{"idx", {{"pk"}, {}}, {}, Throughput{1, 2}, std::nullopt}};
  const std::string body = EncodeImport({description});
  for (const std::string_view part :
       {R"("ImportStatus":"CANCELLED")",
        R"("ClientToken":"token","S3BucketSource":{"S3BucketOwner":"123456789012",)"
        R"("S3Bucket":"bucket","S3KeyPrefix":"a"},"ErrorCount":1)",
        R"("InputCompressionType":"GZIP")",
        R"("BillingMode":"PAY_PER_REQUEST",)"
        R"("OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":6},)"
        R"("SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"key"},)"
        R"("GlobalSecondaryIndexes":[{"IndexName":"idx","KeySchema":[{"AttributeName":"pk",)"
        R"("KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},)"
        R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}}]})",
        R"("StartTime":1.500,"EndTime":2.000,"ProcessedSizeBytes":2,"ProcessedItemCount":3,)"
        R"("ImportedItemCount":4,"FailureCode":"Why","FailureMessage":"Because"}})"}) {
    EXPECT_THAT(body, ::testing::HasSubstr(part));
  }

  EXPECT_EQ(EncodeListImports({}), R"({"ImportSummaryList":[]})");
  EXPECT_EQ(EncodeListImports({{description}, "next"}),
            R"({"ImportSummaryList":[{"ImportArn":"arn","ImportStatus":"CANCELLED",)"
            R"("TableArn":"table-arn","S3BucketSource":{"S3BucketOwner":"123456789012",)"
            R"("S3Bucket":"bucket","S3KeyPrefix":"a"},"InputFormat":"DYNAMODB_JSON",)"
            R"("StartTime":1.500,"EndTime":2.000}],"NextToken":")" +
                EncodeImportToken("next") + "\"}");
}

}  // namespace
}  // namespace tintype::tables::wire
