#include "tables/wire/client_codec.h"

#include "base/retry.h"
#include "base/strings.h"
#include "sigv4/sigv4.h"
#include "tables/language/errors.h"
#include "tables/wire/internal/testing.h"

// The server's side reads what a client writes as the same; the client's side reads what the server
// writes as the same. Bodies are compared as text: each is in the form in which its writer has it,
// so a member that is lost on the way is missed.
namespace tintype::tables::wire {
namespace {

// Decodes with the server's decoder and encodes with the client's writer.
template <auto kDecode>
void ExpectSameRequests(const std::vector<std::string>& bodies) {
  for (const std::string& body : bodies) {
    const auto request = kDecode(body);
    ASSERT_TRUE(request.ok()) << body << ": " << request.error().message();
    EXPECT_EQ(EncodeRequest(*request), body);
  }
}

TEST(ClientRequestsTest, ItemsArriveAsSent) {
  ExpectSameRequests<DecodeGetItem>({
      R"({"TableName":"abc","Key":{"pk":{"S":"x"}}})",
      R"({"TableName":"abc","Key":{"pk":{"S":"x"}},"ProjectionExpression":"#0.#1[2]",)"
      R"("ExpressionAttributeNames":{"#0":"a","#1":"b"},"ConsistentRead":true,)"
      R"("ReturnConsumedCapacity":"TOTAL"})",
  });
  ExpectSameRequests<DecodePutItem>({
      R"({"TableName":"abc","Item":{"b":{"B":"AQI="},"bs":{"BS":["AQ==","Ag=="]},)"
      R"("l":{"L":[{"NULL":true},{"BOOL":false}]},"m":{"M":{"x":{"N":"-1.5"}}},)"
      R"("ns":{"NS":["1","2"]},"pk":{"S":"\u0001\"\\"},"ss":{"SS":["a","b"]}}})",
      R"({"TableName":"abc","Item":{"pk":{"S":"x"}},)"
      R"("ConditionExpression":"attribute_not_exists(#0) OR #1=:0","ReturnValues":"ALL_OLD",)"
      R"("ReturnValuesOnConditionCheckFailure":"ALL_OLD","ReturnConsumedCapacity":"INDEXES",)"
      R"("ReturnItemCollectionMetrics":"SIZE","ExpressionAttributeNames":{"#1":"a","#0":"pk"},)"
      R"("ExpressionAttributeValues":{":0":{"N":"1"}}})",
  });
  ExpectSameRequests<DecodeDeleteItem>({
      R"({"TableName":"abc","Key":{"pk":{"S":"x"}},"ConditionExpression":"#0<#1",)"
      R"("ExpressionAttributeNames":{"#0":"a","#1":"b"}})",
  });
  ExpectSameRequests<DecodeUpdateItem>({
      // An update that changes nothing.
      R"({"TableName":"abc","Key":{"pk":{"S":"x"}}})",
      R"({"TableName":"abc","Key":{"pk":{"S":"x"}},"UpdateExpression":"SET #0=:0 REMOVE #1",)"
      R"("ConditionExpression":"#0>:0","ReturnValues":"UPDATED_NEW",)"
      R"("ExpressionAttributeNames":{"#0":"a","#1":"b"},)"
      R"("ExpressionAttributeValues":{":0":{"N":"1"}}})",
  });
}

TEST(ClientRequestsTest, BatchesArriveAsSent) {
  ExpectSameRequests<DecodeBatchGetItem>({
      R"({"RequestItems":{"two":{"Keys":[{"pk":{"S":"x"}},{"pk":{"S":"y"}}],)"
      R"("ProjectionExpression":"#0","ExpressionAttributeNames":{"#0":"a"},)"
      R"("ConsistentRead":true},"one":{"Keys":[{"pk":{"S":"x"}}]}},)"
      R"("ReturnConsumedCapacity":"TOTAL"})",
  });
  ExpectSameRequests<DecodeBatchWriteItem>({
      R"({"RequestItems":{"two":[{"PutRequest":{"Item":{"pk":{"S":"x"}}}},)"
      R"({"DeleteRequest":{"Key":{"pk":{"S":"y"}}}}],"one":[{"DeleteRequest":)"
      R"({"Key":{"pk":{"S":"y"}}}}]},"ReturnConsumedCapacity":"INDEXES",)"
      R"("ReturnItemCollectionMetrics":"SIZE"})",
  });
}

