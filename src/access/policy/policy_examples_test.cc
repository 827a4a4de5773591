// Policies as people write them: those of DynamoDB's developer guide for fine-grained access, in
// our own words, the one that media2cloud's design prints, and those that come with the product.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/specifying-conditions.html

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "access/policy/builtin_policies.h"
#include "access/policy/internal/test_policy.h"
#include "base/strings.h"
#include "base/time_text.h"

namespace tintype::access {
namespace {

using internal::Decide;
using internal::kTestIndex;
using internal::kTestTable;
using internal::TestPolicy;

/// A request with leading keys and attributes, which it keeps.
struct Request {
  explicit Request(std::string_view of) : action(of) {}
  Request& On(std::string_view arn) {
    resource = arn;
    return *this;
  }
  Request& Keys(std::vector<std::string_view> names) {
    keys = std::move(names);
    return *this;
  }
  Request& Attributes(std::vector<std::string_view> names) {
    attributes = std::move(names);
    return *this;
  }
  Request& Select(std::string_view text) {
    context.select = text;
    return *this;
  }
  Request& ReturnValues(std::string_view text) {
    context.return_values = text;
    return *this;
  }

  Verdict By(const Policy& policy) {
    context.leading_keys = keys;
    context.attributes = attributes;
    context.username = "ada";
    return Decide(policy, action, resource, context);
  }
  bool AllowedBy(const Policy& policy) { return By(policy) == Verdict::kAllowed; }

  std::string_view action;
  std::string_view resource = kTestTable;
  std::vector<std::string_view> keys;
  std::vector<std::string_view> attributes;
  PolicyContext context;
};

// Proves that a player reaches items under the own name alone: one, a batch, or a query.
TEST(PolicyExamplesTest, OwnItemsAlone) {
  const Policy policy = TestPolicy(R"({"Version":"2012-10-17","Statement":[{
      "Sid":"OwnItems","Effect":"Allow",
      "Action":["dynamodb:GetItem","dynamodb:BatchGetItem","dynamodb:Query","dynamodb:PutItem",
                "dynamodb:UpdateItem","dynamodb:DeleteItem","dynamodb:BatchWriteItem"],
      "Resource":["arn:aws:dynamodb:us-east-1:000000000000:table/GameScores"],
      "Condition":{"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["${aws:username}"]}}}]})");
  EXPECT_TRUE(Request("dynamodb:GetItem").Keys({"ada"}).AllowedBy(policy));
  EXPECT_TRUE(Request("dynamodb:BatchWriteItem").Keys({"ada", "ada"}).AllowedBy(policy));
  EXPECT_FALSE(Request("dynamodb:GetItem").Keys({"bob"}).AllowedBy(policy));
  EXPECT_FALSE(Request("dynamodb:BatchGetItem").Keys({"ada", "bob"}).AllowedBy(policy));
  // Scan is not listed: it has no leading keys, for which ForAllValues would hold.
  EXPECT_FALSE(Request("dynamodb:Scan").AllowedBy(policy));
  EXPECT_FALSE(Request("dynamodb:Query").On(kTestIndex).Keys({"ada"}).AllowedBy(policy));
}

// Proves that only listed attributes are read and written, and that nothing returns all of them.
TEST(PolicyExamplesTest, ListedAttributesAlone) {
  const Policy policy = TestPolicy(R"({"Version":"2012-10-17","Statement":[{
      "Sid":"TwoAttributes","Effect":"Allow",
      "Action":["dynamodb:UpdateItem","dynamodb:GetItem","dynamodb:Query","dynamodb:BatchGetItem",
                "dynamodb:Scan"],
      "Resource":["arn:aws:dynamodb:us-east-1:000000000000:table/GameScores"],
      "Condition":{
        "ForAllValues:StringEquals":{"dynamodb:Attributes":["UserId","TopScore"]},
        "StringEqualsIfExists":{"dynamodb:Select":"SPECIFIC_ATTRIBUTES",
          "dynamodb:ReturnValues":["NONE","UPDATED_OLD","UPDATED_NEW"]}}}]})");
  EXPECT_TRUE(Request("dynamodb:GetItem").Attributes({"UserId", "TopScore"}).AllowedBy(policy));
  EXPECT_FALSE(Request("dynamodb:GetItem").Attributes({"UserId", "Wins"}).AllowedBy(policy));
  EXPECT_TRUE(Request("dynamodb:Scan")
                  .Attributes({"TopScore"})
                  .Select("SPECIFIC_ATTRIBUTES")
                  .AllowedBy(policy));
  EXPECT_FALSE(Request("dynamodb:Scan").Select("ALL_ATTRIBUTES").AllowedBy(policy));
  EXPECT_TRUE(Request("dynamodb:UpdateItem")
                  .Attributes({"UserId", "TopScore"})
                  .ReturnValues("UPDATED_NEW")
                  .AllowedBy(policy));
  EXPECT_FALSE(Request("dynamodb:UpdateItem")
                   .Attributes({"UserId", "TopScore"})
                   .ReturnValues("ALL_NEW")
                   .AllowedBy(policy));
  // It would replace attributes that are not listed.
  EXPECT_FALSE(Request("dynamodb:PutItem").Attributes({"UserId", "TopScore"}).AllowedBy(policy));
}

