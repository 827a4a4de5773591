#include "tables/wire/internal/testing.h"

// DynamoDB Streams.
namespace tintype::tables::wire {
namespace {

using testing::ExpectAccepted;
using testing::ExpectErrors;
using testing::Violation;

constexpr char kArn[] =
    "arn:aws:dynamodb:us-east-1:000000000000:table/abc/stream/2026-11-15T00:00:00.000";
constexpr char kShard[] = "shardId-00000001794744000000-00000001";
constexpr char kNumber[] = "000000000000000000123";

std::string Describe(const std::string& members) {
  return std::string(R"({"StreamArn": ")") + kArn + "\"" + members + "}";
}
std::string Iterator(const std::string& type, const std::string& members = "") {
  return Describe(std::string(R"(, "ShardId": ")") + kShard + R"(", "ShardIteratorType": ")" +
                  type + "\"" + members);
}

// The constraints of the model, and the limits that are none of them.
TEST(StreamRequestsTest, ChecksConstraints) {
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"ListStreams", R"({"TableName": "ab"})",
           Violation("'ab'", "tableName", "have length greater than or equal to 3")},
          {"ListStreams", R"({"TableName": "arn:aws:dynamodb:r:1:table/abc"})",
           Violation("'arn:aws:dynamodb:r:1:table/abc'", "tableName",
                     "satisfy regular expression pattern: [a-zA-Z0-9_.-]+")},
          {"ListStreams", R"({"Limit": 0})",
           Violation("'0'", "limit", "have value greater than or equal to 1")},
          {"ListStreams", R"({"Limit": 101})",
           "One or more parameter values were invalid: Limit cannot be greater than the maximum "
           "allowed size: 100"},
          {"ListStreams", R"({"ExclusiveStartStreamArn": "arn"})",
           Violation("'arn'", "exclusiveStartStreamArn",
                     "have length greater than or equal to 37")},
          {"DescribeStream", "{}", Violation("null", "streamArn", "not be null")},
          {"DescribeStream", R"({"StreamArn": "arn"})",
           Violation("'arn'", "streamArn", "have length greater than or equal to 37")},
          {"DescribeStream", Describe(R"(, "Limit": 101)"),
           "One or more parameter values were invalid: Limit cannot be greater than the maximum: "
           "100"},
          {"DescribeStream", Describe(R"(, "Limit": 0)"),
           Violation("'0'", "limit", "have value greater than or equal to 1")},
          {"DescribeStream", Describe(R"(, "ExclusiveStartShardId": "x")"),
           Violation("'x'", "exclusiveStartShardId", "have length greater than or equal to 28")},
          {"GetShardIterator", "{}",
           "3 validation errors detected: Value null at 'streamArn' failed to satisfy constraint: "
           "Member must not be null; Value null at 'shardId' failed to satisfy constraint: Member "
           "must not be null; Value null at 'shardIteratorType' failed to satisfy constraint: "
           "Member must not be null"},
          {"GetShardIterator", Iterator("OLDEST"),
           Violation("'OLDEST'", "shardIteratorType",
                     "satisfy enum value set: [TRIM_HORIZON, LATEST, AT_SEQUENCE_NUMBER, "
                     "AFTER_SEQUENCE_NUMBER]")},
          {"GetShardIterator", Iterator("AT_SEQUENCE_NUMBER", R"(, "SequenceNumber": "1")"),
           Violation("'1'", "sequenceNumber", "have length greater than or equal to 21")},
          {"GetRecords", "{}", Violation("null", "shardIterator", "not be null")},
          {"GetRecords", R"({"ShardIterator": ""})",
           Violation("''", "shardIterator", "have length greater than or equal to 1")},
          {"GetRecords", R"({"ShardIterator": "x", "Limit": 1001})",
           "One or more parameter values were invalid: Limit should be less than or equal to "
           "1000"},
          {"GetRecords", R"({"ShardIterator": "x", "Limit": 0})",
           Violation("'0'", "limit", "have value greater than or equal to 1")},
      });
}

// An ARN of the right length must also be that of a stream.
TEST(StreamRequestsTest, ChecksStreamArns) {
  const std::string table = "arn:aws:dynamodb:us-east-1:000000000000:table/abc";
  for (const std::string& arn :
       {std::string("sdfadfsdfnlfkajakfgjalksfgklasjklasdjfk"), table, table + "/stream/",
        table + "/backup/01489173575360-b308cd7d", table + "/index/idx/stream/2026",
        std::string("arn:aws:kinesis:us-east-1:000000000000:table/abc/stream/2026")}) {
    ExpectErrors(
        ErrorKind::kValidation,
        {{"DescribeStream", R"({"StreamArn": ")" + arn + "\"}", "Invalid StreamArn"},
         {"ListStreams", R"({"ExclusiveStartStreamArn": ")" + arn + "\"}", "Invalid StreamArn"}});
  }
}