TEST(ClientRequestsTest, TransactionsArriveAsSent) {
  ExpectSameRequests<DecodeTransactGetItems>({
      R"({"TransactItems":[{"Get":{"TableName":"abc","Key":{"pk":{"S":"x"}}}},)"
      R"({"Get":{"TableName":"abc","Key":{"pk":{"S":"y"}},"ProjectionExpression":"#0",)"
      R"("ExpressionAttributeNames":{"#0":"a"}}}],"ReturnConsumedCapacity":"TOTAL"})",
  });
  ExpectSameRequests<DecodeTransactWriteItems>({
      R"({"TransactItems":[{"Put":{"Item":{"pk":{"S":"x"}},"TableName":"abc"}},)"
      R"({"Delete":{"Key":{"pk":{"S":"y"}},"TableName":"abc"}},)"
      R"({"Update":{"Key":{"pk":{"S":"z"}},"UpdateExpression":"ADD #0 :0","TableName":"abc",)"
      R"("ConditionExpression":"#1=:0","ReturnValuesOnConditionCheckFailure":"ALL_OLD",)"
      R"("ExpressionAttributeNames":{"#0":"a","#1":"b"},)"
      R"("ExpressionAttributeValues":{":0":{"N":"1"}}}},)"
      R"({"ConditionCheck":{"Key":{"pk":{"S":"w"}},"TableName":"abc",)"
      R"j("ConditionExpression":"attribute_exists(#0)","ExpressionAttributeNames":{"#0":"pk"}}}],)j"
      R"("ClientRequestToken":"token","ReturnConsumedCapacity":"TOTAL",)"
      R"("ReturnItemCollectionMetrics":"SIZE"})",
  });
}

TEST(ClientRequestsTest, ReadsArriveAsSent) {
  ExpectSameRequests<DecodeQuery>({
      R"({"TableName":"abc","KeyConditionExpression":"#0=:0",)"
      R"("ExpressionAttributeNames":{"#0":"pk"},"ExpressionAttributeValues":{":0":{"S":"x"}}})",
      R"({"TableName":"abc","KeyConditionExpression":"#0=:0","ScanIndexForward":false,)"
      R"("IndexName":"idx","FilterExpression":"#1>:1","ProjectionExpression":"#1,#2",)"
      R"("Select":"SPECIFIC_ATTRIBUTES","Limit":7,"ExclusiveStartKey":{"pk":{"S":"x"}},)"
      R"("ConsistentRead":true,"ReturnConsumedCapacity":"INDEXES",)"
      R"("ExpressionAttributeNames":{"#1":"a","#2":"b","#0":"pk"},)"
      R"("ExpressionAttributeValues":{":0":{"S":"x"},":1":{"N":"1"}}})",
  });
  ExpectSameRequests<DecodeScan>({
      R"({"TableName":"abc"})",
      R"({"TableName":"abc","Segment":1,"TotalSegments":4,"IndexName":"idx","Select":"COUNT"})",
      R"({"TableName":"abc","Select":"ALL_ATTRIBUTES"})",
      R"({"TableName":"abc","IndexName":"idx","Select":"ALL_PROJECTED_ATTRIBUTES"})",
  });
}

TEST(ClientRequestsTest, TablesAndTagsArriveAsSent) {
  ExpectSameRequests<DecodeCreateTable>({
      R"({"TableName":"abc","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
      R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}})",
      R"({"TableName":"abc","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
      R"({"AttributeName":"sk","AttributeType":"N"},{"AttributeName":"g","AttributeType":"B"}],)"
      R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
      R"({"AttributeName":"sk","KeyType":"RANGE"}],"LocalSecondaryIndexes":[{"IndexName":"loc",)"
      R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
      R"({"AttributeName":"g","KeyType":"RANGE"}],"Projection":{"ProjectionType":"KEYS_ONLY"}}],)"
      R"("GlobalSecondaryIndexes":[{"IndexName":"glob","KeySchema":[{"AttributeName":"g",)"
      R"("KeyType":"HASH"}],"Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a"]},)"
      R"("OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":-1}}],)"
      R"("BillingMode":"PAY_PER_REQUEST",)"
      R"("OnDemandThroughput":{"MaxReadRequestUnits":5,"MaxWriteRequestUnits":6},)"
      R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"NEW_IMAGE"},)"
      R"("SSESpecification":{"Enabled":true,"SSEType":"KMS","KMSMasterKeyId":"key"},)"
      R"("DeletionProtectionEnabled":true,"TableClass":"STANDARD_INFREQUENT_ACCESS",)"
      R"("Tags":[{"Key":"k","Value":"v"}],"ResourcePolicy":"{\"Statement\":[]}"})",
  });
  ExpectSameRequests<DecodeUpdateTable>({
      R"({"TableName":"abc","AttributeDefinitions":[{"AttributeName":"g","AttributeType":"S"}],)"
      R"("BillingMode":"PROVISIONED",)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2},)"
      R"("GlobalSecondaryIndexUpdates":[{"Create":{"IndexName":"one","KeySchema":)"
      R"([{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"},)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4}}},)"
      R"({"Update":{"IndexName":"two","ProvisionedThroughput":)"
      R"({"ReadCapacityUnits":3,"WriteCapacityUnits":4}}}],)"
      R"("DeletionProtectionEnabled":false,"TableClass":"STANDARD",)"
      R"("SSESpecification":{"Enabled":false},"StreamSpecification":{"StreamEnabled":false}})",
      R"({"TableName":"abc","StreamSpecification":)"
      R"({"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"}})",
      R"({"TableName":"abc","GlobalSecondaryIndexUpdates":[{"Delete":{"IndexName":"three"}}]})",
  });
  ExpectSameRequests<DecodeDeleteTable>({R"({"TableName":"abc"})"});
  ExpectSameRequests<DecodeDescribeTable>({R"({"TableName":"abc"})"});
  ExpectSameRequests<DecodeListTables>({
      R"({"Limit":100})",
      R"({"ExclusiveStartTableName":"abc","Limit":3})",
  });
  const std::string arn = R"("ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/abc")";
  ExpectSameRequests<DecodeTagResource>({"{" + arn + R"(,"Tags":[{"Key":"k","Value":"v"}]})"});
  ExpectSameRequests<DecodeUntagResource>({"{" + arn + R"(,"TagKeys":["k","l"]})"});
  ExpectSameRequests<DecodeListTagsOfResource>({"{" + arn + R"(,"NextToken":"t"})"});
  ExpectSameRequests<DecodePutResourcePolicy>({
      "{" + arn + R"(,"Policy":"{\"a\": 1}"})",
      "{" + arn +
          R"(,"Policy":"x","ExpectedRevisionId":"1","ConfirmRemoveSelfResourceAccess":true})",
  });
  ExpectSameRequests<DecodeGetResourcePolicy>({"{" + arn + "}"});
  ExpectSameRequests<DecodeDeleteResourcePolicy>(
      {"{" + arn + "}", "{" + arn + R"(,"ExpectedRevisionId":"1"})"});
  ExpectSameRequests<DecodeUpdateTimeToLive>({
      R"({"TableName":"abc","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})",
      R"({"TableName":"abc","TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":false}})",
  });
  ExpectSameRequests<DecodeDescribeTimeToLive>({R"({"TableName":"abc"})"});
}

