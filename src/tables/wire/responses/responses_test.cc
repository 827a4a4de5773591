#include "tables/language/errors.h"
#include "tables/wire/internal/testing.h"

// Responses as DynamoDB shapes them.
namespace tintype::tables::wire {
namespace {

Item Key(std::string_view value) { return Item::Of({{"pk", Value::String(value)}}); }

ConsumedCapacity Capacity() {
  ConsumedCapacity capacity;
  capacity.table = "abc";
  capacity.table_units = {0, 2};
  capacity.local_indexes["local"] = {0, 1};
  capacity.global_indexes["global"] = {0, 0.5};
  return capacity;
}

// Members that have nothing to say are left out.
TEST(ResponsesTest, EncodesItems) {
  EXPECT_EQ(EncodeGetItem({}), "{}");
  EXPECT_EQ(EncodeGetItem({Item(), std::nullopt}), R"({"Item":{}})");
  EXPECT_EQ(EncodeWriteItem({}), "{}");
  EXPECT_EQ(EncodeWriteItem({Key("x"), std::nullopt, ItemCollectionMetrics{Key("x"), 0, 1}}),
            R"({"Attributes":{"pk":{"S":"x"}},"ItemCollectionMetrics":)"
            R"({"ItemCollectionKey":{"pk":{"S":"x"}},"SizeEstimateRangeGB":[0.0,1.0]}})");
}

// TOTAL is one number, INDEXES a breakdown, and transactions tell reads from writes.
TEST(ResponsesTest, EncodesCapacity) {
  ConsumedCapacity capacity = Capacity();
  EXPECT_EQ(capacity.Total(), 3.5);
  EXPECT_EQ(EncodeWriteItem({std::nullopt, capacity, std::nullopt}),
            R"({"ConsumedCapacity":{"TableName":"abc","CapacityUnits":3.5}})");
  capacity.show_breakdown = true;
  EXPECT_EQ(
      EncodeWriteItem({std::nullopt, capacity, std::nullopt}),
      R"({"ConsumedCapacity":{"TableName":"abc","CapacityUnits":3.5,)"
      R"("Table":{"CapacityUnits":2.0},"LocalSecondaryIndexes":{"local":{"CapacityUnits":1.0}},)"
      R"("GlobalSecondaryIndexes":{"global":{"CapacityUnits":0.5}}}})");
  capacity.show_read_write = true;
  capacity.local_indexes.clear();
  capacity.global_indexes.clear();
  EXPECT_EQ(
      EncodeTransactWriteItems({{capacity}, {}}),
      R"({"ConsumedCapacity":[{"TableName":"abc","CapacityUnits":2.0,"WriteCapacityUnits":2.0,)"
      R"("Table":{"CapacityUnits":2.0,"WriteCapacityUnits":2.0}}]})");
}

// A page has its items, counts and where to go on; a count alone has no list of items at all.
TEST(ResponsesTest, EncodesReads) {
  ReadResponse response;
  response.items = {Key("x"), Key("y")};
  response.count = 2;
  response.scanned_count = 3;
  response.last_evaluated_key = Key("y");
  EXPECT_EQ(EncodeRead(response),
            R"({"Items":[{"pk":{"S":"x"}},{"pk":{"S":"y"}}],"Count":2,"ScannedCount":3,)"
            R"("LastEvaluatedKey":{"pk":{"S":"y"}}})");
  ReadResponse count;
  count.count_only = true;
  EXPECT_EQ(EncodeRead(count), R"({"Count":0,"ScannedCount":0})");
  EXPECT_EQ(EncodeRead({}), R"({"Items":[],"Count":0,"ScannedCount":0})");
}

// The part left over is always there, and repeats the request so that a client can send it again.
TEST(ResponsesTest, EncodesBatches) {
  EXPECT_EQ(EncodeBatchWriteItem({}), R"({"UnprocessedItems":{}})");
  EXPECT_EQ(EncodeBatchWriteItem({{}, {{"abc", {ItemCollectionMetrics{Key("x"), 0, 1}}}}}),
            R"({"UnprocessedItems":{},"ItemCollectionMetrics":{"abc":[)"
            R"({"ItemCollectionKey":{"pk":{"S":"x"}},"SizeEstimateRangeGB":[0.0,1.0]}]}})");
  EXPECT_EQ(EncodeBatchGetItem({}, {}), R"({"Responses":{},"UnprocessedKeys":{}})");

  const auto request = DecodeBatchGetItem(
      R"({"RequestItems": {"abc": {"Keys": [{"pk": {"S": "x"}}, {"pk": {"S": "y"}}],
          "ConsistentRead": true, "ProjectionExpression": "#a.b[2].#a, c",
          "ExpressionAttributeNames": {"#a": "the size"}}}})");
  ASSERT_TRUE(request.ok()) << request.error().message();
  BatchGetItemResponse response;
  response.items = {{"abc", {Key("x")}}};
  response.unprocessed = {{0, {Key("y")}}};
  const std::string body = EncodeBatchGetItem(*request, response);
  EXPECT_EQ(body, R"({"Responses":{"abc":[{"pk":{"S":"x"}}]},"UnprocessedKeys":{"abc":)"
                  R"({"Keys":[{"pk":{"S":"y"}}],"ProjectionExpression":"#0.#1[2].#0,#2",)"
                  R"("ExpressionAttributeNames":{"#1":"b","#2":"c","#0":"the size"},)"
                  R"("ConsistentRead":true}}})");

  // It must mean what the request meant.
  const auto again =
      DecodeBatchGetItem(R"({"RequestItems": )" + body.substr(body.find("{\"abc\":{\"Keys\"")));
  ASSERT_TRUE(again.ok()) << again.error().message();
  EXPECT_EQ(again->tables[0].projection->paths(), request->tables[0].projection->paths());
  EXPECT_EQ(again->tables[0].keys, (std::vector<Item>{Key("y")}));
  EXPECT_TRUE(again->tables[0].consistent_read);
}

