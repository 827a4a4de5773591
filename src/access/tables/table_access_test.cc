#include "access/tables/table_access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "access/policy/builtin_policies.h"
#include "access/testing/fake_facts.h"
#include "base/strings.h"
#include "tables/wire/codec.h"

namespace tintype::access {
namespace {

using ::testing::Each;
using ::testing::HasSubstr;
namespace wire = tables::wire;

constexpr int64_t kNow = 1794744000000;

class TableAccessTest : public ::testing::Test {
 protected:
  TableCaller Caller(const std::string& policy) const {
    TableCaller caller;
    caller.principal.kind = PrincipalKind::kAccessKey;
    caller.principal.id = "AKIAAPP";
    caller.principal.address = "192.0.2.7";
    caller.name = "ada";
    caller.user_agent = "reporter/1.0";
    auto parsed = Policy::Parse(policy);
    EXPECT_TRUE(parsed.ok()) << parsed.error().message();
    if (parsed.ok()) {
      caller.policy = *parsed;
    }
    return caller;
  }
  static TableCaller Root() {
    TableCaller caller;
    caller.principal.kind = PrincipalKind::kRootKey;
    return caller;
  }

  /// One statement that allows everything on every table under a condition.
  static std::string AllowIf(std::string_view condition) {
    return StrCat(R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":"*",)",
                  R"("Resource":"*","Condition":)", condition, "}}");
  }
  static std::string AllowOn(std::string_view action, std::string_view resource) {
    return StrCat(R"({"Version":"2012-10-17","Statement":{"Effect":"Allow","Action":")", action,
                  R"(","Resource":")", resource, R"("}})");
  }

  /// Whether a request that is decoded by `decode` passes.
  template <typename Decode>
  bool Passes(const TableCaller& caller, Decode decode, std::string_view body) {
    const auto request = decode(body);
    EXPECT_TRUE(request.ok()) << request.error().message();
    if (!request.ok()) {
      return false;
    }
    const Status checked = access_.Check(caller, *request);
    if (!checked.ok()) {
      denial_ = checked.error().message();
      EXPECT_EQ(checked.error().kind(), ErrorKind::kAccessDenied);
    }
    return checked.ok();
  }

  testing::FakeFacts facts_;
  FakeClock clock_{kNow};
  const TableAccess access_{
      {.system_tables = {"tintype", "tintype-audit-clients"}, .audit_table = "tintype-audit"},
      facts_,
      clock_};
  std::string denial_;
};

constexpr std::string_view kTable = "arn:aws:dynamodb:us-east-1:000000000000:table/";

// Proves that a request is decided on by the table or index that it names, however it names it, and
// that the denial is in AWS's words.
TEST_F(TableAccessTest, DecidesByTheTableOrIndex) {
  const TableCaller caller = Caller(AllowOn("dynamodb:Query", StrCat(kTable, "photos/index/*")));
  const std::string of_index =
      R"({"TableName":"photos","IndexName":"by-id","KeyConditionExpression":"pk = :a",)"
      R"("ExpressionAttributeValues":{":a":{"S":"a"}}})";
  const std::string of_table = R"({"TableName":"photos","KeyConditionExpression":"pk = :a",)"
                               R"("ExpressionAttributeValues":{":a":{"S":"a"}}})";
  EXPECT_TRUE(Passes(caller, wire::DecodeQuery, of_index));
  EXPECT_FALSE(Passes(caller, wire::DecodeQuery, of_table));
  EXPECT_EQ(denial_,
            "User: arn:aws:iam::000000000000:user/ada is not authorized to perform: dynamodb:Query "
            "on resource: arn:aws:dynamodb:us-east-1:000000000000:table/photos because no "
            "identity-based policy allows the dynamodb:Query action");
  const TableCaller by_table = Caller(AllowOn("dynamodb:GetItem", StrCat(kTable, "photos")));
  EXPECT_TRUE(
      Passes(by_table, wire::DecodeGetItem, R"({"TableName":"photos","Key":{"pk":{"S":"a"}}})"));
  EXPECT_TRUE(Passes(by_table, wire::DecodeGetItem,
                     StrCat(R"({"TableName":")", kTable, R"(photos","Key":{"pk":{"S":"a"}}})")));
  EXPECT_FALSE(
      Passes(by_table, wire::DecodeGetItem, R"({"TableName":"photos2","Key":{"pk":{"S":"a"}}})"));
}