// Legacy parameters are sent as the expressions that mean the same.
TEST(ClientRequestsTest, SendsLegacyParametersAsExpressions) {
  const auto update = DecodeUpdateItem(
      R"({"TableName":"abc","Key":{"pk":{"S":"x"}},"AttributeUpdates":{"a":{"Value":{"N":"1"}},
          "b":{"Action":"DELETE"}},"Expected":{"a":{"Exists":false}}})");
  ASSERT_TRUE(update.ok());
  EXPECT_EQ(EncodeRequest(*update),
            R"({"TableName":"abc","Key":{"pk":{"S":"x"}},"UpdateExpression":"SET #0=:0 REMOVE #1",)"
            R"j("ConditionExpression":"attribute_not_exists(#0)",)j"
            R"("ExpressionAttributeNames":{"#0":"a","#1":"b"},)"
            R"("ExpressionAttributeValues":{":0":{"N":"1"}}})");
  const auto query = DecodeQuery(
      R"({"TableName":"abc","KeyConditions":{"pk":{"ComparisonOperator":"EQ",
          "AttributeValueList":[{"S":"x"}]}},"AttributesToGet":["a"],"QueryFilter":{
          "a":{"ComparisonOperator":"NOT_CONTAINS","AttributeValueList":[{"S":"x"}]}}})");
  ASSERT_TRUE(query.ok());
  EXPECT_EQ(EncodeRequest(*query),
            R"({"TableName":"abc","KeyConditionExpression":"#0=:0",)"
            R"j("FilterExpression":"attribute_exists(#1) AND NOT contains(#1,:0)",)j"
            R"("ProjectionExpression":"#1","ExpressionAttributeNames":{"#1":"a","#0":"pk"},)"
            R"("ExpressionAttributeValues":{":0":{"S":"x"}}})");
}

// Decodes with the client's reader and encodes with the server's writer.
template <typename Decode, typename Encode>
void ExpectSameResponses(const Decode& decode, const Encode& encode,
                         const std::vector<std::string>& bodies) {
  for (const std::string& body : bodies) {
    const auto response = decode(body);
    ASSERT_TRUE(response.ok()) << body << ": " << response.error().message();
    EXPECT_EQ(encode(*response), body);
  }
}