// One response per get, in order: an item that is not there leaves an empty object in its place.
TEST(ResponsesTest, EncodesTransactions) {
  EXPECT_EQ(EncodeTransactGetItems({{Key("x"), std::nullopt}, {}}),
            R"({"Responses":[{"Item":{"pk":{"S":"x"}}},{}]})");
  EXPECT_EQ(EncodeTransactWriteItems({}), "{}");
}

// Errors: the message member's capital, and what some errors carry.
TEST(ResponsesTest, EncodesErrors) {
  EXPECT_EQ(
      EncodeError("com.amazon.coral.validate#ValidationException", Error::Validation("a \"b\"")),
      R"({"__type":"com.amazon.coral.validate#ValidationException","message":"a \"b\""})");
  EXPECT_EQ(EncodeError("com.amazon.coral.service#SerializationException",
                        tables::SerializationError("")),
            R"({"__type":"com.amazon.coral.service#SerializationException"})");
  EXPECT_EQ(EncodeError("com.amazon.coral.service#SerializationException",
                        tables::SerializationError("x")),
            R"({"__type":"com.amazon.coral.service#SerializationException","Message":"x"})");

  auto failed = std::make_shared<ConditionFailedDetail>();
  failed->item = Key("x");
  EXPECT_EQ(
      EncodeError(
          "c#ConditionalCheckFailedException",
          Error(ErrorKind::kConditionFailed, "The conditional request failed").WithDetail(failed)),
      R"({"__type":"c#ConditionalCheckFailedException",)"
      R"("message":"The conditional request failed","Item":{"pk":{"S":"x"}}})");

  auto canceled = std::make_shared<CancellationDetail>();
  canceled->reasons.resize(2);
  canceled->reasons[1] = {"ConditionalCheckFailed", "The conditional request failed", Key("x")};
  EXPECT_EQ(EncodeError("c#TransactionCanceledException",
                        Error(tables::reasons::kTransactionCanceled, "no").WithDetail(canceled)),
            R"({"__type":"c#TransactionCanceledException","Message":"no","CancellationReasons":)"
            R"([{"Code":"None"},{"Code":"ConditionalCheckFailed",)"
            R"("Message":"The conditional request failed","Item":{"pk":{"S":"x"}}}]})");
}

// A table with nothing special shows only what every table shows.
TEST(TableResponsesTest, EncodesPlainTables) {
  TableDescription table;
  table.definition.name = "abc";
  table.definition.attributes = {{"pk", Type::kString}};
  table.definition.keys = {{"pk"}, {}};
  table.definition.throughput = Throughput{5, 6};
  table.id = "id";
  table.arn = "arn";
  table.created_ms = 1700000000005;
  table.item_count = 7;
  table.size_bytes = 8;
  EXPECT_EQ(EncodeTable("Table", {table}),
            R"({"Table":{"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
            R"("TableName":"abc","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
            R"("TableStatus":"ACTIVE","CreationDateTime":1700000000.005,"ProvisionedThroughput":)"
            R"({"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,"WriteCapacityUnits":6},)"
            R"("TableSizeBytes":8,"ItemCount":7,"TableArn":"arn","TableId":"id",)"
            R"("DeletionProtectionEnabled":false}})");
  // Once it is about to go, less.
  table.status = TableStatus::kDeleting;
  EXPECT_EQ(EncodeTable("TableDescription", {table}),
            R"({"TableDescription":{"TableName":"abc","TableStatus":"DELETING",)"
            R"("ProvisionedThroughput":)"
            R"({"NumberOfDecreasesToday":0,"ReadCapacityUnits":5,"WriteCapacityUnits":6},)"
            R"("TableSizeBytes":8,"ItemCount":7,"TableArn":"arn","TableId":"id",)"
            R"("DeletionProtectionEnabled":false}})");
}

// Everything that a table can show.
TEST(TableResponsesTest, EncodesWholeTables) {
  TableDescription table;
  table.definition.name = "abc";
  table.definition.keys = {{"pk"}, {"sk"}};
  table.definition.billing_mode = BillingMode::kPayPerRequest;
  table.definition.on_demand_throughput = Throughput{5, -1};
  table.definition.stream = StreamView::kNewAndOldImages;
  table.definition.encryption = EncryptionSpecification{true, std::nullopt, "key"};
  table.definition.table_class = TableClass::kStandardInfrequentAccess;
  table.definition.deletion_protection = true;
  table.status = TableStatus::kUpdating;
  table.on_demand_since_ms = 1000;
  table.class_changed_ms = 2500;
  table.last_increase_ms = 3000;
  table.last_decrease_ms = 4000;
  table.throughput_decreases_today = 2;
  table.stream_arn = "stream";
  table.stream_label = "label";
  IndexDescription local;
  local.definition = {"local", {{"pk"}, {"b"}}, {}, std::nullopt, std::nullopt};
  local.arn = "local-arn";
  table.local_indexes = {local};
  IndexDescription global;
  global.definition = {"global",
                       {{"b", "c"}, {"d"}},
                       {IndexProjection::Kind::kInclude, {"x"}},
                       Throughput{1, 2},
                       Throughput{3, 4}};
  global.status = IndexStatus::kCreating;
  global.backfilling = true;
  table.global_indexes = {global};
  const std::string body = EncodeTable("TableDescription", {table});
  for (
      const std::string_view part : {
          R"({"TableDescription":{"AttributeDefinitions":[],)",
          R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}])",
          R"("TableStatus":"UPDATING")",
          R"("ProvisionedThroughput":{"LastIncreaseDateTime":3.000,"LastDecreaseDateTime":4.000,"NumberOfDecreasesToday":2,"ReadCapacityUnits":0,"WriteCapacityUnits":0})",
          R"("OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":-1})",
          R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST","LastUpdateToPayPerRequestDateTime":1.000})",
          R"("LocalSecondaryIndexes":[{"IndexName":"local","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"},"IndexSizeBytes":0,"ItemCount":0,"IndexArn":"local-arn"}])",
          R"("KeySchema":[{"AttributeName":"b","KeyType":"HASH"},{"AttributeName":"c","KeyType":"HASH"},{"AttributeName":"d","KeyType":"RANGE"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]})",
          R"("IndexStatus":"CREATING","Backfilling":true,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,"ReadCapacityUnits":1,"WriteCapacityUnits":2},"OnDemandThroughput":{"MaxReadRequestUnits":3,"MaxWriteRequestUnits":4})",
          R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_AND_OLD_IMAGES"},"LatestStreamLabel":"label","LatestStreamArn":"stream")",
          R"("SSEDescription":{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":"key"})",
          R"("TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS","LastUpdateDateTime":2.500})",
          R"("DeletionProtectionEnabled":true)",
      }) {
    EXPECT_THAT(body, ::testing::HasSubstr(part));
  }
}

