#include "tables/language/errors.h"
#include "tables/wire/internal/testing.h"

// Backups and recovery.
namespace tintype::tables::wire {
namespace {

using testing::ExpectAccepted;
using testing::ExpectErrors;
using testing::Violation;

constexpr char kTableArn[] = "arn:aws:dynamodb:us-east-1:000000000000:table/abc";
constexpr char kBackupArn[] =
    "arn:aws:dynamodb:us-east-1:000000000000:table/abc/backup/01489173575360-b308cd7d";

std::string FromBackup(const std::string& members = "") {
  return std::string(R"({"TargetTableName": "new", "BackupArn": ")") + kBackupArn + "\"" + members +
         "}";
}
std::string ToTime(const std::string& members) {
  return R"({"TargetTableName": "new")" + members + "}";
}
std::string Recovery(const std::string& specification) {
  return R"({"TableName": "abc", "PointInTimeRecoverySpecification": )" + specification + "}";
}

// The constraints of the model.
TEST(BackupRequestsTest, ChecksConstraints) {
  const std::string name_pattern = "satisfy regular expression pattern: [a-zA-Z0-9_.-]+";
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"CreateBackup", R"({"BackupName": "one"})",
           "The parameter 'TableName' is required but was not present in the request"},
          {"CreateBackup", R"({"TableName": "abc"})",
           Violation("null", "backupName", "not be null")},
          {"CreateBackup", R"({"TableName": "abc", "BackupName": "ab"})",
           Violation("'ab'", "backupName", "have length greater than or equal to 3")},
          {"CreateBackup", R"({"TableName": "abc", "BackupName": "a/b"})",
           Violation("'a/b'", "backupName", name_pattern)},
          {"DescribeBackup", "{}", Violation("null", "backupArn", "not be null")},
          {"DeleteBackup", R"({"BackupArn": "arn"})",
           Violation("'arn'", "backupArn", "have length greater than or equal to 37")},
          {"ListBackups", R"({"Limit": 101})",
           Violation("'101'", "limit", "have value less than or equal to 100")},
          {"ListBackups", R"({"TableName": ""})",
           Violation("''", "tableName", "have length greater than or equal to 1")},
          {"ListBackups", R"({"BackupType": "MINE"})",
           Violation("'MINE'", "backupType",
                     "satisfy enum value set: [USER, SYSTEM, AWS_BACKUP, ALL]")},
          {"RestoreTableFromBackup", R"({"TargetTableName": "new"})",
           Violation("null", "backupArn", "not be null")},
          {"RestoreTableFromBackup",
           std::string(R"({"TargetTableName": "a!c", "BackupArn": ")") + kBackupArn + "\"}",
           Violation("'a!c'", "targetTableName", name_pattern)},
          {"RestoreTableFromBackup", FromBackup(R"(, "BillingModeOverride": "FREE")"),
           Violation("'FREE'", "billingModeOverride",
                     "satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]")},
          {"RestoreTableFromBackup", FromBackup(R"(, "GlobalSecondaryIndexOverride": [{}])"),
           "3 validation errors detected: Value null at "
           "'globalSecondaryIndexOverride.1.member.indexName' failed to satisfy constraint: Member "
           "must not be null; Value null at 'globalSecondaryIndexOverride.1.member.keySchema' "
           "failed to satisfy constraint: Member must not be null; Value null at "
           "'globalSecondaryIndexOverride.1.member.projection' failed to satisfy constraint: "
           "Member must not be null"},
          {"RestoreTableToPointInTime", R"({"SourceTableName": "abc"})",
           Violation("null", "targetTableName", "not be null")},
          {"UpdateContinuousBackups", R"({"TableName": "abc"})",
           Violation("null", "pointInTimeRecoverySpecification", "not be null")},
          {"UpdateContinuousBackups", Recovery("{}"),
           Violation("null", "pointInTimeRecoverySpecification.pointInTimeRecoveryEnabled",
                     "not be null")},
          {"UpdateContinuousBackups",
           Recovery(R"({"PointInTimeRecoveryEnabled": true, "RecoveryPeriodInDays": 36})"),
           Violation("'36'", "pointInTimeRecoverySpecification.recoveryPeriodInDays",
                     "have value less than or equal to 35")},
          {"DescribeContinuousBackups", "{}",
           "The parameter 'TableName' is required but was not present in the request"},
      });
}

// Times are numbers, and no further away than a date can be.
TEST(BackupRequestsTest, ChecksTimes) {
  ExpectErrors(tables::reasons::kSerialization,
               {
                   {"ListBackups", R"({"TimeRangeLowerBound": "2026-11-15"})",
                    "STRING_VALUE cannot be converted to Date"},
                   {"ListBackups", R"({"TimeRangeLowerBound": true})",
                    "TRUE_VALUE cannot be converted to Date"},
                   {"ListBackups", R"({"TimeRangeLowerBound": 1e300})",
                    "NUMBER_VALUE cannot be converted to Date"},
                   {"ListBackups", R"({"TimeRangeUpperBound": []})",
                    "Unrecognized collection type class java.util.Date"},
                   {"ListBackups", R"({"TimeRangeUpperBound": {}})",
                    "Start of structure or map found where not expected"},
               });
}