constexpr char kMetrics[] =
    R"({"ItemCollectionKey":{"pk":{"S":"x"}},"SizeEstimateRangeGB":[0.0,1.5]})";

TEST(ClientResponsesTest, ItemsArriveAsSent) {
  ExpectSameResponses(
      DecodeGetItemResponse, EncodeGetItem,
      {"{}", R"({"Item":{}})",
       R"({"Item":{"b":{"BS":["AQ=="]},"m":{"M":{"l":{"L":[{"NULL":true}]}}},"n":{"N":"-1.5"}},)"
       R"("ConsumedCapacity":{"TableName":"abc","CapacityUnits":0.5}})",
       R"({"ConsumedCapacity":{"TableName":"abc","CapacityUnits":3.5,"Table":)"
       R"({"CapacityUnits":1.0},"LocalSecondaryIndexes":{"l":{"CapacityUnits":2.0}},)"
       R"("GlobalSecondaryIndexes":{"g":{"CapacityUnits":0.5}}}})"});
  ExpectSameResponses(DecodeWriteItemResponse, EncodeWriteItem,
                      {"{}", StrCat(R"({"Attributes":{"pk":{"S":"x"}},"ConsumedCapacity":)",
                                    R"({"TableName":"abc","CapacityUnits":1.0},)",
                                    R"("ItemCollectionMetrics":)", kMetrics, "}")});
  ExpectSameResponses(
      DecodeReadResponse, EncodeRead,
      {R"({"Items":[],"Count":0,"ScannedCount":0})", R"({"Count":2,"ScannedCount":3})",
       R"({"Items":[{"pk":{"S":"x"}},{}],"Count":2,"ScannedCount":3,)"
       R"("LastEvaluatedKey":{"pk":{"S":"x"}},)"
       R"("ConsumedCapacity":{"TableName":"abc","CapacityUnits":0.5}})"});
}

TEST(ClientResponsesTest, TransactionsArriveAsSent) {
  ExpectSameResponses(
      DecodeTransactGetItemsResponse, EncodeTransactGetItems,
      {R"({"Responses":[{},{"Item":{"pk":{"S":"x"}}},{"Item":{}}],"ConsumedCapacity":)"
       R"([{"TableName":"abc","CapacityUnits":4.0,"ReadCapacityUnits":4.0}]})"});
  ExpectSameResponses(
      DecodeTransactWriteItemsResponse, EncodeTransactWriteItems,
      {"{}", StrCat(R"({"ItemCollectionMetrics":{"two":[)", kMetrics, ",", kMetrics,
                    R"(],"one":[]},"ConsumedCapacity":[{"TableName":"abc","CapacityUnits":6.0,)",
                    R"("WriteCapacityUnits":6.0,"Table":{"CapacityUnits":4.0,)",
                    R"("WriteCapacityUnits":4.0},"GlobalSecondaryIndexes":{"g":)",
                    R"({"CapacityUnits":2.0,"WriteCapacityUnits":2.0}}}]})")});
}

