#include "http/dynamodb/dispatch.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "access/policy/builtin_policies.h"
#include "access/testing/fake_facts.h"
#include "base/clock.h"
#include "base/strings.h"
#include "http/dynamodb/testing/fake_backups.h"
#include "http/dynamodb/testing/fake_database.h"
#include "http/dynamodb/testing/fake_streams.h"
#include "http/dynamodb/testing/fake_transfers.h"
#include "tables/language/errors.h"

namespace tintype::http::dynamodb {
namespace {

using testing::FakeBackups;
using testing::FakeDatabase;
using testing::FakeStreams;
using testing::FakeTransfers;

Reply Call(const Services& services, std::string_view operation, std::string_view body) {
  std::optional<Reply> reply;
  Dispatch(services, {.operation = operation, .body = body, .host = "localhost:8000"},
           [&reply](Reply given) { reply = std::move(given); });
  EXPECT_TRUE(reply) << operation;
  return reply ? *reply : Reply{};
}
Reply Call(FakeDatabase& database, std::string_view operation, std::string_view body) {
  return Call(Services{database, nullptr, nullptr}, operation, body);
}

struct DispatchCase {
  std::string operation;  // Also the name of the method.
  std::string body;
};

std::vector<DispatchCase> TableCases() {
  const std::string key = R"("Key":{"pk":{"S":"a"}})";
  const std::string arn = R"("ResourceArn":"arn:aws:dynamodb:us-east-1:000000000000:table/photos")";
  const std::string table = R"({"TableName":"photos")";
  return {
      {"GetItem", table + "," + key + "}"},
      {"PutItem", table + R"(,"Item":{"pk":{"S":"a"}}})"},
      {"DeleteItem", table + "," + key + "}"},
      {"UpdateItem", table + "," + key + "}"},
      {"BatchGetItem", R"({"RequestItems":{"photos":{"Keys":[{"pk":{"S":"a"}}]}}})"},
      {"BatchWriteItem",
       R"({"RequestItems":{"photos":[{"PutRequest":{"Item":{"pk":{"S":"a"}}}}]}})"},
      {"TransactGetItems", R"({"TransactItems":[{"Get":)" + table + "," + key + "}}]}"},
      {"TransactWriteItems", R"({"TransactItems":[{"Delete":)" + table + "," + key + "}}]}"},
      {"Query",
       table +
           R"(,"KeyConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"a"}}})"},
      {"Scan", table + "}"},
      {"CreateTable", table +
                          R"(,"AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
                          R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
                          R"("BillingMode":"PAY_PER_REQUEST"})"},
      {"UpdateTable", table + R"(,"BillingMode":"PAY_PER_REQUEST"})"},
      {"DeleteTable", table + "}"},
      {"DescribeTable", table + "}"},
      {"ListTables", "{}"},
      {"TagResource", "{" + arn + R"(,"Tags":[{"Key":"a","Value":"b"}]})"},
      {"UntagResource", "{" + arn + R"(,"TagKeys":["a"]})"},
      {"ListTagsOfResource", "{" + arn + "}"},
      {"PutResourcePolicy",
       "{" + arn +
           R"(,"Policy":"{\"Statement\":{\"Effect\":\"Allow\",\"Principal\":\"*\",)"
           R"(\"Action\":\"dynamodb:GetItem\",\"Resource\":\"*\"}}"})"},
      {"GetResourcePolicy", "{" + arn + "}"},
      {"DeleteResourcePolicy", "{" + arn + "}"},
      {"UpdateTimeToLive",
       table + R"(,"TimeToLiveSpecification":{"Enabled":true,"AttributeName":"ttl"}})"},
      {"DescribeTimeToLive", table + "}"},
  };
}

std::vector<DispatchCase> StreamCases() {
  const std::string arn =
      R"({"StreamArn":"arn:aws:dynamodb:us-east-1:000000000000:table/photos/stream/1")";
  return {
      {"ListStreams", "{}"},
      {"DescribeStream", arn + "}"},
      {"GetShardIterator",
       arn + R"(,"ShardId":"shardId-0000000000000000-0001","ShardIteratorType":"LATEST"})"},
      {"GetRecords", R"({"ShardIterator":"x"})"},
  };
}

