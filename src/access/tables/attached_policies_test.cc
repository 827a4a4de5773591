#include "access/tables/attached_policies.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "access/policy/builtin_policies.h"
#include "access/tables/table_access.h"
#include "access/testing/fake_facts.h"
#include "base/strings.h"
#include "tables/wire/codec.h"

// What the policies of tables and streams let keys do, beside the keys' own.
namespace tintype::access {
namespace {

using ::testing::HasSubstr;
namespace wire = tables::wire;

constexpr std::string_view kPhotos = "arn:aws:dynamodb:us-east-1:000000000000:table/photos";
constexpr char kGet[] = R"({"TableName":"photos","Key":{"pk":{"S":"a"}}})";

/// One statement about the key `ada`, on what the policy is attached to.
std::string About(std::string_view effect, std::string_view action,
                  std::string_view condition = "{}") {
  return StrCat(R"({"Version":"2012-10-17","Statement":{"Effect":")", effect,
                R"(","Principal":{"AWS":"arn:aws:iam::000000000000:user/ada"},"Action":")", action,
                R"(","Resource":"*","Condition":)", condition, "}}");
}

class AttachedPoliciesTest : public ::testing::Test {
 protected:
  static TableCaller Caller(std::string_view name, std::optional<std::string> policy) {
    TableCaller caller;
    caller.principal.kind = PrincipalKind::kAccessKey;
    caller.principal.address = "192.0.2.7";
    caller.name = name;
    if (policy) {
      caller.policy = Policy::Parse(*policy).value();
    }
    return caller;
  }
  /// A key that may do nothing but list tables.
  static TableCaller Nobody(std::string_view name) {
    return Caller(name, R"({"Statement":{"Effect":"Allow","Action":"dynamodb:ListTables",)"
                        R"("Resource":"*"}})");
  }
  static TableCaller Admin(std::string_view name) { return Caller(name, AdminPolicyDocument()); }
  static TableCaller Root() {
    TableCaller caller;
    caller.principal.kind = PrincipalKind::kRootKey;
    return caller;
  }

  void Attach(std::string_view to, std::string document) {
    facts_.policies[std::string(to)] = std::make_shared<const tables::ResourcePolicy>(
        tables::ResourcePolicy{std::move(document), "1"});
  }

  template <typename Decode>
  bool Passes(const TableCaller& caller, Decode decode, std::string_view body) {
    const auto request = decode(body);
    EXPECT_TRUE(request.ok()) << request.error().message();
    if (!request.ok()) {
      return false;
    }
    const Status checked = access_.Check(caller, *request);
    refusal_ = checked.ok() ? "" : checked.error().message();
    return checked.ok();
  }

  testing::FakeFacts facts_;
  FakeClock clock_{1794744000000};
  const TableAccess access_{
      {.system_tables = {"tintype"}, .audit_table = "tintype-audit"}, facts_, clock_};
  std::string refusal_;
};

// Proves that either policy is enough, that a denial in either wins, and who is told which it was.
TEST_F(AttachedPoliciesTest, EitherAllowsAndEitherDenies) {
  EXPECT_FALSE(Passes(Nobody("ada"), wire::DecodeGetItem, kGet));
  Attach("photos", About("Allow", "dynamodb:GetItem"));
  EXPECT_TRUE(Passes(Nobody("ada"), wire::DecodeGetItem, kGet));
  EXPECT_FALSE(Passes(Nobody("bob"), wire::DecodeGetItem, kGet));
  EXPECT_FALSE(Passes(Nobody("ada"), wire::DecodeScan, R"({"TableName":"photos"})"));
  EXPECT_FALSE(
      Passes(Nobody("ada"), wire::DecodeGetItem, R"({"TableName":"ppp","Key":{"pk":{"S":"a"}}})"));
  EXPECT_TRUE(Passes(Admin("bob"), wire::DecodeScan, R"({"TableName":"photos"})"));
  const TableCaller denied =
      Caller("ada", R"({"Statement":{"Effect":"Deny","Action":"*","Resource":"*"}})");
  EXPECT_FALSE(Passes(denied, wire::DecodeGetItem, kGet));
  EXPECT_THAT(refusal_, HasSubstr("explicit deny in an identity-based policy"));

  Attach("photos", About("Deny", "dynamodb:GetItem"));
  EXPECT_FALSE(Passes(Admin("ada"), wire::DecodeGetItem, kGet));
  EXPECT_EQ(refusal_,
            "User: arn:aws:iam::000000000000:user/ada is not authorized to perform: "
            "dynamodb:GetItem on resource: arn:aws:dynamodb:us-east-1:000000000000:table/photos "
            "with an explicit deny in a resource-based policy");
  EXPECT_TRUE(Passes(Admin("bob"), wire::DecodeGetItem, kGet));
  // A key from before there were policies is denied as any other.
  EXPECT_FALSE(Passes(Caller("ada", std::nullopt), wire::DecodeGetItem, kGet));
  EXPECT_TRUE(Passes(Caller("bob", std::nullopt), wire::DecodeGetItem, kGet));
  EXPECT_TRUE(Passes(Root(), wire::DecodeGetItem, kGet));
}