TEST(ClientResponsesTest, BatchesArriveAsSent) {
  const auto request = DecodeBatchGetItem(
      R"({"RequestItems":{"two":{"Keys":[{"pk":{"S":"x"}},{"pk":{"S":"y"}}],
          "ProjectionExpression":"a"},"one":{"Keys":[{"pk":{"S":"x"}}]}}})");
  ASSERT_TRUE(request.ok());
  ExpectSameResponses(
      [&](std::string_view body) { return DecodeBatchGetItemResponse(*request, body); },
      [&](const BatchGetItemResponse& response) { return EncodeBatchGetItem(*request, response); },
      {R"({"Responses":{"two":[{"a":{"S":"x"}}],"one":[]},"UnprocessedKeys":{}})",
       R"({"Responses":{"two":[],"one":[{"pk":{"S":"x"}}]},"UnprocessedKeys":{"two":)"
       R"({"Keys":[{"pk":{"S":"y"}}],"ProjectionExpression":"#0",)"
       R"("ExpressionAttributeNames":{"#0":"a"}}},"ConsumedCapacity":)"
       R"([{"TableName":"two","CapacityUnits":0.5}]})"});
  // The response is in the request's order, and has every table, whatever the answer's order is.
  const auto reordered = DecodeBatchGetItemResponse(
      *request, R"({"Responses":{"one":[]},"UnprocessedKeys":{"one":{"Keys":[]}}})");
  ASSERT_TRUE(reordered.ok());
  ASSERT_EQ(reordered->items.size(), 2u);
  EXPECT_EQ(reordered->items[0].first, "two");
  ASSERT_EQ(reordered->unprocessed.size(), 1u);
  EXPECT_EQ(reordered->unprocessed[0].table_index, 1u);

  const auto written = DecodeBatchWriteItemResponse(
      StrCat(R"({"UnprocessedItems":{"abc":[{"PutRequest":{"Item":{"pk":{"S":"x"}}}},)",
             R"({"DeleteRequest":{"Key":{"pk":{"S":"y"}}}}]},"ItemCollectionMetrics":{"abc":[)",
             kMetrics, R"(]},"ConsumedCapacity":[{"TableName":"abc","CapacityUnits":2.0}]})"));
  ASSERT_TRUE(written.ok()) << written.error().message();
  EXPECT_EQ(EncodeBatchWriteItem(written->response),
            StrCat(R"({"UnprocessedItems":{},"ItemCollectionMetrics":{"abc":[)", kMetrics,
                   R"(]},"ConsumedCapacity":[{"TableName":"abc","CapacityUnits":2.0}]})"));
  EXPECT_EQ(EncodeRequest(BatchWriteItemRequest{written->unprocessed, {}, false}),
            R"({"RequestItems":{"abc":[{"PutRequest":{"Item":{"pk":{"S":"x"}}}},)"
            R"({"DeleteRequest":{"Key":{"pk":{"S":"y"}}}}]}})");
}

constexpr char kFullTable[] =
    R"({"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},)"
    R"({"AttributeName":"sk","AttributeType":"N"}],"TableName":"abc",)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},)"
    R"({"AttributeName":"sk","KeyType":"RANGE"}],"TableStatus":"UPDATING",)"
    R"("CreationDateTime":1700000000.123,"ProvisionedThroughput":)"
    R"({"LastIncreaseDateTime":1700000001.000,"LastDecreaseDateTime":1700000002.500,)"
    R"("NumberOfDecreasesToday":2,"ReadCapacityUnits":3,"WriteCapacityUnits":4},)"
    R"("OnDemandThroughput":{"MaxReadRequestUnits":-1,"MaxWriteRequestUnits":5},)"
    R"("BillingModeSummary":{"BillingMode":"PROVISIONED",)"
    R"("LastUpdateToPayPerRequestDateTime":1700000003.000},"TableSizeBytes":6,"ItemCount":7,)"
    R"("TableArn":"arn","TableId":"id","LocalSecondaryIndexes":[{"IndexName":"loc",)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
    R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["a","b"]},)"
    R"("IndexSizeBytes":8,"ItemCount":9,"IndexArn":"arn/loc"}],)"
    R"("GlobalSecondaryIndexes":[{"IndexName":"glob",)"
    R"("KeySchema":[{"AttributeName":"sk","KeyType":"HASH"}],)"
    R"("Projection":{"ProjectionType":"KEYS_ONLY"},"IndexSizeBytes":1,"ItemCount":2,)"
    R"("IndexArn":"arn/glob","IndexStatus":"CREATING","Backfilling":true,)"
    R"("ProvisionedThroughput":{"NumberOfDecreasesToday":0,)"
    R"("ReadCapacityUnits":5,"WriteCapacityUnits":6}}],)"
    R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"OLD_IMAGE"},)"
    R"("LatestStreamLabel":"label","LatestStreamArn":"arn/stream",)"
    R"("RestoreSummary":{"SourceBackupArn":"arn/backup","SourceTableArn":"arn/source",)"
    R"("RestoreDateTime":1700000005.000,"RestoreInProgress":true},)"
    R"("SSEDescription":{"Status":"ENABLED","SSEType":"KMS","KMSMasterKeyArn":"key"},)"
    R"("TableClassSummary":{"TableClass":"STANDARD_INFREQUENT_ACCESS",)"
    R"("LastUpdateDateTime":1700000004.000},"DeletionProtectionEnabled":true})";
constexpr char kPlainTable[] =
    R"({"AttributeDefinitions":[],"TableName":"abc","KeySchema":[],"TableStatus":"ACTIVE",)"
    R"("CreationDateTime":0.000,"ProvisionedThroughput":{"NumberOfDecreasesToday":0,)"
    R"("ReadCapacityUnits":0,"WriteCapacityUnits":0},"BillingModeSummary":)"
    R"({"BillingMode":"PAY_PER_REQUEST"},"TableSizeBytes":0,"ItemCount":0,"TableArn":"",)"
    R"("TableId":"","DeletionProtectionEnabled":false})";

