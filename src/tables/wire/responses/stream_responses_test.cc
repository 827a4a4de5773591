#include "base/strings.h"
#include "tables/wire/internal/testing.h"

// Answers of DynamoDB Streams.
namespace tintype::tables::wire {
namespace {

StreamRecord Record() {
  StreamRecord record;
  record.event_id = "id";
  record.region = "us-east-1";
  record.created_ms = 1794744000999;
  record.sequence_number = "000000000000000000123";
  record.keys = Item::Of({{"pk", Value::String("x")}});
  record.size_bytes = 7;
  return record;
}

// The end of a list is told only if there is more.
TEST(StreamResponsesTest, EncodesLists) {
  EXPECT_EQ(EncodeListStreams({}), R"({"Streams":[]})");
  EXPECT_EQ(EncodeListStreams({{{"arn", "label", "abc"}}, "arn"}),
            R"({"Streams":[{"StreamArn":"arn","StreamLabel":"label","TableName":"abc"}],)"
            R"("LastEvaluatedStreamArn":"arn"})");
}

// A shard has an end once nothing can follow.
TEST(StreamResponsesTest, EncodesDescriptions) {
  DescribeStreamResponse response;
  response.stream = {"arn", "label", "abc"};
  response.view = StreamView::kNewAndOldImages;
  response.created_ms = 1500;
  response.keys = {{"pk"}, {"sk"}};
  response.shards = {{"one", "1", std::nullopt}, {"two", "2", "3"}};
  response.last_evaluated_shard = "two";
  const std::string rest =
      R"(,"StreamViewType":"NEW_AND_OLD_IMAGES","CreationRequestDateTime":1.500,)"
      R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
      R"({"AttributeName":"sk","KeyType":"RANGE"}],)"
      R"("Shards":[{"ShardId":"one","SequenceNumberRange":{"StartingSequenceNumber":"1"}},)"
      R"({"ShardId":"two","SequenceNumberRange":{"StartingSequenceNumber":"2",)"
      R"("EndingSequenceNumber":"3"}}],"LastEvaluatedShardId":"two"}})";
  const std::pair<StreamStatus, std::string> rows[] = {
      {StreamStatus::kEnabling, "ENABLING"},
      {StreamStatus::kEnabled, "ENABLED"},
      {StreamStatus::kDisabling, "DISABLING"},
      {StreamStatus::kDisabled, "DISABLED"},
  };
  for (const auto& [status, name] : rows) {
    response.status = status;
    EXPECT_EQ(EncodeDescribeStream(response),
              StrCat(R"({"StreamDescription":{"StreamArn":"arn","StreamLabel":"label",)",
                     R"("TableName":"abc","StreamStatus":")", name, "\"", rest));
  }
  EXPECT_THAT(EncodeDescribeStream({}), ::testing::HasSubstr(R"("Shards":[]}})"));
}

// Times are in whole seconds, and images are there as far as the view has them.
TEST(StreamResponsesTest, EncodesRecords) {
  EXPECT_EQ(EncodeGetShardIterator({"it"}), R"({"ShardIterator":"it"})");
  EXPECT_EQ(EncodeGetRecords({}), R"({"Records":[]})");
  EXPECT_EQ(EncodeGetRecords({{Record()}, "next"}),
            R"({"Records":[{"eventID":"id","eventName":"INSERT","eventVersion":"1.1",)"
            R"("eventSource":"aws:dynamodb","awsRegion":"us-east-1","dynamodb":)"
            R"({"ApproximateCreationDateTime":1794744000.000,"Keys":{"pk":{"S":"x"}},)"
            R"("SequenceNumber":"000000000000000000123","SizeBytes":7,)"
            R"("StreamViewType":"KEYS_ONLY"}}],"NextShardIterator":"next"})");

  StreamRecord modified = Record();
  modified.event = StreamRecord::Event::kModify;
  modified.view = StreamView::kNewAndOldImages;
  modified.old_image = Item::Of({{"a", Value::String("old")}});
  modified.new_image = Item::Of({{"a", Value::String("new")}});
  EXPECT_THAT(EncodeGetRecords({{modified}, std::nullopt}),
              ::testing::AllOf(::testing::HasSubstr(R"("eventName":"MODIFY")"),
                               ::testing::HasSubstr(
                                   R"("NewImage":{"a":{"S":"new"}},"OldImage":{"a":{"S":"old"}})"),
                               ::testing::HasSubstr(R"("StreamViewType":"NEW_AND_OLD_IMAGES")"),
                               ::testing::Not(::testing::HasSubstr("userIdentity")),
                               ::testing::Not(::testing::HasSubstr("NextShardIterator"))));
}

// Removals by time to live are told from those by a client by who did them.
TEST(StreamResponsesTest, EncodesWhoRemovedAnItem) {
  StreamRecord removed = Record();
  removed.event = StreamRecord::Event::kRemove;
  removed.expired = true;
  EXPECT_THAT(
      EncodeGetRecords({{removed}, std::nullopt}),
      ::testing::AllOf(
          ::testing::HasSubstr(R"("eventName":"REMOVE")"),
          ::testing::HasSubstr(
              R"("userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}}])")));
}

}  // namespace
}  // namespace tintype::tables::wire