// Proves that one item that is not allowed refuses a whole batch or transaction, and that actions
// of a transaction count as the operations that do the same alone.
TEST_F(TableAccessTest, DecidesOnBatchesAndTransactionsItemByItem) {
  const TableCaller own =
      Caller(AllowIf(R"({"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":["ada"]}})"));
  const auto batch = [](std::string_view second) {
    return StrCat(R"({"RequestItems":{"photos":{"Keys":[{"pk":{"S":"ada"}},{"pk":{"S":")", second,
                  R"("}}]}}})");
  };
  EXPECT_FALSE(Passes(own, wire::DecodeBatchGetItem, batch("bob")));
  EXPECT_TRUE(Passes(own, wire::DecodeBatchGetItem,
                     R"({"RequestItems":{"photos":{"Keys":[{"pk":{"S":"ada"}}]}}})"));
  EXPECT_FALSE(Passes(own, wire::DecodeBatchWriteItem,
                      R"({"RequestItems":{"photos":[{"PutRequest":{"Item":{"pk":{"S":"ada"}}}},)"
                      R"({"DeleteRequest":{"Key":{"pk":{"S":"bob"}}}}]}})"));

  const std::string check =
      R"({"TransactItems":[{"ConditionCheck":{"TableName":"photos","Key":{"pk":{"S":"ada"}},)"
      R"("ConditionExpression":"pk = :a","ExpressionAttributeValues":{":a":{"S":"ada"}}}}]})";
  const std::string put =
      R"({"TransactItems":[{"Put":{"TableName":"photos","Item":{"pk":{"S":"ada"}}}}]})";
  const TableCaller checks = Caller(AllowOn("dynamodb:ConditionCheckItem", "*"));
  EXPECT_TRUE(Passes(checks, wire::DecodeTransactWriteItems, check));
  EXPECT_FALSE(Passes(checks, wire::DecodeTransactWriteItems, put));
  const TableCaller enclosed =
      Caller(AllowIf(R"({"StringEquals":{"dynamodb:EnclosingOperation":"TransactWriteItems"}})"));
  EXPECT_TRUE(Passes(enclosed, wire::DecodeTransactWriteItems, put));
  EXPECT_FALSE(
      Passes(enclosed, wire::DecodePutItem, R"({"TableName":"photos","Item":{"pk":{"S":"ada"}}})"));
}

// Proves that partition keys are found by the table's and the index's own schema, in every way that
// a request names them, numbers and bytes included.
TEST_F(TableAccessTest, FindsLeadingKeys) {
  facts_.partition_keys["photos"] = {"owner"};
  facts_.partition_keys["photos/by-day"] = {"day"};
  const auto own = [&](std::string_view value) {
    return Caller(AllowIf(
        StrCat(R"({"ForAllValues:StringEquals":{"dynamodb:LeadingKeys":[")", value, R"("]}})")));
  };
  const std::string get = R"({"TableName":"photos","Key":{"owner":{"S":"ada"},"id":{"S":"bob"}}})";
  EXPECT_TRUE(Passes(own("ada"), wire::DecodeGetItem, get));
  EXPECT_FALSE(Passes(own("bob"), wire::DecodeGetItem, get));
  const std::string query =
      R"({"TableName":"photos","KeyConditionExpression":"id = :i AND :o = #o",)"
      R"("ExpressionAttributeNames":{"#o":"owner"},)"
      R"("ExpressionAttributeValues":{":o":{"S":"ada"},":i":{"S":"bob"}}})";
  EXPECT_TRUE(Passes(own("ada"), wire::DecodeQuery, query));
  EXPECT_FALSE(Passes(own("bob"), wire::DecodeQuery, query));
  const std::string by_day =
      R"({"TableName":"photos","IndexName":"by-day","KeyConditionExpression":"#d = :d",)"
      R"("ExpressionAttributeNames":{"#d":"day"},"ExpressionAttributeValues":{":d":{"N":"7.0"}}})";
  EXPECT_TRUE(Passes(own("7"), wire::DecodeQuery, by_day));
  EXPECT_FALSE(Passes(own("8"), wire::DecodeQuery, by_day));
  EXPECT_TRUE(Passes(own("AAE="), wire::DecodePutItem,
                     R"({"TableName":"photos","Item":{"owner":{"B":"AAE="},"id":{"S":"x"}}})"));
}