std::vector<DispatchCase> BackupCases() {
  const std::string table = R"({"TableName":"photos")";
  const std::string table_arn = "arn:aws:dynamodb:us-east-1:000000000000:table/photos";
  const std::string backup = R"({"BackupArn":")" + table_arn + R"(/backup/1")";
  return {
      {"CreateBackup", table + R"(,"BackupName":"one"})"},
      {"DescribeBackup", backup + "}"},
      {"DeleteBackup", backup + "}"},
      {"ListBackups", "{}"},
      {"RestoreTableFromBackup", backup + R"(,"TargetTableName":"new"})"},
      {"UpdateContinuousBackups",
       table + R"(,"PointInTimeRecoverySpecification":{"PointInTimeRecoveryEnabled":true}})"},
      {"DescribeContinuousBackups", table + "}"},
      {"RestoreTableToPointInTime",
       R"({"SourceTableName":"photos","TargetTableName":"new","UseLatestRestorableTime":true})"},
  };
}

std::vector<DispatchCase> TransferCases() {
  const std::string table_arn = "arn:aws:dynamodb:us-east-1:000000000000:table/photos";
  return {
      {"ExportTableToPointInTime", R"({"S3Bucket":"bucket","TableArn":")" + table_arn + "\"}"},
      {"DescribeExport", R"({"ExportArn":")" + table_arn + "/export/1\"}"},
      {"ListExports", "{}"},
      {"ImportTable",
       R"({"InputFormat":"DYNAMODB_JSON","S3BucketSource":{"S3Bucket":"bucket"},)"
       R"("TableCreationParameters":{"TableName":"new","BillingMode":"PAY_PER_REQUEST",)"
       R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
       R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]}})"},
      {"DescribeImport", R"({"ImportArn":")" + table_arn + "/import/1\"}"},
      {"ListImports", "{}"},
  };
}

// Proves that every operation reaches its method, and nothing else, and that its answer is a
// success.
TEST(DispatchTest, PassesEachOperationToItsService) {
  const std::vector<DispatchCase> groups[] = {TableCases(), StreamCases(), BackupCases(),
                                              TransferCases()};
  size_t count = 0;
  for (size_t group = 0; group < std::size(groups); ++group) {
    for (const DispatchCase& test : groups[group]) {
      FakeDatabase database;
      FakeStreams streams;
      FakeBackups backups;
      FakeTransfers transfers;
      const Reply reply =
          Call({database, &streams, &backups, &transfers}, test.operation, test.body);
      EXPECT_EQ(reply.status, 200) << test.operation << reply.body;
      const std::vector<std::string> calls[] = {database.calls, streams.calls, backups.calls,
                                                transfers.calls};
      for (size_t other = 0; other < std::size(groups); ++other) {
        EXPECT_EQ(calls[other], other == group ? std::vector<std::string>{test.operation}
                                               : std::vector<std::string>{})
            << test.operation;
      }
      const auto index = OperationIndex(test.operation);
      ASSERT_TRUE(index) << test.operation;
      EXPECT_EQ(ApiOf(*index), group == 1 ? kStreamsApi : kTablesApi) << test.operation;
      ++count;
    }
  }
  // The two below need no service.
  EXPECT_EQ(count + 2, OperationNames().size());
}

