#include "base/strings.h"
#include "tables/wire/internal/testing.h"

// Answers about backups and recovery.
namespace tintype::tables::wire {
namespace {

BackupDetails Details() {
  BackupDetails details;
  details.arn = "arn";
  details.name = "one";
  details.size_bytes = 7;
  details.created_ms = 1500;
  return details;
}

constexpr char kDetails[] =
    R"("BackupArn":"arn","BackupName":"one","BackupSizeBytes":7,"BackupStatus":"CREATING",)"
    R"("BackupType":"USER","BackupCreationDateTime":1.500)";

TEST(BackupResponsesTest, EncodesNewBackups) {
  BackupDetails details = Details();
  EXPECT_EQ(EncodeCreateBackup({details}), StrCat(R"({"BackupDetails":{)", kDetails, "}}"));
  details.status = BackupStatus::kAvailable;
  details.type = BackupType::kSystem;
  details.expires_ms = 2000;
  EXPECT_THAT(
      EncodeCreateBackup({details}),
      ::testing::HasSubstr(R"("BackupStatus":"AVAILABLE","BackupType":"SYSTEM",)"
                           R"("BackupCreationDateTime":1.500,"BackupExpiryDateTime":2.000)"));
  details.status = BackupStatus::kDeleted;
  EXPECT_THAT(EncodeCreateBackup({details}), ::testing::HasSubstr(R"("BackupStatus":"DELETED")"));
}

// A plain table has an empty object for its features.
TEST(BackupResponsesTest, EncodesBackupsOfPlainTables) {
  BackupDescription backup;
  backup.details = Details();
  backup.table.definition.name = "abc";
  backup.table.definition.keys = {{"pk"}, {}};
  backup.table.definition.throughput = Throughput{5, 6};
  backup.table.id = "id";
  backup.table.arn = "table-arn";
  backup.table.created_ms = 1000;
  backup.table.size_bytes = 8;
  backup.table.item_count = 9;
  EXPECT_EQ(EncodeBackup({backup}),
            StrCat(R"({"BackupDescription":{"BackupDetails":{)", kDetails,
                   R"(},"SourceTableDetails":{"TableName":"abc","TableId":"id",)"
                   R"("TableArn":"table-arn","TableSizeBytes":8,)"
                   R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
                   R"("TableCreationDateTime":1.000,"ProvisionedThroughput":)"
                   R"({"ReadCapacityUnits":5,"WriteCapacityUnits":6},"ItemCount":9,)"
                   R"("BillingMode":"PROVISIONED"},"SourceTableFeatureDetails":{}}})"));
}

TEST(BackupResponsesTest, EncodesBackupsOfWholeTables) {
  BackupDescription backup;
  backup.table.definition.billing_mode = BillingMode::kPayPerRequest;
  backup.table.definition.on_demand_throughput = Throughput{1, 2};
  backup.table.definition.stream = StreamView::kKeysOnly;
  backup.table.definition.encryption = EncryptionSpecification{true, "KMS", "key"};
  backup.expiry_attribute = "ttl";
  IndexDescription local;
  local.definition = {"local", {{"pk"}, {"b"}}, {}, std::nullopt, std::nullopt};
  backup.table.local_indexes = {local};
  IndexDescription global;
  global.definition = {"global", {{"b"}, {}}, {}, Throughput{3, 4}, std::nullopt};
  backup.table.global_indexes = {global};
  const std::string body = EncodeBackup({backup});
  for (const std::string_view part :
       {R"("ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0},)"
        R"("OnDemandThroughput":{"MaxReadRequestUnits":1,"MaxWriteRequestUnits":2})",
        R"("BillingMode":"PAY_PER_REQUEST")",
        R"("LocalSecondaryIndexes":[{"IndexName":"local","KeySchema":[{"AttributeName":"pk",)"
        R"("KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],)"
        R"("Projection":{"ProjectionType":"ALL"}}])",
        R"("GlobalSecondaryIndexes":[{"IndexName":"global","KeySchema":[{"AttributeName":"b",)"
        R"("KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},)"
        R"("ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4}}])",
        R"("StreamDescription":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})",
        R"("TimeToLiveDescription":{"AttributeName":"ttl","TimeToLiveStatus":"ENABLED"})",
        R"("SSEDescription":{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":"key"}}}})"}) {
    EXPECT_THAT(body, ::testing::HasSubstr(part));
  }
}

TEST(BackupResponsesTest, EncodesLists) {
  EXPECT_EQ(EncodeListBackups({}), R"({"BackupSummaries":[]})");
  EXPECT_EQ(EncodeListBackups({{{Details(), "abc", "id", "table-arn"}}, "last"}),
            StrCat(R"({"BackupSummaries":[{"TableName":"abc","TableId":"id",)"
                   R"("TableArn":"table-arn",)",
                   kDetails, R"(}],"LastEvaluatedBackupArn":"last"})"));
}

// Continuous backups are on for every table; recovery from them is on or off.
TEST(BackupResponsesTest, EncodesRecovery) {
  EXPECT_EQ(EncodeContinuousBackups({}),
            R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",)"
            R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"DISABLED"}}})");
  ContinuousBackupsResponse response;
  response.recovery = {.days = 7, .earliest_ms = 1000, .latest_ms = 2500};
  EXPECT_EQ(EncodeContinuousBackups(response),
            R"({"ContinuousBackupsDescription":{"ContinuousBackupsStatus":"ENABLED",)"
            R"("PointInTimeRecoveryDescription":{"PointInTimeRecoveryStatus":"ENABLED",)"
            R"("RecoveryPeriodInDays":7,"EarliestRestorableDateTime":1.000,)"
            R"("LatestRestorableDateTime":2.500}}})");
}

}  // namespace
}  // namespace tintype::tables::wire