// Proves that certain attributes cannot be updated, while others can.
TEST(PolicyExamplesTest, CertainAttributesStay) {
  const Policy policy = TestPolicy(R"({"Version":"2012-10-17","Statement":[{
      "Sid":"NoFreeGames","Effect":"Allow","Action":["dynamodb:UpdateItem"],
      "Resource":"arn:aws:dynamodb:us-east-1:000000000000:table/GameScores",
      "Condition":{
        "ForAllValues:StringNotLike":{"dynamodb:Attributes":["FreeGames*","BossLevelUnlocked"]},
        "StringEquals":{"dynamodb:ReturnValues":["NONE","UPDATED_OLD","UPDATED_NEW"]}}}]})");
  EXPECT_TRUE(Request("dynamodb:UpdateItem")
                  .Attributes({"UserId", "Wins"})
                  .ReturnValues("NONE")
                  .AllowedBy(policy));
  EXPECT_FALSE(Request("dynamodb:UpdateItem")
                   .Attributes({"Wins", "BossLevelUnlocked"})
                   .ReturnValues("NONE")
                   .AllowedBy(policy));
  EXPECT_FALSE(Request("dynamodb:UpdateItem")
                   .Attributes({"FreeGamesAvailable"})
                   .ReturnValues("NONE")
                   .AllowedBy(policy));
  EXPECT_FALSE(Request("dynamodb:UpdateItem")
                   .Attributes({"Wins"})
                   .ReturnValues("ALL_OLD")
                   .AllowedBy(policy));
}

// Proves that attributes can be forbidden by name, whatever else is allowed.
TEST(PolicyExamplesTest, ForbiddenAttributes) {
  const Policy policy = TestPolicy(R"({"Version":"2012-10-17","Statement":[
      {"Effect":"Allow","Action":"dynamodb:*","Resource":"*"},
      {"Sid":"NoIds","Effect":"Deny","Action":"dynamodb:PutItem",
       "Resource":"arn:aws:dynamodb:*:*:table/GameScores","Condition":{
         "ForAnyValue:StringEquals":{"dynamodb:Attributes":["ID","PostDateTime"]}}}]})");
  EXPECT_EQ(Request("dynamodb:PutItem").Attributes({"PostDateTime", "Message"}).By(policy),
            Verdict::kDeniedExplicitly);
  EXPECT_TRUE(Request("dynamodb:PutItem").Attributes({"UserName"}).AllowedBy(policy));
  EXPECT_TRUE(Request("dynamodb:GetItem").Attributes({"ID"}).AllowedBy(policy));
}