// Lists name where they stopped only if there is more.
TEST(TableResponsesTest, EncodesLists) {
  EXPECT_EQ(EncodeListTables({{"a", "b"}, "b"}),
            R"({"TableNames":["a","b"],"LastEvaluatedTableName":"b"})");
  EXPECT_EQ(EncodeListTables({}), R"({"TableNames":[]})");
  EXPECT_EQ(EncodeListTagsOfResource({{{"k", "v"}}, "t"}),
            R"({"Tags":[{"Key":"k","Value":"v"}],"NextToken":"t"})");
}

// What KMSMasterKeyArn is made of: the key as it was given, in the table's region and account.
TEST(TableResponsesTest, EncodesEncryption) {
  TableDescription table;
  table.arn = "arn:aws:dynamodb:eu-west-1:123456789012:table/abc";
  EXPECT_THAT(EncodeTable("Table", {table}), ::testing::Not(::testing::HasSubstr("SSE")));
  table.definition.encryption = EncryptionSpecification{};
  EXPECT_THAT(EncodeTable("Table", {table}), ::testing::Not(::testing::HasSubstr("SSE")));

  const std::string scope = "arn:aws:kms:eu-west-1:123456789012:";
  const std::pair<std::optional<std::string>, std::string> rows[] = {
      {std::nullopt, scope + "alias/aws/dynamodb"},
      {"alias/mine", scope + "alias/mine"},
      {"1234-abcd", scope + "key/1234-abcd"},
      {"arn:aws:kms:us-east-1:1:key/2", "arn:aws:kms:us-east-1:1:key/2"},
  };
  for (const auto& [key, arn] : rows) {
    table.definition.encryption = EncryptionSpecification{true, "KMS", key};
    EXPECT_THAT(EncodeTable("Table", {table}),
                ::testing::HasSubstr(
                    R"("SSEDescription":{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":")" +
                    arn + "\"}"));
  }
}