std::vector<DispatchCase> AllCases() {
  std::vector<DispatchCase> all = {{"DescribeLimits", "{}"}, {"DescribeEndpoints", "{}"}};
  for (const auto& cases : {TableCases(), StreamCases(), BackupCases(), TransferCases()}) {
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

/// The answer to each operation of a caller, with what reached the services.
class DecisionTest : public ::testing::Test {
 protected:
  Reply Ask(const access::TableCaller& caller, const access::TableAccessConfig& config,
            const DispatchCase& test) {
    FakeDatabase database;
    FakeStreams streams;
    FakeBackups backups;
    FakeTransfers transfers;
    const access::TableAccess access(config, facts_, clock_);
    std::optional<Reply> reply;
    Dispatch(
        {database, &streams, &backups, &transfers, &access},
        {.operation = test.operation, .body = test.body, .host = "localhost", .caller = &caller},
        [&reply](Reply given) { reply = std::move(given); });
    reached_ = database.calls.size() + streams.calls.size() + backups.calls.size() +
               transfers.calls.size();
    return reply.value_or(Reply{});
  }

  static access::TableCaller CallerWith(std::string_view policy) {
    access::TableCaller caller;
    caller.principal.kind = access::PrincipalKind::kAccessKey;
    caller.name = "app";
    caller.policy = access::Policy::Parse(policy).value();
    return caller;
  }

  access::testing::FakeFacts facts_;
  FakeClock clock_{1794744000000};
  size_t reached_ = 0;
};

// Proves that no operation is carried out, or answered, for a key whose policy allows another one
// alone, and each for a key whose policy allows just that one.
TEST_F(DecisionTest, EachOperationIsDecidedOn) {
  ASSERT_EQ(AllCases().size(), OperationNames().size());
  const access::TableCaller other = CallerWith(
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:Other",)"
      R"("Resource":"*"}})");
  for (const DispatchCase& test : AllCases()) {
    const Reply denied = Ask(other, {}, test);
    EXPECT_EQ(denied.status, 400) << test.operation;
    EXPECT_NE(denied.body.find("#AccessDeniedException"), std::string::npos)
        << test.operation << denied.body;
    EXPECT_EQ(reached_, 0U) << test.operation;

    const std::string action = test.operation == "TransactGetItems"     ? "GetItem"
                               : test.operation == "TransactWriteItems" ? "DeleteItem"
                                                                        : test.operation;
    const access::TableCaller allowed = CallerWith(
        StrCat(R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"dynamodb:)",
               action, R"(","Resource":"*"}})"));
    EXPECT_EQ(Ask(allowed, {}, test).status, 200) << test.operation;
  }
}

// Proves of each policy that comes with the product, for every operation, that it allows what it
// says and nothing else.
TEST_F(DecisionTest, PoliciesThatComeAlongAllowWhatTheySay) {
  const std::set<std::string> changes = {"PutItem",
                                         "DeleteItem",
                                         "UpdateItem",
                                         "BatchWriteItem",
                                         "TransactWriteItems",
                                         "CreateTable",
                                         "UpdateTable",
                                         "DeleteTable",
                                         "TagResource",
                                         "UntagResource",
                                         "PutResourcePolicy",
                                         "DeleteResourcePolicy",
                                         "UpdateTimeToLive",
                                         "CreateBackup",
                                         "DeleteBackup",
                                         "RestoreTableFromBackup",
                                         "UpdateContinuousBackups",
                                         "RestoreTableToPointInTime",
                                         "ExportTableToPointInTime",
                                         "ImportTable"};
  const access::TableCaller admin = CallerWith(access::AdminPolicyDocument());
  const access::TableCaller read_only = CallerWith(access::ReadOnlyPolicyDocument());
  const std::vector<std::string> product = {"photos"};
  const access::TableCaller tables = CallerWith(access::TablesPolicyDocument(product).value());
  size_t changes_tried = 0;
  for (const DispatchCase& test : AllCases()) {
    const bool is_change = changes.contains(test.operation);
    changes_tried += is_change ? 1 : 0;
    EXPECT_EQ(Ask(admin, {}, test).status, 200) << test.operation;
    EXPECT_EQ(Ask(read_only, {}, test).status, is_change ? 400 : 200) << test.operation;
    const bool names_photos = test.body.find("photos") != std::string::npos ||
                              test.operation == "GetRecords";  // By its iterator.
    EXPECT_EQ(Ask(tables, {}, test).status, names_photos ? 400 : 200) << test.operation;
  }
  EXPECT_EQ(changes_tried, changes.size());
}

// Proves that whatever names a reserved table is refused to everybody but the root key, and that a
// request for any other table is not.
TEST_F(DecisionTest, ReservedTablesAnswerTheRootKey) {
  access::TableCaller root;
  root.principal.kind = access::PrincipalKind::kRootKey;
  const access::TableCaller admin = CallerWith(
      R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*","Resource":"*"}})");
  for (const DispatchCase& test : AllCases()) {
    const bool names_photos = test.body.find("photos") != std::string::npos ||
                              test.operation == "GetRecords";  // By its iterator.
    const access::TableAccessConfig reserved{.system_tables = {"photos"}, .audit_table = {}};
    EXPECT_EQ(Ask(admin, reserved, test).status, names_photos ? 400 : 200) << test.operation;
    EXPECT_EQ(Ask(root, reserved, test).status, 200) << test.operation;
  }
}

// Proves that a list of tables leaves out the audit, whose name is not for the API.
TEST_F(DecisionTest, TheAuditIsNotListed) {
  access::TableCaller root;
  root.principal.kind = access::PrincipalKind::kRootKey;
  const access::TableAccessConfig config{.system_tables = {}, .audit_table = "second"};
  EXPECT_EQ(Ask(root, config, {"ListTables", "{}"}).body, R"({"TableNames":["first"]})");
}

// Proves that a database without streams, backups and transfers says so for each of their
// operations.
TEST(DispatchTest, DoesNotKnowTheOperationsOfMissingServices) {
  FakeDatabase database;
  for (const auto& cases : {StreamCases(), BackupCases(), TransferCases()}) {
    for (const DispatchCase& test : cases) {
      const Reply reply = Call(database, test.operation, test.body);
      EXPECT_EQ(reply.status, 400) << test.operation;
      EXPECT_EQ(reply.body,
                StrCat(R"({"__type":"com.amazon.coral.service#UnknownOperationException",)",
                       R"("message":"The operation )", test.operation, R"( is not supported."})"));
    }
  }
  EXPECT_TRUE(database.calls.empty());
}

// Proves that the bodies which are written here are what AWS documents.
TEST(DispatchTest, AnswersWithoutDatabase) {
  FakeDatabase database;
  EXPECT_EQ(Call(database, "DescribeLimits", "{}").body,
            R"({"AccountMaxReadCapacityUnits":80000,"AccountMaxWriteCapacityUnits":80000,)"
            R"("TableMaxReadCapacityUnits":40000,"TableMaxWriteCapacityUnits":40000})");
  EXPECT_EQ(Call(database, "DescribeEndpoints", "{}").body,
            R"({"Endpoints":[{"Address":"localhost:8000","CachePeriodInMinutes":1440}]})");
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
  Dispatch({database, nullptr, nullptr},
           {.operation = "DescribeEndpoints", .body = "{}", .host = "a\"b\\c:1"},
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
  for (const std::string operation : {"", "getItem", "GetItems", "ExecuteStatement", "~", "A"}) {
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

  FakeStreams streams;
  streams.error = Error(tables::reasons::kExpiredIterator, "Iterator expired");
  EXPECT_EQ(Call({database, &streams, nullptr}, "GetRecords", R"({"ShardIterator":"x"})").body,
            R"({"__type":"com.amazonaws.dynamodb.v20120810#ExpiredIteratorException",)"
            R"("message":"Iterator expired"})");
  FakeBackups backups;
  backups.error = Error(tables::reasons::kTableNotFound, "Table not found: photos");
  EXPECT_EQ(
      Call({database, nullptr, &backups}, "DescribeContinuousBackups", R"({"TableName":"photos"})")
          .body,
      R"({"__type":"com.amazonaws.dynamodb.v20120810#TableNotFoundException",)"
      R"("message":"Table not found: photos"})");
}

}  // namespace
}  // namespace tintype::http::dynamodb