// Proves that queries go to one index alone, for attributes that it has.
TEST(PolicyExamplesTest, OneIndexAlone) {
  const Policy some = TestPolicy(R"({"Version":"2012-10-17","Statement":[{
      "Sid":"SomeOfIndex","Effect":"Allow","Action":["dynamodb:Query"],"Resource":[
        "arn:aws:dynamodb:us-east-1:000000000000:table/GameScores/index/TopScoreDateTimeIndex"],
      "Condition":{
        "ForAllValues:StringEquals":{"dynamodb:Attributes":["TopScoreDateTime","GameTitle","Wins"]},
        "StringEquals":{"dynamodb:Select":"SPECIFIC_ATTRIBUTES"}}}]})");
  const auto query = [] { return Request("dynamodb:Query").Attributes({"GameTitle", "Wins"}); };
  EXPECT_TRUE(query().On(kTestIndex).Select("SPECIFIC_ATTRIBUTES").AllowedBy(some));
  EXPECT_FALSE(query().Select("SPECIFIC_ATTRIBUTES").AllowedBy(some));
  EXPECT_FALSE(query().On(kTestIndex).Select("ALL_PROJECTED_ATTRIBUTES").AllowedBy(some));
  EXPECT_FALSE(query().On(kTestIndex).AllowedBy(some));
  EXPECT_FALSE(Request("dynamodb:Query")
                   .On(kTestIndex)
                   .Attributes({"Losses"})
                   .Select("SPECIFIC_ATTRIBUTES")
                   .AllowedBy(some));

  const Policy all = TestPolicy(R"({"Version":"2012-10-17","Statement":[{
      "Sid":"AllOfIndex","Effect":"Allow","Action":["dynamodb:Query"],"Resource":[
        "arn:aws:dynamodb:us-east-1:000000000000:table/GameScores/index/TopScoreDateTimeIndex"],
      "Condition":{"StringEquals":{"dynamodb:Select":"ALL_PROJECTED_ATTRIBUTES"}}}]})");
  EXPECT_TRUE(
      Request("dynamodb:Query").On(kTestIndex).Select("ALL_PROJECTED_ATTRIBUTES").AllowedBy(all));
  EXPECT_FALSE(Request("dynamodb:Query").On(kTestIndex).Select("COUNT").AllowedBy(all));
}

// Proves that keys, attributes and results are bounded together, on a table and its index.
TEST(PolicyExamplesTest, OwnItemsAndListedAttributes) {
  const Policy policy = TestPolicy(R"({"Version":"2012-10-17","Statement":[{
      "Sid":"OwnAndListed","Effect":"Allow",
      "Action":["dynamodb:UpdateItem","dynamodb:GetItem","dynamodb:Query","dynamodb:BatchGetItem"],
      "Resource":["arn:aws:dynamodb:us-east-1:000000000000:table/GameScores",
        "arn:aws:dynamodb:us-east-1:000000000000:table/GameScores/index/TopScoreDateTimeIndex"],
      "Condition":{
        "ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["${aws:username}"],
          "dynamodb:Attributes":["attribute-A","attribute-B"]},
        "StringEqualsIfExists":{"dynamodb:Select":"SPECIFIC_ATTRIBUTES",
          "dynamodb:ReturnValues":["NONE","UPDATED_OLD","UPDATED_NEW"]}}}]})");
  EXPECT_TRUE(Request("dynamodb:Query")
                  .On(kTestIndex)
                  .Keys({"ada"})
                  .Attributes({"attribute-A"})
                  .Select("SPECIFIC_ATTRIBUTES")
                  .AllowedBy(policy));
  EXPECT_FALSE(
      Request("dynamodb:GetItem").Keys({"bob"}).Attributes({"attribute-A"}).AllowedBy(policy));
  EXPECT_FALSE(
      Request("dynamodb:GetItem").Keys({"ada"}).Attributes({"attribute-C"}).AllowedBy(policy));
}

// Proves that a key can be bound to days, to networks and to TLS.
TEST(PolicyExamplesTest, BoundToTimeAndPlace) {
  const Policy policy = TestPolicy(R"({"Version":"2012-10-17","Statement":[
      {"Effect":"Allow","Action":"dynamodb:*","Resource":"*","Condition":{
        "DateGreaterThan":{"aws:CurrentTime":"2026-03-01T00:00:00Z"},
        "DateLessThan":{"aws:CurrentTime":"2026-04-01T00:00:00Z"},
        "IpAddress":{"aws:SourceIp":["203.0.113.0/24","2001:db8:1234:5678::/64"]}}},
      {"Effect":"Deny","Action":"*","Resource":"*","Condition":{
        "Bool":{"aws:SecureTransport":"false"}}}]})");
  PolicyContext context;
  context.now_ms = ParseTimeText("2026-03-15T12:00:00.000Z").value();
  context.source_ip = "2001:db8:1234:5678::9";
  context.secure_transport = true;
  const auto decide = [&] { return Decide(policy, "dynamodb:GetItem", kTestTable, context); };
  EXPECT_EQ(decide(), Verdict::kAllowed);
  context.secure_transport = false;
  EXPECT_EQ(decide(), Verdict::kDeniedExplicitly);
  context.secure_transport = true;
  context.source_ip = "198.51.100.1";
  EXPECT_EQ(decide(), Verdict::kDeniedByDefault);
  context.source_ip = "203.0.113.1";
  EXPECT_EQ(decide(), Verdict::kAllowed);
  context.now_ms = ParseTimeText("2026-04-01T00:00:00.000Z").value();
  EXPECT_EQ(decide(), Verdict::kDeniedByDefault);
}