// Proves that a policy that was replaced is the one that decides, at once.
TEST_F(AttachedPoliciesTest, TheLatestDecides) {
  Attach("photos", About("Allow", "dynamodb:GetItem"));
  EXPECT_TRUE(Passes(Nobody("ada"), wire::DecodeGetItem, kGet));
  Attach("photos", About("Allow", "dynamodb:Scan"));
  EXPECT_FALSE(Passes(Nobody("ada"), wire::DecodeGetItem, kGet));
  facts_.policies.clear();
  EXPECT_FALSE(Passes(Nobody("ada"), wire::DecodeScan, R"({"TableName":"photos"})"));
}

// Proves that conditions see the request, also where the key's own policy asks for nothing.
TEST_F(AttachedPoliciesTest, HasConditions) {
  Attach("photos", About("Allow", "dynamodb:GetItem",
                         R"({"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["a"],)"
                         R"("dynamodb:Attributes":["pk","title"]}})"));
  EXPECT_TRUE(Passes(Nobody("ada"), wire::DecodeGetItem, kGet));
  EXPECT_FALSE(Passes(Nobody("ada"), wire::DecodeGetItem,
                      R"({"TableName":"photos","Key":{"pk":{"S":"b"}}})"));
  EXPECT_FALSE(
      Passes(Nobody("ada"), wire::DecodeGetItem,
             R"({"TableName":"photos","Key":{"pk":{"S":"a"}},"ProjectionExpression":"secret"})"));
}

// Proves that a table's policy is about its indexes too, and that a stream has its own.
TEST_F(AttachedPoliciesTest, TablesIndexesAndStreams) {
  const std::string stream = StrCat(kPhotos, "/stream/1");
  const std::string describe = StrCat(R"({"StreamArn":")", stream, R"("})");
  const std::string by_index =
      R"({"TableName":"photos","IndexName":"by-id","KeyConditionExpression":"pk = :a",)"
      R"("ExpressionAttributeValues":{":a":{"S":"a"}}})";
  Attach("photos", About("Allow", "*"));
  EXPECT_TRUE(Passes(Nobody("ada"), wire::DecodeQuery, by_index));
  EXPECT_FALSE(Passes(Nobody("ada"), wire::DecodeDescribeStream, describe));
  Attach(stream, About("Allow", "*"));
  EXPECT_TRUE(Passes(Nobody("ada"), wire::DecodeDescribeStream, describe));
  facts_.stream = stream;
  EXPECT_TRUE(Passes(Nobody("ada"), wire::DecodeGetRecords, R"({"ShardIterator":"x"})"));
  Attach(stream, About("Deny", "dynamodb:GetRecords"));
  EXPECT_FALSE(Passes(Admin("ada"), wire::DecodeGetRecords, R"({"ShardIterator":"x"})"));
  EXPECT_TRUE(Passes(Admin("ada"), wire::DecodeDescribeStream, describe));
  // A backup has none, and the table's is not its.
  EXPECT_FALSE(Passes(Nobody("ada"), wire::DecodeDescribeBackup,
                      StrCat(R"({"BackupArn":")", kPhotos, R"(/backup/1"})")));
  const std::string arn = StrCat(R"({"ResourceArn":")", kPhotos, R"("})");
  EXPECT_TRUE(Passes(Nobody("ada"), wire::DecodeListTagsOfResource, arn));
}

