#include "http/dynamodb/dispatch.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "http/dynamodb/testing/fake_database.h"

namespace tintype::http::dynamodb {
namespace {

using testing::FakeDatabase;

Reply Call(FakeDatabase& database, std::string_view operation, std::string_view body) {
  std::optional<Reply> reply;
  Dispatch(database, {.operation = operation, .body = body, .host = "localhost:8000"},
           [&reply](Reply given) { reply = std::move(given); });
  EXPECT_TRUE(reply) << operation;
  return reply ? *reply : Reply{};
}

struct DispatchCase {
  std::string operation;
  std::string body;
  std::string method;  // Of Database.
};

// Proves that every operation reaches its method and that its answer is a success.
TEST(DispatchTest, PassesEachOperationToTheDatabase) {
  const std::string key = R"("Key":{"pk":{"S":"a"}})";
  const std::string arn = R"("ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/photos")";
  const std::string table = R"({"TableName":"photos")";
  const std::vector<DispatchCase> cases = {
      {"GetItem", table + "," + key + "}", "GetItem"},
      {"PutItem", table + R"(,"Item":{"pk":{"S":"a"}}})", "PutItem"},
      {"DeleteItem", table + "," + key + "}", "DeleteItem"},
      {"UpdateItem", table + "," + key + "}", "UpdateItem"},
      {"BatchGetItem", R"({"RequestItems":{"photos":{"Keys":[{"pk":{"S":"a"}}]}}})",
       "BatchGetItem"},
      {"BatchWriteItem",
       R"({"RequestItems":{"photos":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]}})",
       "BatchWriteItem"},
      {"TransactGetItems", R"({"TransactItems":[{"Get":)" + table + "," + key + "}}]}",
       "TransactGetItems"},
      {"TransactWriteItems", R"({"TransactItems":[{"Delete":)" + table + "," + key + "}}]}",
       "TransactWriteItems"},
      {"Query",
       table +
           R"(,"KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"a"}}})",
       "Query"},
      {"Scan", table + "}", "Scan"},
      {"CreateTable",
       table + R"(,"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
               R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
               R"("BillingMode":"PAY_PER_REQUEST"})",
       "CreateTable"},
      {"UpdateTable", table + R"(,"BillingMode":"PAY_PER_REQUEST"})", "UpdateTable"},
      {"DeleteTable", table + "}", "DeleteTable"},
      {"DescribeTable", table + "}", "DescribeTable"},
      {"ListTables", "{}", "ListTables"},
      {"TagResource", "{" + arn + R"(,"Tags":[{"Key":"a","Value":"b"}]})", "TagResource"},
      {"UntagResource", "{" + arn + R"(,"TagKeys":["a"]})", "UntagResource"},
      {"ListTagsOfResource", "{" + arn + "}", "ListTagsOfResource"},
      {"DescribeTimeToLive", table + "}", "DescribeTable"},
      {"DescribeContinuousBackups", table + "}", "DescribeTable"},
  };
  for (const DispatchCase& test : cases) {
    FakeDatabase database;
    const Reply reply = Call(database, test.operation, test.body);
    EXPECT_EQ(reply.status, 200) << test.operation << reply.body;
    EXPECT_EQ(database.calls, std::vector<std::string>{test.method}) << test.operation;
  }
  // The two below need no database.
  EXPECT_EQ(cases.size() + 2, OperationNames().size());
}

// Proves that the bodies which are written here are what AWS documents.
TEST(DispatchTest, AnswersWithoutDatabase) {
  FakeDatabase database;
  EXPECT_EQ(Call(database, "DescribeLimits", "{}").body,
            R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,)"
            R"("TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000})");
  EXPECT_EQ(Call(database, "DescribeEndpoints", "{}").body,
            R"({"Endpoints":[{"Address":"localhost:8000","CachePeriodInMinutes":1440}]})");
  EXPECT_EQ(Call(database, "DescribeTimeToLive", R"({"TableName":"photos"})").body,
            R"({"TimeToLiveDescription":{"TimeToLiveStatus":"DISABLED"}})");
  EXPECT_EQ(Call(database, "TagResource",
                 R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/photos",)"
                 R"("Tags":[{"Key":"a","Value":"b"}]})")
                .body,
            "");
}

// Proves that what the client sent as its host cannot break out of the JSON.
TEST(DispatchTest, DescribeEndpointsDropsForeignCharactersOfHost) {
  FakeDatabase database;
  std::string body;
  Dispatch(database, {.operation = "DescribeEndpoints", .body = "{}", .host = "a\"b\\c:1"},
           [&body](const Reply& reply) { body = reply.body; });
  EXPECT_EQ(body, R"({"Endpoints":[{"Address":"abc:1","CachePeriodInMinutes":1440}]})");
}

// Proves that keys left unprocessed come back with the way they were to be read.
TEST(DispatchTest, BatchGetItemRepeatsUnprocessedKeys) {
  FakeDatabase database;
  database.unprocessed = {{.table_index = 0, .keys = {}}};
  const Reply reply =
      Call(database, "BatchGetItem",
           R"({"RequestItems":{"photos":{"Keys":[{"pk":{"S":"a"}}],"ConsistentRead":true}}})");
  EXPECT_NE(reply.body.find(R"("UnprocessedKeys":{"photos":{)"), std::string::npos) << reply.body;
  EXPECT_NE(reply.body.find(R"("ConsistentRead":true)"), std::string::npos) << reply.body;
}

// Proves that a request that cannot be decoded does not reach the database.
TEST(DispatchTest, ReportsBadRequests) {
  FakeDatabase database;
  const Reply not_json = Call(database, "GetItem", "{");
  EXPECT_EQ(not_json.status, 400);
  EXPECT_NE(not_json.body.find("com.amazon.coral.service#SerializationException"),
            std::string::npos);
  const Reply no_table = Call(database, "GetItem", "{}");
  EXPECT_EQ(no_table.status, 400);
  EXPECT_NE(no_table.body.find("#ValidationException"), std::string::npos) << no_table.body;
  EXPECT_TRUE(database.calls.empty());
}

// Proves that operations of which we know nothing are told so by name.
TEST(DispatchTest, RefusesUnknownOperations) {
  FakeDatabase database;
  for (const std::string operation : {"", "getItem", "GetItems", "CreateBackup", "~", "A"}) {
    const Reply reply = Call(database, operation, "{}");
    EXPECT_EQ(reply.status, 400) << operation;
    EXPECT_NE(reply.body.find("com.amazon.coral.service#UnknownOperationException"),
              std::string::npos);
  }
}

// Proves that the database's errors become DynamoDB's exceptions, and that faults of ours keep
// their details for the log.
TEST(DispatchTest, ReportsDatabaseErrors) {
  FakeDatabase database;
  database.error = Error::NotFound("Requested resource not found");
  const Reply missing = Call(database, "Scan", R"({"TableName":"photos"})");
  EXPECT_EQ(missing.status, 400);
  EXPECT_EQ(missing.body,
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",)"
            R"("message":"Requested resource not found"})");

  database.error = Error::Corruption("/data/tables/000012.sst is damaged");
  const Reply fault = Call(database, "Scan", R"({"TableName":"photos"})");
  EXPECT_EQ(fault.status, 500);
  EXPECT_EQ(fault.body.find("000012"), std::string::npos) << fault.body;
  ASSERT_TRUE(fault.error);
  EXPECT_EQ(fault.error->message(), "/data/tables/000012.sst is damaged");
}

}  // namespace
}  // namespace tintype::http::dynamodb