// Proves that every attribute counts that a request names, also those that it only compares with or
// copies from, and what it asks to have returned.
TEST_F(TableAccessTest, FindsAttributesAndWhatIsReturned) {
  const TableCaller narrow =
      Caller(AllowIf(R"({"ForAllValues:StringEquals":{"dynamodb:Attributes":["pk","title"]},)"
                     R"("StringEqualsIfExists":{"dynamodb:Select":"SPECIFIC_ATTRIBUTES",)"
                     R"("dynamodb:ReturnValues":["NONE","UPDATED_OLD","UPDATED_NEW"]}})"));
  const std::string key = R"({"TableName":"photos","Key":{"pk":{"S":"a"}})";
  const auto update = [&](std::string_view rest) { return StrCat(key, ",", rest, "}"); };
  EXPECT_TRUE(Passes(narrow, wire::DecodeGetItem, update(R"("ProjectionExpression":"title")")));
  EXPECT_FALSE(Passes(narrow, wire::DecodeGetItem, update(R"("ProjectionExpression":"secret.a")")));
  EXPECT_FALSE(Passes(narrow, wire::DecodeGetItem, key + "}"));
  const std::string values = R"("ExpressionAttributeValues":{":v":{"S":"x"}})";
  EXPECT_TRUE(Passes(narrow, wire::DecodeUpdateItem,
                     update(R"("UpdateExpression":"SET title = :v",)" + values)));
  EXPECT_FALSE(
      Passes(narrow, wire::DecodeUpdateItem, update(R"("UpdateExpression":"SET title = secret")")));
  EXPECT_FALSE(
      Passes(narrow, wire::DecodeUpdateItem,
             update(R"x("UpdateExpression":"SET title = if_not_exists(secret, :v)",)x" + values)));
  EXPECT_FALSE(
      Passes(narrow, wire::DecodeUpdateItem, update(R"("UpdateExpression":"REMOVE secret")")));
  EXPECT_FALSE(
      Passes(narrow, wire::DecodeUpdateItem,
             update(R"("UpdateExpression":"SET title = :v","ConditionExpression":"secret = :v",)" +
                    values)));
  EXPECT_FALSE(
      Passes(narrow, wire::DecodeUpdateItem,
             update(R"("UpdateExpression":"SET title = :v","ReturnValues":"ALL_NEW",)" + values)));
  EXPECT_TRUE(Passes(
      narrow, wire::DecodeUpdateItem,
      update(R"("UpdateExpression":"SET title = :v","ReturnValues":"UPDATED_NEW",)" + values)));
  EXPECT_FALSE(Passes(narrow, wire::DecodeScan,
                      R"({"TableName":"photos","ProjectionExpression":"title",)"
                      R"("FilterExpression":"secret = :v",)" +
                          values + "}"));
  EXPECT_TRUE(Passes(narrow, wire::DecodeScan,
                     R"({"TableName":"photos","ProjectionExpression":"pk, title"})"));
}

// Proves that the whole item that a failed condition would show counts as returned, alone and in
// transactions, beside what the request returns otherwise.
TEST_F(TableAccessTest, CountsWhatAFailedConditionReturns) {
  const TableCaller narrow =
      Caller(AllowIf(R"({"StringEquals":{"dynamodb:ReturnValues":["NONE","UPDATED_NEW"]}})"));
  const TableCaller whole =
      Caller(AllowIf(R"({"StringEquals":{"dynamodb:ReturnValues":["NONE","ALL_OLD"]}})"));
  const std::string condition = R"("TableName":"photos","ConditionExpression":"pk = :v",)"
                                R"("ExpressionAttributeValues":{":v":{"S":"x"}})";
  const std::string key = R"("Key":{"pk":{"S":"a"}},)";
  const std::string item = R"("Item":{"pk":{"S":"a"}},)";
  const std::string set = R"("UpdateExpression":"SET title = :v",)";
  const auto with = [&](std::string_view what, std::string_view on_failure) {
    return StrCat("{", what, condition, R"(,"ReturnValuesOnConditionCheckFailure":")", on_failure,
                  R"("})");
  };
  const auto in_transaction = [&](std::string_view action, std::string_view what,
                                  std::string_view on_failure) {
    return StrCat(R"({"TransactItems":[{")", action, R"(":)", with(what, on_failure), "}]}");
  };
  const auto passes = [&](const TableCaller& caller, std::string_view on_failure) {
    const std::array<bool, 7> passed = {
        Passes(caller, wire::DecodePutItem, with(item, on_failure)),
        Passes(caller, wire::DecodeDeleteItem, with(key, on_failure)),
        Passes(caller, wire::DecodeUpdateItem, with(key + set, on_failure)),
        Passes(caller, wire::DecodeTransactWriteItems, in_transaction("Put", item, on_failure)),
        Passes(caller, wire::DecodeTransactWriteItems, in_transaction("Delete", key, on_failure)),
        Passes(caller, wire::DecodeTransactWriteItems,
               in_transaction("Update", key + set, on_failure)),
        Passes(caller, wire::DecodeTransactWriteItems,
               in_transaction("ConditionCheck", key, on_failure))};
    return passed;
  };
  EXPECT_THAT(passes(narrow, "NONE"), Each(true));
  EXPECT_THAT(passes(narrow, "ALL_OLD"), Each(false));
  EXPECT_THAT(passes(whole, "ALL_OLD"), Each(true));

  const std::string both = R"("ReturnValues":"UPDATED_NEW",)";
  EXPECT_TRUE(Passes(narrow, wire::DecodeUpdateItem, with(key + set + both, "NONE")));
  EXPECT_FALSE(Passes(narrow, wire::DecodeUpdateItem, with(key + set + both, "ALL_OLD")));
  EXPECT_FALSE(Passes(whole, wire::DecodeUpdateItem, with(key + set + both, "ALL_OLD")));
}