// A restored table tells what it was made from; one restored to a time has no backup.
TEST(TableResponsesTest, EncodesRestoreSummaries) {
  TableDescription table;
  EXPECT_THAT(EncodeTable("Table", {table}), ::testing::Not(::testing::HasSubstr("Restore")));
  table.restore = RestoreSummary{"backup", "table", 1500, true};
  EXPECT_THAT(EncodeTable("Table", {table}),
              ::testing::HasSubstr(
                  R"("RestoreSummary":{"SourceBackupArn":"backup","SourceTableArn":"table",)"
                  R"("RestoreDateTime":1.500,"RestoreInProgress":true})"));
  table.restore = RestoreSummary{std::nullopt, "table", 2000, false};
  EXPECT_THAT(EncodeTable("Table", {table}),
              ::testing::HasSubstr(R"("RestoreSummary":{"SourceTableArn":"table",)"
                                   R"("RestoreDateTime":2.000,"RestoreInProgress":false})"));
}

// The attribute is named while time to live is on.
TEST(TableResponsesTest, EncodesTimeToLive) {
  EXPECT_EQ(EncodeUpdateTimeToLive({true, "ttl"}),
            R"({"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})");
  const std::pair<TimeToLiveStatus, std::string> rows[] = {
      {TimeToLiveStatus::kEnabling, "ENABLING"},
      {TimeToLiveStatus::kEnabled, "ENABLED"},
      {TimeToLiveStatus::kDisabling, "DISABLING"},
  };
  for (const auto& [status, name] : rows) {
    EXPECT_EQ(
        EncodeDescribeTimeToLive({status, "ttl"}),
        R"({"TimeToLiveDescription":{"AttributeName":"ttl","TimeToLiveStatus":")" + name + "\"}}");
  }
  EXPECT_EQ(EncodeDescribeTimeToLive({}),
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
}

}  // namespace
}  // namespace tintype::tables::wire