// Proves that items can be changed in transactions alone, and tables not be scanned as a whole.
TEST(PolicyExamplesTest, TransactionsAloneAndNoFullScans) {
  const Policy policy = TestPolicy(R"({"Version":"2012-10-17","Statement":[
      {"Effect":"Allow","Action":["dynamodb:PutItem","dynamodb:ConditionCheckItem"],"Resource":"*",
       "Condition":{"StringEquals":{"dynamodb:EnclosingOperation":"TransactWriteItems"}}},
      {"Effect":"Allow","Action":"dynamodb:PartiQLSelect","Resource":"*"},
      {"Effect":"Deny","Action":"dynamodb:PartiQLSelect","Resource":"*",
       "Condition":{"Bool":{"dynamodb:FullTableScan":true}}}]})");
  Request put("dynamodb:PutItem");
  EXPECT_FALSE(put.AllowedBy(policy));
  put.context.enclosing_operation = "TransactWriteItems";
  EXPECT_TRUE(put.AllowedBy(policy));
  Request select("dynamodb:PartiQLSelect");
  select.context.full_table_scan = false;
  EXPECT_TRUE(select.AllowedBy(policy));
  select.context.full_table_scan = true;
  EXPECT_EQ(select.By(policy), Verdict::kDeniedExplicitly);
}

// Proves that the policy in media2cloud's design works as printed, with the table's real name and
// ARN put in for `region:account` and `ingest-table` (the documents' errata).
TEST(PolicyExamplesTest, TheDocumentsPolicy) {
  const Policy policy = TestPolicy(R"({
  "Version": "2012-10-17",
  "Statement": [
    {
      "Effect": "Allow",
      "Action": [
        "dynamodb:GetItem",
        "dynamodb:PutItem",
        "dynamodb:UpdateItem",
        "dynamodb:Query"
      ],
      "Resource": [
        "arn:aws:dynamodb:us-east-1:000000000000:table/so0050-dev-ingest",
        "arn:aws:dynamodb:us-east-1:000000000000:table/so0050-dev-ingest/index/*"
      ],
      "Condition": {
        "ForAllValues:StringEquals": {
          "dynamodb:Attributes": ["uuid", "timestamp", "type"]
        }
      }
    }
  ]
})");
  constexpr std::string_view kIngest =
      "arn:aws:dynamodb:us-east-1:000000000000:table/so0050-dev-ingest";
  constexpr std::string_view kIngestIndex =
      "arn:aws:dynamodb:us-east-1:000000000000:table/so0050-dev-ingest/index/type-timestamp-index";
  EXPECT_TRUE(
      Request("dynamodb:GetItem").On(kIngest).Attributes({"uuid", "type"}).AllowedBy(policy));
  EXPECT_TRUE(Request("dynamodb:Query")
                  .On(kIngestIndex)
                  .Attributes({"type", "timestamp"})
                  .AllowedBy(policy));
  EXPECT_FALSE(
      Request("dynamodb:PutItem").On(kIngest).Attributes({"uuid", "bucket"}).AllowedBy(policy));
  EXPECT_FALSE(Request("dynamodb:DeleteItem").On(kIngest).Attributes({"uuid"}).AllowedBy(policy));
  EXPECT_FALSE(Request("dynamodb:GetItem").Attributes({"uuid"}).AllowedBy(policy));
}

// Proves that it parses as printed too, where it then covers nothing that is here.
TEST(PolicyExamplesTest, TheDocumentsPolicyUnchanged) {
  const Policy policy = TestPolicy(R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow",
      "Action":["dynamodb:GetItem"],
      "Resource":["arn:aws:dynamodb:region:account:table/ingest-table",
                  "arn:aws:dynamodb:region:account:table/ingest-table/index/*"],
      "Condition":{"ForAllValues:StringEquals":{"dynamodb:Attributes":["uuid"]}}}]})");
  EXPECT_FALSE(Request("dynamodb:GetItem").AllowedBy(policy));
}

// Proves that `admin` allows everything.
TEST(PolicyExamplesTest, Admin) {
  const Policy policy = TestPolicy(AdminPolicyDocument());
  EXPECT_TRUE(Request("dynamodb:DeleteTable").AllowedBy(policy));
  EXPECT_TRUE(Request("dynamodb:ListTables").On("*").AllowedBy(policy));
}