// Only the types that start at a record have its number.
TEST(StreamRequestsTest, ChecksSequenceNumbers) {
  const std::string prefix = "One or more parameter values were invalid: ";
  const std::string number = std::string(R"(, "SequenceNumber": ")") + kNumber + "\"";
  ExpectErrors(
      ErrorKind::kValidation,
      {
          {"GetShardIterator", Iterator("AT_SEQUENCE_NUMBER"), prefix + "Invalid SequenceNumber"},
          {"GetShardIterator", Iterator("AFTER_SEQUENCE_NUMBER"),
           prefix + "Invalid SequenceNumber"},
          {"GetShardIterator", Iterator("LATEST", number),
           prefix + "SequenceNumber should not be passed for this iterator type"},
          {"GetShardIterator", Iterator("TRIM_HORIZON", number),
           prefix + "SequenceNumber should not be passed for this iterator type"},
          {"GetShardIterator",
           Iterator("AT_SEQUENCE_NUMBER", R"(, "SequenceNumber": "00000000000000000012x")"),
           prefix + "Invalid SequenceNumber"},
      });
  ExpectAccepted({{"GetShardIterator", Iterator("AT_SEQUENCE_NUMBER", number), ""},
                  {"GetShardIterator", Iterator("AFTER_SEQUENCE_NUMBER", number), ""}});
}

// Every member arrives; what is left out is the most that is allowed.
TEST(StreamRequestsTest, Decodes) {
  const auto all = DecodeListStreams("{}");
  ASSERT_TRUE(all.ok());
  EXPECT_FALSE(all->table.has_value());
  EXPECT_FALSE(all->exclusive_start_arn.has_value());
  EXPECT_EQ(all->limit, 100u);
  const auto some = DecodeListStreams(std::string(R"({"TableName": "abc", "Limit": 7,
                                        "ExclusiveStartStreamArn": ")") +
                                      kArn + "\"}");
  ASSERT_TRUE(some.ok()) << some.error().message();
  EXPECT_EQ(some->table, "abc");
  EXPECT_EQ(some->exclusive_start_arn, kArn);
  EXPECT_EQ(some->limit, 7u);

  const auto whole = DecodeDescribeStream(Describe(""));
  ASSERT_TRUE(whole.ok());
  EXPECT_EQ(whole->arn, kArn);
  EXPECT_EQ(whole->limit, 100u);
  const auto page = DecodeDescribeStream(
      Describe(std::string(R"(, "Limit": 2, "ExclusiveStartShardId": ")") + kShard + "\""));
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->exclusive_start_shard, kShard);
  EXPECT_EQ(page->limit, 2u);

  const std::pair<std::string, ShardIteratorType> types[] = {
      {"TRIM_HORIZON", ShardIteratorType::kTrimHorizon},
      {"LATEST", ShardIteratorType::kLatest},
      {"AT_SEQUENCE_NUMBER", ShardIteratorType::kAtSequenceNumber},
      {"AFTER_SEQUENCE_NUMBER", ShardIteratorType::kAfterSequenceNumber},
  };
  for (const auto& [name, type] : types) {
    const bool numbered = name.ends_with("NUMBER");
    const auto iterator = DecodeGetShardIterator(
        Iterator(name, numbered ? std::string(R"(, "SequenceNumber": ")") + kNumber + "\"" : ""));
    ASSERT_TRUE(iterator.ok()) << iterator.error().message();
    EXPECT_EQ(iterator->stream_arn, kArn);
    EXPECT_EQ(iterator->shard, kShard);
    EXPECT_EQ(iterator->type, type);
    EXPECT_EQ(iterator->sequence_number.value_or(""), numbered ? kNumber : "");
  }

  const auto records = DecodeGetRecords(R"({"ShardIterator": "x"})");
  ASSERT_TRUE(records.ok());
  EXPECT_EQ(records->iterator, "x");
  EXPECT_EQ(records->limit, 1000u);
  EXPECT_EQ(DecodeGetRecords(R"({"ShardIterator": "x", "Limit": 3})")->limit, 3u);
}

}  // namespace
}  // namespace tintype::tables::wire