// What excludes each other.
TEST(BackupRequestsTest, ChecksTheRequest) {
  const std::string prefix = "One or more parameter values were invalid: ";
  const std::string latest = R"(, "UseLatestRestorableTime": true)";
  const std::string source = R"(, "SourceTableName": "abc")";
  const std::string no_time =
      "Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be "
      "specified, but not both";
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"UpdateContinuousBackups",
           Recovery(R"({"PointInTimeRecoveryEnabled": false, "RecoveryPeriodInDays": 7})"),
           "Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time "
           "recovery."},
          {"RestoreTableToPointInTime", ToTime(latest),
           "The parameter 'TableName' is required but was not present in the request"},
          {"RestoreTableToPointInTime", ToTime(latest + R"(, "SourceTableArn": "abc")"),
           "Invalid TableArn: Invalid ResourceArn provided as input abc"},
          {"RestoreTableToPointInTime",
           ToTime(latest + source + R"(, "SourceTableArn": ")" + kTableArn + "\""),
           "Invalid Request: Must provide exactly one of: sourceTableArn, sourceTableName"},
          {"RestoreTableToPointInTime", ToTime(source), no_time},
          {"RestoreTableToPointInTime", ToTime(source + R"(, "UseLatestRestorableTime": false)"),
           no_time},
          {"RestoreTableToPointInTime", ToTime(source + latest + R"(, "RestoreDateTime": 1)"),
           "Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for "
           "point-in-time restore request. Please specify either RestoreDateTime time or "
           "UseLatestRestorableTime"},
          {"ListBackups", R"({"TimeRangeLowerBound": 2, "TimeRangeUpperBound": 1})",
           prefix + "Time range lower bound must be less than or equal to upper bound"},
          {"DescribeBackup", std::string(R"({"BackupArn": ")") + kTableArn + "\"}",
           "Invalid Backup ARN"},
          {"DeleteBackup", std::string(R"({"BackupArn": ")") + kTableArn + "/backup/\"}",
           "Invalid Backup ARN"},
          {"RestoreTableFromBackup",
           R"({"TargetTableName": "new", "BackupArn": "0123456789012345678901234567890123456789"})",
           "Invalid Backup ARN"},
          {"RestoreTableFromBackup", FromBackup(R"(, "BillingModeOverride": "PAY_PER_REQUEST",
               "ProvisionedThroughputOverride": {"ReadCapacityUnits": 1,
                                                 "WriteCapacityUnits": 1})"),
           "Invalid Request: Cannot override ProvisionedThroughput if BillingMode is overridden to "
           "PAY_PER_REQUEST"},
          {"RestoreTableFromBackup", FromBackup(R"(, "BillingModeOverride": "PROVISIONED")"),
           "Invalid Request: Must override ProvisionedThroughput if BillingMode is overridden to "
           "PROVISIONED"},
          {"RestoreTableFromBackup",
           FromBackup(R"(, "SSESpecificationOverride": {"Enabled": true, "SSEType": "AES256"})"),
           prefix + "SSEType AES256 is not supported"},
      });
  ExpectAccepted({{"ListBackups", R"({"TimeRangeLowerBound": 1, "TimeRangeUpperBound": 1})", ""}});
}

TEST(BackupRequestsTest, DecodesBackups) {
  const auto create = DecodeCreateBackup(std::string(R"({"BackupName": "one", "TableName": ")") +
                                         kTableArn + "\"}");
  ASSERT_TRUE(create.ok()) << create.error().message();
  EXPECT_EQ(create->table, "abc");
  EXPECT_EQ(create->name, "one");
  const std::string arn = std::string(R"({"BackupArn": ")") + kBackupArn + "\"}";
  EXPECT_EQ(DecodeDescribeBackup(arn)->arn, kBackupArn);
  EXPECT_EQ(DecodeDeleteBackup(arn)->arn, kBackupArn);

  const auto all = DecodeListBackups("{}");
  ASSERT_TRUE(all.ok());
  EXPECT_FALSE(all->table.has_value());
  EXPECT_EQ(all->types, ListBackupsRequest::Types::kUser);
  EXPECT_FALSE(all->from_ms.has_value());
  EXPECT_FALSE(all->until_ms.has_value());
  EXPECT_EQ(all->limit, 100u);
  const auto some = DecodeListBackups(std::string(R"({"Limit": 3, "TimeRangeLowerBound": 1.5,
      "TimeRangeUpperBound": 1794744000, "ExclusiveStartBackupArn": ")") +
                                      kBackupArn + R"(", "TableName": ")" + kTableArn + "\"}");
  ASSERT_TRUE(some.ok()) << some.error().message();
  EXPECT_EQ(some->table, "abc");
  EXPECT_EQ(some->from_ms, 1500);
  EXPECT_EQ(some->until_ms, 1794744000000);
  EXPECT_EQ(some->exclusive_start_arn, kBackupArn);
  EXPECT_EQ(some->limit, 3u);
  const std::pair<std::string, ListBackupsRequest::Types> types[] = {
      {"USER", ListBackupsRequest::Types::kUser},
      {"SYSTEM", ListBackupsRequest::Types::kSystem},
      {"AWS_BACKUP", ListBackupsRequest::Types::kAwsBackup},
      {"ALL", ListBackupsRequest::Types::kAll},
  };
  for (const auto& [name, type] : types) {
    EXPECT_EQ(DecodeListBackups(R"({"BackupType": ")" + name + "\"}")->types, type) << name;
  }
}