// Proves that the caller's own circumstances are what conditions see.
TEST_F(TableAccessTest, KnowsTheCaller) {
  const std::string get = R"({"TableName":"photos","Key":{"pk":{"S":"a"}}})";
  const auto passes = [&](std::string_view condition) {
    return Passes(Caller(AllowIf(condition)), wire::DecodeGetItem, get);
  };
  EXPECT_TRUE(passes(R"({"IpAddress":{"aws:SourceIp":"192.0.2.0/24"}})"));
  EXPECT_FALSE(passes(R"({"IpAddress":{"aws:SourceIp":"198.51.100.0/24"}})"));
  EXPECT_TRUE(passes(R"({"StringEquals":{"aws:username":"ada"}})"));
  EXPECT_TRUE(passes(R"({"StringLike":{"aws:UserAgent":"reporter/*"}})"));
  EXPECT_FALSE(passes(R"({"StringLike":{"aws:UserAgent":"browser/*"}})"));
  EXPECT_FALSE(passes(R"({"Bool":{"aws:SecureTransport":"true"}})"));
  EXPECT_TRUE(passes(R"({"DateLessThan":{"aws:CurrentTime":"2030-01-01T00:00:00Z"}})"));
  EXPECT_FALSE(passes(R"({"DateLessThan":{"aws:CurrentTime":"2020-01-01T00:00:00Z"}})"));
}

// Proves that the table of accounts answers the root key alone, whatever a policy says and however
// its items are reached, and that nobody writes the audit.
TEST_F(TableAccessTest, ReservesTables) {
  const TableCaller admin = Caller(AdminPolicyDocument());
  TableCaller old_key = Root();  // One that lies in the credentials file beside the root key.
  old_key.principal.kind = PrincipalKind::kAccessKey;
  const auto arn = [](std::string_view table, std::string_view rest) {
    return StrCat(kTable, table, rest);
  };
  for (const TableCaller& caller : {admin, old_key}) {
    for (const std::string table : {"tintype", "tintype-audit", "tintype-audit-clients"}) {
      EXPECT_FALSE(Passes(caller, wire::DecodeScan, StrCat(R"({"TableName":")", table, R"("})")));
      EXPECT_FALSE(
          Passes(caller, wire::DecodeScan, StrCat(R"({"TableName":")", arn(table, ""), R"("})")));
      EXPECT_FALSE(Passes(
          caller, wire::DecodeTransactGetItems,
          StrCat(R"({"TransactItems":[{"Get":{"TableName":"photos","Key":{"pk":{"S":"a"}}}},)",
                 R"({"Get":{"TableName":")", table, R"(","Key":{"PK":{"S":"a"}}}}]})")));
      EXPECT_FALSE(Passes(
          caller, wire::DecodeRestoreTableFromBackup,
          StrCat(R"({"BackupArn":")", arn(table, "/backup/1"), R"(","TargetTableName":"copy"})")));
      EXPECT_FALSE(Passes(caller, wire::DecodeRestoreTableToPointInTime,
                          StrCat(R"({"SourceTableName":")", table,
                                 R"(","TargetTableName":"copy","UseLatestRestorableTime":true})")));
      EXPECT_FALSE(Passes(caller, wire::DecodeExportTable,
                          StrCat(R"({"S3Bucket":"b-1","TableArn":")", arn(table, ""), R"("})")));
      facts_.stream = arn(table, "/stream/1");
      EXPECT_FALSE(Passes(caller, wire::DecodeGetRecords, R"({"ShardIterator":"x"})"));
    }
  }
  EXPECT_THAT(denial_, HasSubstr("because this table answers the root key alone"));
  EXPECT_TRUE(Passes(Root(), wire::DecodeScan, R"({"TableName":"tintype"})"));
  EXPECT_TRUE(Passes(Root(), wire::DecodeScan, R"({"TableName":"tintype-audit"})"));
  EXPECT_FALSE(Passes(Root(), wire::DecodeDeleteTable, R"({"TableName":"tintype-audit"})"));
  EXPECT_FALSE(Passes(Root(), wire::DecodeBatchWriteItem,
                      R"({"RequestItems":{"tintype-audit":[{"DeleteRequest":)"
                      R"({"Key":{"pk":{"S":"a"}}}}]}})"));
  EXPECT_THAT(denial_, HasSubstr("only the server itself writes the audit"));
  EXPECT_TRUE(
      Passes(Root(), wire::DecodePutItem, R"({"TableName":"tintype","Item":{"PK":{"S":"a"}}})"));
}

}  // namespace
}  // namespace tintype::access