// Proves that batches and transactions are decided item by item, by the policy of each table.
TEST_F(AttachedPoliciesTest, DecidesItemByItem) {
  Attach("photos", About("Allow", "dynamodb:*"));
  const auto batch = [](std::string_view other) {
    return StrCat(R"({"RequestItems":{"photos":{"Keys":[{"pk":{"S":"a"}}]},")", other,
                  R"(":{"Keys":[{"pk":{"S":"a"}}]}}})");
  };
  EXPECT_FALSE(Passes(Nobody("ada"), wire::DecodeBatchGetItem, batch("other")));
  Attach("other", About("Allow", "dynamodb:BatchGetItem"));
  EXPECT_TRUE(Passes(Nobody("ada"), wire::DecodeBatchGetItem, batch("other")));
  EXPECT_FALSE(Passes(Nobody("ada"), wire::DecodeTransactGetItems,
                      R"({"TransactItems":[{"Get":{"TableName":"photos","Key":{"pk":{"S":"a"}}}},)"
                      R"({"Get":{"TableName":"other","Key":{"pk":{"S":"a"}}}}]})"));
}

// Proves that no policy opens a reserved table to anybody but the root key.
TEST_F(AttachedPoliciesTest, ReservedTablesStayReserved) {
  for (const std::string table : {"tintype", "tintype-audit"}) {
    Attach(table,
           R"({"Statement":{"Effect":"Allow","Principal":"*","Action":"*","Resource":"*"}})");
    EXPECT_FALSE(
        Passes(Nobody("ada"), wire::DecodeScan, StrCat(R"({"TableName":")", table, "\"}")));
    EXPECT_THAT(refusal_, HasSubstr("answers the root key alone"));
    EXPECT_TRUE(Passes(Root(), wire::DecodeScan, StrCat(R"({"TableName":")", table, "\"}")));
  }
}

// Proves that the root key cannot be locked out, and that whoever would lock himself out is asked
// whether he means it.
TEST_F(AttachedPoliciesTest, NobodyIsLockedOutUnasked) {
  const std::string deny =
      R"({\"Statement\":{\"Effect\":\"Deny\",\"Principal\":\"*\",\"Action\":\"*\",)"
      R"(\"Resource\":\"*\"}})";
  const std::string put = StrCat(R"({"ResourceArn":")", kPhotos, R"(","Policy":")", deny, "\"");
  EXPECT_FALSE(Passes(Nobody("ada"), wire::DecodePutResourcePolicy, put + "}"));
  EXPECT_THAT(refusal_, HasSubstr("not authorized to perform: dynamodb:PutResourcePolicy"));
  EXPECT_FALSE(Passes(Admin("ada"), wire::DecodePutResourcePolicy, put + "}"));
  EXPECT_THAT(refusal_, HasSubstr("set ConfirmRemoveSelfResourceAccess"));
  EXPECT_TRUE(Passes(Admin("ada"), wire::DecodePutResourcePolicy,
                     put + R"(,"ConfirmRemoveSelfResourceAccess":true})"));
  EXPECT_TRUE(Passes(Root(), wire::DecodePutResourcePolicy, put + "}"));

  Attach("photos", R"({"Statement":{"Effect":"Deny","Principal":"*","Action":"*",)"
                   R"("Resource":"*"}})");
  const std::string arn = StrCat(R"({"ResourceArn":")", kPhotos, R"("})");
  EXPECT_FALSE(Passes(Admin("ada"), wire::DecodeDeleteResourcePolicy, arn));
  EXPECT_TRUE(Passes(Root(), wire::DecodeDeleteResourcePolicy, arn));
  EXPECT_TRUE(Passes(Root(), wire::DecodePutResourcePolicy, put + "}"));

  // The permission that the policy itself gave goes with it as well.
  Attach("photos", About("Allow", "dynamodb:PutResourcePolicy"));
  const std::string other =
      StrCat(R"({"ResourceArn":")", kPhotos,
             R"(","Policy":"{\"Statement\":{\"Effect\":\"Allow\",\"Principal\":\"*\",)",
             R"(\"Action\":\"dynamodb:Scan\",\"Resource\":\"*\"}}")");
  EXPECT_FALSE(Passes(Nobody("ada"), wire::DecodePutResourcePolicy, other + "}"));
  EXPECT_TRUE(Passes(Nobody("ada"), wire::DecodePutResourcePolicy,
                     other + R"(,"ConfirmRemoveSelfResourceAccess":true})"));
}