// An index list that is given replaces the source's, also when it is empty.
TEST(BackupRequestsTest, DecodesRestores) {
  const auto plain = DecodeRestoreTableFromBackup(FromBackup());
  ASSERT_TRUE(plain.ok()) << plain.error().message();
  EXPECT_EQ(plain->target_table, "new");
  EXPECT_EQ(plain->backup_arn, kBackupArn);
  EXPECT_FALSE(plain->overrides.billing_mode.has_value());
  EXPECT_FALSE(plain->overrides.global_indexes.has_value());
  EXPECT_FALSE(plain->overrides.local_indexes.has_value());

  const std::string overrides = R"(, "BillingModeOverride": "PROVISIONED",
      "ProvisionedThroughputOverride": {"ReadCapacityUnits": 1, "WriteCapacityUnits": 2},
      "OnDemandThroughputOverride": {"MaxReadRequestUnits": 3},
      "GlobalSecondaryIndexOverride": [{"IndexName": "idx",
          "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
          "Projection": {"ProjectionType": "KEYS_ONLY"},
          "ProvisionedThroughput": {"ReadCapacityUnits": 4, "WriteCapacityUnits": 5}}],
      "LocalSecondaryIndexOverride": [],
      "SSESpecificationOverride": {"Enabled": true, "SSEType": "KMS", "KMSMasterKeyId": "key"})";
  const auto check = [](const RestoreOverrides& got) {
    EXPECT_EQ(got.billing_mode, BillingMode::kProvisioned);
    EXPECT_EQ(got.throughput, (Throughput{1, 2}));
    EXPECT_EQ(got.on_demand_throughput, (Throughput{3, -1}));
    ASSERT_TRUE(got.global_indexes.has_value());
    ASSERT_EQ(got.global_indexes->size(), 1u);
    EXPECT_EQ(got.global_indexes->front().name, "idx");
    EXPECT_EQ(got.global_indexes->front().throughput, (Throughput{4, 5}));
    ASSERT_TRUE(got.local_indexes.has_value());
    EXPECT_TRUE(got.local_indexes->empty());
    ASSERT_TRUE(got.encryption.has_value());
    EXPECT_EQ(got.encryption->master_key, "key");
  };
  const auto changed = DecodeRestoreTableFromBackup(FromBackup(overrides));
  ASSERT_TRUE(changed.ok()) << changed.error().message();
  check(changed->overrides);

  const auto timed = DecodeRestoreTableToPointInTime(
      ToTime(R"(, "SourceTableName": "abc", "RestoreDateTime": 1794744000.25)" + overrides));
  ASSERT_TRUE(timed.ok()) << timed.error().message();
  EXPECT_EQ(timed->source_table, "abc");
  EXPECT_EQ(timed->target_table, "new");
  EXPECT_EQ(timed->time_ms, 1794744000250);
  check(timed->overrides);

  const auto latest = DecodeRestoreTableToPointInTime(ToTime(
      std::string(R"(, "UseLatestRestorableTime": true, "SourceTableArn": ")") + kTableArn + "\""));
  ASSERT_TRUE(latest.ok()) << latest.error().message();
  EXPECT_EQ(latest->source_table, "abc");
  EXPECT_FALSE(latest->time_ms.has_value());
}

TEST(BackupRequestsTest, DecodesRecovery) {
  const auto on = DecodeUpdateContinuousBackups(
      Recovery(R"({"PointInTimeRecoveryEnabled": true, "RecoveryPeriodInDays": 7})"));
  ASSERT_TRUE(on.ok()) << on.error().message();
  EXPECT_EQ(on->table, "abc");
  EXPECT_TRUE(on->recovery);
  EXPECT_EQ(on->recovery_days, 7);
  const auto off =
      DecodeUpdateContinuousBackups(Recovery(R"({"PointInTimeRecoveryEnabled": false})"));
  ASSERT_TRUE(off.ok());
  EXPECT_FALSE(off->recovery);
  EXPECT_FALSE(off->recovery_days.has_value());
  EXPECT_EQ(DecodeDescribeContinuousBackups(R"({"TableName": "abc"})")->table, "abc");
}

}  // namespace
}  // namespace tintype::tables::wire