TEST(ClientResponsesTest, TablesAndTagsArriveAsSent) {
  for (const char* const member : {"Table", "TableDescription"}) {
    ExpectSameResponses(
        DecodeTableResponse,
        [&](const TableResponse& response) { return EncodeTable(member, response); },
        {StrCat("{\"", member, "\":", kFullTable, "}"),
         StrCat("{\"", member, "\":", kPlainTable, "}")});
  }
  ExpectSameResponses(
      DecodeListTablesResponse, EncodeListTables,
      {R"({"TableNames":[]})", R"({"TableNames":["a","b"],"LastEvaluatedTableName":"b"})"});
  ExpectSameResponses(DecodeListTagsResponse, EncodeListTagsOfResource,
                      {R"({"Tags":[]})", R"({"Tags":[{"Key":"k","Value":"v"}],"NextToken":"t"})"});
  ExpectSameResponses(DecodeResourcePolicyResponse, EncodeResourcePolicyRevision,
                      {"{}", R"({"RevisionId":"1"})"});
  ExpectSameResponses(DecodeGetResourcePolicyResponse, EncodeGetResourcePolicy,
                      {R"({"Policy":"{\"a\": 1}","RevisionId":"1"})"});
  EXPECT_FALSE(DecodeGetResourcePolicyResponse("{}").ok());
  ExpectSameResponses(DecodeUpdateTimeToLiveResponse, EncodeUpdateTimeToLive,
                      {R"({"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":true}})",
                       R"({"TimeToLiveSpecification":{"AttributeName":"ttl","Enabled":false}})"});
  ExpectSameResponses(
      DecodeDescribeTimeToLiveResponse, EncodeDescribeTimeToLive,
      {R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})",
       R"({"TimeToLiveDescription":{"AttributeName":"ttl","TimeToLiveStatus":"DISABLING"}})",
       R"({"TimeToLiveDescription":{"AttributeName":"ttl","TimeToLiveStatus":"ENABLING"}})",
       R"({"TimeToLiveDescription":{"AttributeName":"ttl","TimeToLiveStatus":"ENABLED"}})"});
}