// Proves that a document is checked before it is attached, and that a table is not made with a
// policy by a key that may not attach one.
TEST_F(AttachedPoliciesTest, ChecksDocuments) {
  const auto put = [](std::string_view policy) {
    return StrCat(R"({"ResourceArn":")", kPhotos, R"(","Policy":")", policy, R"("})");
  };
  EXPECT_FALSE(Passes(Root(), wire::DecodePutResourcePolicy, put("no JSON")));
  EXPECT_THAT(refusal_,
              HasSubstr("One or more parameter values were invalid: Invalid policy document: "));
  EXPECT_FALSE(Passes(Root(), wire::DecodePutResourcePolicy,
                      put(R"({\"Statement\":{\"Effect\":\"Allow\",\"Principal\":\"*\",)"
                          R"(\"Action\":\"dynamodb:CreateTable\",\"Resource\":\"*\"}})")));
  EXPECT_EQ(refusal_,
            "One or more parameter values were invalid: Invalid policy document: The following "
            "action names are invalid: \"dynamodb:CreateTable\"");
  const auto create = [](std::string_view resource) {
    return StrCat(R"({"TableName":"photos","BillingMode":"PAY_PER_REQUEST",)",
                  R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)",
                  R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)",
                  R"("ResourcePolicy":"{\"Statement\":{\"Effect\":\"Allow\",\"Principal\":\"*\",)",
                  R"(\"Action\":\"dynamodb:Scan\",\"Resource\":\")", resource, R"(\"}}"})");
  };
  EXPECT_TRUE(Passes(Root(), wire::DecodeCreateTable, create(kPhotos)));
  EXPECT_FALSE(Passes(Root(), wire::DecodeCreateTable, create(StrCat(kPhotos, "2"))));
  EXPECT_THAT(refusal_, HasSubstr("is not what the policy is attached to"));
  const TableCaller maker = Caller(
      "ada", R"({"Statement":{"Effect":"Allow","Action":"dynamodb:CreateTable","Resource":"*"}})");
  EXPECT_FALSE(Passes(maker, wire::DecodeCreateTable, create(kPhotos)));
  EXPECT_THAT(refusal_, HasSubstr("not authorized to perform: dynamodb:PutResourcePolicy"));
}

// Proves that a policy which cannot be read lets nobody in but the root key.
TEST_F(AttachedPoliciesTest, WhatCannotBeReadLetsNobodyIn) {
  Attach("photos", "damaged");
  EXPECT_FALSE(Passes(Admin("ada"), wire::DecodeGetItem, kGet));
  EXPECT_FALSE(Passes(Caller("ada", std::nullopt), wire::DecodeGetItem, kGet));
  EXPECT_TRUE(Passes(Root(), wire::DecodeGetItem, kGet));
}

// Proves that the log has such a policy once, though it is read again after many others.
TEST_F(AttachedPoliciesTest, WhatCannotBeReadIsLoggedOnce) {
  Attach("photos", "damaged");
  ::testing::internal::CaptureStderr();
  EXPECT_FALSE(Passes(Nobody("ada"), wire::DecodeGetItem, kGet));
  for (int i = 0; i < 1000; ++i) {
    const std::string table = StrCat("table-", i);
    Attach(table, About("Allow", "dynamodb:GetItem"));
    EXPECT_TRUE(Passes(Nobody("ada"), wire::DecodeGetItem,
                       StrCat(R"({"TableName":")", table, R"(","Key":{"pk":{"S":"a"}}})")));
  }
  EXPECT_FALSE(Passes(Nobody("ada"), wire::DecodeGetItem, kGet));
  const std::string log = ::testing::internal::GetCapturedStderr();
  const size_t first = log.find("cannot be read");
  EXPECT_NE(first, std::string::npos);
  EXPECT_EQ(log.rfind("cannot be read"), first);
}

}  // namespace
}  // namespace tintype::access