// Proves that `read-only` allows all reading, and nothing else.
TEST(PolicyExamplesTest, ReadOnly) {
  const Policy policy = TestPolicy(ReadOnlyPolicyDocument());
  for (const std::string_view action : {"GetItem",
                                        "BatchGetItem",
                                        "Query",
                                        "Scan",
                                        "ConditionCheckItem",
                                        "PartiQLSelect",
                                        "DescribeTable",
                                        "DescribeTimeToLive",
                                        "DescribeStream",
                                        "DescribeBackup",
                                        "DescribeContinuousBackups",
                                        "DescribeExport",
                                        "DescribeImport",
                                        "DescribeLimits",
                                        "ListTables",
                                        "ListStreams",
                                        "ListBackups",
                                        "ListExports",
                                        "ListImports",
                                        "ListTagsOfResource",
                                        "GetRecords",
                                        "GetShardIterator"}) {
    EXPECT_TRUE(Request(StrCat("dynamodb:", action)).AllowedBy(policy)) << action;
  }
  for (const std::string_view action : {"PutItem",
                                        "UpdateItem",
                                        "DeleteItem",
                                        "BatchWriteItem",
                                        "CreateTable",
                                        "UpdateTable",
                                        "DeleteTable",
                                        "UpdateTimeToLive",
                                        "CreateBackup",
                                        "DeleteBackup",
                                        "ExportTableToPointInTime",
                                        "ImportTable",
                                        "RestoreTableFromBackup",
                                        "RestoreTableToPointInTime",
                                        "UpdateContinuousBackups",
                                        "TagResource",
                                        "UntagResource",
                                        "PartiQLInsert",
                                        "PartiQLUpdate",
                                        "PartiQLDelete"}) {
    EXPECT_EQ(Request(StrCat("dynamodb:", action)).By(policy), Verdict::kDeniedByDefault) << action;
  }
}

// Proves that `tables` allows everything but on the product's tables and what belongs to them.
TEST(PolicyExamplesTest, Tables) {
  const std::vector<std::string> names = {"ImageMetadata", "photos",  "sparks",   "so0050-*",
                                          "photoeditor-*", "tintype", "tintype-*"};
  const Result<std::string> document = TablesPolicyDocument(names);
  ASSERT_TRUE(document.ok()) << document.error().message();
  const Policy policy = TestPolicy(*document);
  const auto decide = [&](std::string_view action, std::string_view table) {
    const std::string arn = StrCat("arn:aws:dynamodb:us-east-1:000000000000:table/", table);
    return Request(action).On(arn).By(policy);
  };
  for (const std::string_view table :
       {"mine", "photos2", "myphotos", "photo", "Photos", "so0050", "photoeditor",
        "mine/index/photos", "sparks.x", "mine/stream/2026-02-28T23:59:59.999"}) {
    EXPECT_EQ(decide("dynamodb:PutItem", table), Verdict::kAllowed) << table;
  }
  for (const std::string_view table :
       {"ImageMetadata", "ImageMetadata/index/GSI1", "photos", "photos/index/id-index", "sparks",
        "sparks/stream/2026-02-28T23:59:59.999", "so0050-dev-ingest",
        "so0050-dev-ingest/index/status-timestamp-index", "photoeditor-prod-jobs", "tintype",
        "tintype-keys", "tintype/backup/01489602797149-73d8d5bc", "photos/export/01234-567",
        "photos/import/01234-567"}) {
    EXPECT_EQ(decide("dynamodb:GetItem", table), Verdict::kDeniedExplicitly) << table;
    EXPECT_EQ(decide("dynamodb:DeleteTable", table), Verdict::kDeniedExplicitly) << table;
  }
  EXPECT_TRUE(Request("dynamodb:ListTables").On("*").AllowedBy(policy));
}

// Proves that what cannot be a table's name is refused, as are more than a document has room for.
TEST(PolicyExamplesTest, TablesWithWrongNames) {
  for (const std::string& name :
       {std::string(), std::string("a\"b"), std::string("a/b"), std::string("${aws:username}")}) {
    EXPECT_FALSE(TablesPolicyDocument(std::vector{name}).ok()) << name;
  }
  EXPECT_FALSE(TablesPolicyDocument(std::vector<std::string>(200, "x")).ok());
  EXPECT_EQ(*TablesPolicyDocument({}), AdminPolicyDocument());
}

}  // namespace
}  // namespace tintype::access