TEST(ClientRequestsTest, StreamsAndRecoveryArriveAsSent) {
  constexpr std::string_view kArn =
      "arn:aws:dynamodb:us-east-1:000000000000:table/abc/stream/2026-01-02T03:04:05.678";
  ExpectSameRequests<DecodeListStreams>(
      {"{}", StrCat(R"({"TableName":"abc","ExclusiveStartStreamArn":")", kArn, R"(","Limit":7})")});
  ExpectSameRequests<DecodeDescribeStream>(
      {StrCat(R"({"StreamArn":")", kArn, R"("})"),
       StrCat(R"({"StreamArn":")", kArn,
              R"(","ExclusiveStartShardId":"shardId-00000001-00000000000000000000","Limit":7})")});
  for (const char* const rest :
       {R"("TRIM_HORIZON"})", R"("LATEST"})",
        R"("AT_SEQUENCE_NUMBER","SequenceNumber":"123456789012345678901"})",
        R"("AFTER_SEQUENCE_NUMBER","SequenceNumber":"1234567890123456789012"})"}) {
    ExpectSameRequests<DecodeGetShardIterator>({StrCat(
        R"({"StreamArn":")", kArn,
        R"(","ShardId":"shardId-00000001-00000000000000000000","ShardIteratorType":)", rest)});
  }
  ExpectSameRequests<DecodeGetRecords>(
      {R"({"ShardIterator":"iterator"})", R"({"ShardIterator":"iterator","Limit":7})"});
  ExpectSameRequests<DecodeDescribeContinuousBackups>({R"({"TableName":"abc"})"});
  ExpectSameRequests<DecodeUpdateContinuousBackups>(
      {R"({"TableName":"abc","PointInTimeRecoverySpecification":)"
       R"({"PointInTimeRecoveryEnabled":false}})",
       R"({"TableName":"abc","PointInTimeRecoverySpecification":)"
       R"({"PointInTimeRecoveryEnabled":true,"RecoveryPeriodInDays":7}})"});
}

TEST(ClientResponsesTest, StreamsAndRecoveryArriveAsSent) {
  ExpectSameResponses(
      DecodeListStreamsResponse, EncodeListStreams,
      {R"({"Streams":[]})",
       R"({"Streams":[{"StreamArn":"arn","StreamLabel":"label","TableName":"abc"}],)"
       R"("LastEvaluatedStreamArn":"arn"})"});
  ExpectSameResponses(
      DecodeDescribeStreamResponse, EncodeDescribeStream,
      {R"({"StreamDescription":{"StreamArn":"arn","StreamLabel":"label","TableName":"abc",)"
       R"("StreamStatus":"DISABLED","StreamViewType":"NEW_AND_OLD_IMAGES",)"
       R"("CreationRequestDateTime":1700000000.123,)"
       R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
       R"("Shards":[{"ShardId":"a","SequenceNumberRange":{"StartingSequenceNumber":"1",)"
       R"("EndingSequenceNumber":"2"}},{"ShardId":"b","ParentShardId":"a",)"
       R"("SequenceNumberRange":{"StartingSequenceNumber":"3"}}],"LastEvaluatedShardId":"b"}})"});
  ExpectSameResponses(DecodeGetShardIteratorResponse, EncodeGetShardIterator,
                      {R"({"ShardIterator":"iterator"})"});
  ExpectSameResponses(
      DecodeGetRecordsResponse, EncodeGetRecords,
      {R"({"Records":[]})",
       R"({"Records":[{"eventID":"1","eventName":"REMOVE","eventVersion":"1.1",)"
       R"("eventSource":"aws:dynamodb","awsRegion":"us-east-1","dynamodb":)"
       R"({"ApproximateCreationDateTime":1700000000.000,"Keys":{"pk":{"S":"x"}},)"
       R"("NewImage":{"pk":{"S":"x"},"v":{"N":"2"}},"OldImage":{"pk":{"S":"x"},"v":{"N":"1"}},)"
       R"("SequenceNumber":"123","SizeBytes":10,"StreamViewType":"NEW_AND_OLD_IMAGES"},)"
       R"("userIdentity":{"PrincipalId":"dynamodb.amazonaws.com","Type":"Service"}}],)"
       R"("NextShardIterator":"next"})"});
  for (const char* const body : {R"({"Records":[{}]})", R"({"Records":[{"dynamodb":{}}]})",
                                 R"({"Records":[{"eventName":"OTHER","dynamodb":)"
                                 R"({"SequenceNumber":"1"}}]})"}) {
    EXPECT_FALSE(DecodeGetRecordsResponse(body).ok()) << body;
  }
  EXPECT_FALSE(DecodeGetShardIteratorResponse("{}").ok());
  EXPECT_FALSE(DecodeDescribeStreamResponse("{}").ok());
  EXPECT_FALSE(DecodeContinuousBackupsResponse("{}").ok());
  EXPECT_FALSE(DecodeContinuousBackupsResponse(
                   R"({"ContinuousBackupsDescription":{"PointInTimeRecoveryDescription":)"
                   R"({"PointInTimeRecoveryStatus":"DISABLED"}}})")
                   ->recovery);
  EXPECT_EQ(DecodeContinuousBackupsResponse(
                R"({"ContinuousBackupsDescription":{"PointInTimeRecoveryDescription":)"
                R"({"PointInTimeRecoveryStatus":"ENABLED","RecoveryPeriodInDays":7}}})")
                ->recovery->days,
            7);
}

// Answers outside the protocol are errors, and not a crash or a guess.
TEST(ClientResponsesTest, RefusesWhatIsNotTheProtocol) {
  const std::pair<std::string, std::string> rows[] = {
      {"<html>", "it is not JSON"},
      {"[]", "it is not JSON"},
      {R"({"Items":{}})", "Items has the wrong type"},
      {R"({"Items":[null]})", "an element of Items has the wrong type"},
      {R"({"Items":["x"]})", "an element of Items has the wrong type"},
      {R"({"Items":[{"a":"x"}]})", "Items is not made of attribute values"},
      {R"({"Items":[{"a":{"SS":"x"}}]})", "Items is not made of attribute values"},
      {R"({"Items":[{"a":{"B":"%"}}]})", "Items is not made of attribute values"},
      {R"({"Items":[{"a":{"N":"x"}}]})",
       "Items: The parameter cannot be converted to a numeric value: x"},
      {R"({"Items":[{"a":{}}]})",
       "Items: Supplied AttributeValue is empty, must contain exactly one of the supported "
       "datatypes"},
      {R"({"Count":"1"})", "Count has the wrong type"},
      {R"({"LastEvaluatedKey":[]})", "LastEvaluatedKey has the wrong type"},
      {R"({"ConsumedCapacity":[]})", "ConsumedCapacity has the wrong type"},
      {R"({"ConsumedCapacity":{"CapacityUnits":"x"}})", "CapacityUnits has the wrong type"},
  };
  for (const auto& [body, fault] : rows) {
    const auto response = DecodeReadResponse(body);
    ASSERT_FALSE(response.ok()) << body;
    EXPECT_EQ(response.error().kind(), ErrorKind::kUnavailable);
    EXPECT_EQ(response.error().message(), "The service's answer cannot be read: " + fault + ".");
  }
  for (const std::string_view body :
       {"{}", R"({"Table":[]})", R"({"Table":{"TableStatus":"ARCHIVED"}})",
        R"({"Table":{"CreationDateTime":1e300}})", R"({"Table":{"KeySchema":[1]}})",
        R"({"Table":{"AttributeDefinitions":[{"AttributeType":"Q"}]}})"}) {
    EXPECT_FALSE(DecodeTableResponse(body).ok()) << body;
  }
  EXPECT_FALSE(DecodeUpdateTimeToLiveResponse("{}").ok());
  for (const std::string_view body :
       {"{}", R"({"TimeToLiveDescription":{"TimeToLiveStatus":"MAYBE"}})"}) {
    EXPECT_FALSE(DecodeDescribeTimeToLiveResponse(body).ok()) << body;
  }
  EXPECT_FALSE(DecodeBatchWriteItemResponse(R"({"UnprocessedItems":{"abc":[{}]}})").ok());
  EXPECT_FALSE(
      DecodeWriteItemResponse(R"({"ItemCollectionMetrics":{"SizeEstimateRangeGB":[1]}})").ok());
}

// Every error that our server's side writes, with what it carries.
TEST(ClientErrorsTest, ErrorsArriveAsSent) {
  auto condition = std::make_shared<ConditionFailedDetail>();
  condition->item = Item::Of({{"pk", Value::String("x")}});
  auto cancellation = std::make_shared<CancellationDetail>();
  cancellation->reasons = {{"None", "", std::nullopt},
                           {"ConditionalCheckFailed", "The conditional request failed",
                            Item::Of({{"pk", Value::String("x")}})}};
  std::vector<Error> errors = {
      Error(ErrorKind::kConditionFailed, "The conditional request failed").WithDetail(condition),
      Error(reasons::kTransactionCanceled, "cancelled").WithDetail(cancellation),
  };
  for (int kind = 0; kind <= static_cast<int>(ErrorKind::kInternal); ++kind) {
    errors.emplace_back(static_cast<ErrorKind>(kind), "why");
  }
  errors.emplace_back(reasons::kSerialization, "why");
  errors.emplace_back(reasons::kTableNotFound, "why");
  errors.emplace_back(sigv4::reasons::kInvalidSignature, "why");
  for (const Error& error : errors) {
    const ErrorEntry& entry = ErrorEntryFor(error.reason());
    const std::string body = EncodeError(entry.exception, error);
    const Error answer = DecodeError(entry.status, body);
    EXPECT_EQ(answer.reason(), entry.reason) << body;
    EXPECT_EQ(EncodeError(entry.exception, answer), body);
  }
}

// What others answer with.
TEST(ClientErrorsTest, JudgesStrangersByTheirStatus) {
  const struct {
    int status;
    std::string_view body;
    ErrorKind kind;
    RetryAdvice retry;
  } rows[] = {
      {400, R"({"__type":"ProvisionedThroughputExceededException","message":"x"})",
       ErrorKind::kOverloaded, RetryAdvice::kRefused},
      {400, R"({"__type":"a.b#NewException"})", ErrorKind::kValidation, RetryAdvice::kNever},
      {403, "<html>", ErrorKind::kAccessDenied, RetryAdvice::kNever},
      {413, "", ErrorKind::kRequestTooLarge, RetryAdvice::kNever},
      {429, "", ErrorKind::kOverloaded, RetryAdvice::kRefused},
      {301, "", ErrorKind::kValidation, RetryAdvice::kNever},
      {502, "<html>", ErrorKind::kUnavailable, RetryAdvice::kOutcomeOpen},
      {500, R"({"__type":[]})", ErrorKind::kUnavailable, RetryAdvice::kOutcomeOpen},
      {400, R"({"__type":"ConditionalCheckFailedException","Item":[]})", ErrorKind::kUnavailable,
       RetryAdvice::kOutcomeOpen},
  };
  for (const auto& row : rows) {
    const Error answer = DecodeError(row.status, row.body);
    EXPECT_EQ(answer.kind(), row.kind) << row.status << row.body;
    EXPECT_EQ(RetryAdviceFor(answer), row.retry) << row.status << row.body;
  }
  EXPECT_EQ(DecodeError(400, R"({"__type":"a.b#NewException","Message":"so"})").message(),
            "The service answered with HTTP status 400: a.b#NewException: so");
}

}  // namespace
}  // namespace tintype::tables::wire
