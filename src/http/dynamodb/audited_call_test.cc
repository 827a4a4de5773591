#include "http/dynamodb/audited_call.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tables/language/errors.h"

namespace tintype::http::dynamodb {
namespace {

using access::audit::Outcome;

// Proves that a new operation cannot be forgotten: each is audited, or is known to change nothing
// but items.
TEST(AuditedCallTest, EveryControlCallIsAudited) {
  const std::set<std::string_view> items = {"BatchWriteItem", "DeleteItem", "PutItem",
                                            "TransactWriteItems", "UpdateItem"};
  for (size_t i = 0; i < OperationNames().size(); ++i) {
    const std::string_view name = OperationNames()[i];
    const bool reads = name.starts_with("Describe") || name.starts_with("List") ||
                       name.starts_with("Get") || name == "BatchGetItem" || name == "Query" ||
                       name == "Scan" || name == "TransactGetItems";
    EXPECT_EQ(AuditKindOf(i).empty(), reads || items.contains(name)) << name;
  }
}

// Proves that the entry names what the call is about, in each of the places where calls name it.
TEST(AuditedCallTest, SubjectsOfCalls) {
  const auto subject = [](std::string_view body) {
    return CallEntry({"UpdateTable", body, ""}, "table.update", "id").subject;
  };
  EXPECT_EQ(subject(R"({"TableName": "a", "BackupName": "b"})"), "a");
  EXPECT_EQ(subject(R"({"TargetTableName": "t", "BackupArn": "arn"})"), "t");
  EXPECT_EQ(subject(R"({"SourceTableName": "s", "TargetTableName": "t"})"), "t");
  EXPECT_EQ(subject(R"({"ResourceArn": "arn:x", "Tags": []})"), "arn:x");
  EXPECT_EQ(subject(R"({"TableCreationParameters": {"TableName": "new"}})"), "new");
  EXPECT_EQ(subject(R"({"TableName": 5})"), "");
  EXPECT_EQ(subject("no json"), "");
}

// Proves that the entry of a table tells whether a policy came with it.
TEST(AuditedCallTest, PoliciesOfNewTables) {
  const auto details = [](std::string_view kind, std::string_view body) {
    return CallEntry({"CreateTable", body, ""}, kind, "id").details;
  };
  const std::string_view with = R"({"TableName": "a", "ResourcePolicy": "{}"})";
  EXPECT_EQ(details("table.create", with).at("resourcePolicy"), "attached");
  EXPECT_FALSE(details("table.create", R"({"TableName": "a"})").contains("resourcePolicy"));
  // Other calls have no such member, and what they ignore is not attached.
  EXPECT_FALSE(details("table.update", with).contains("resourcePolicy"));
}

// Proves that a stranger's request is told of without what only its sender can vouch for.
TEST(AuditedCallTest, Denials) {
  Request request;
  request.address = "2001:db8::1";
  request.target = "/";
  request.headers = {
      {"authorization",
       "AWS4-HMAC-SHA256 Credential=AKIA1\"\n/20260101/us-east-1/dynamodb/aws4_request"}};
  const auto entry =
      DenialEntry(request, "GetItem", Error(ErrorKind::kUnauthenticated, "no"), "id");
  EXPECT_EQ(entry.kind, "access.unauthenticated");
  EXPECT_EQ(entry.outcome, Outcome::kDenied);
  EXPECT_EQ(entry.principal.address, "2001:db8::1");
  EXPECT_EQ(entry.details.at("claimedKey"), "AKIA1");
  EXPECT_EQ(entry.details.at("operation"), "GetItem");
}

// Proves that a call which was not allowed and one which failed are told apart.
TEST(AuditedCallTest, Errors) {
  access::audit::Entry entry;
  AddError(entry, Error(ErrorKind::kAccessDenied, "no"));
  EXPECT_EQ(entry.outcome, Outcome::kDenied);
  AddError(entry, Error::InUse("there"));
  EXPECT_EQ(entry.outcome, Outcome::kFailed);
  EXPECT_NE(entry.details.at("error").find("ResourceInUseException"), std::string::npos);
}

}  // namespace
}  // namespace tintype::http::dynamodb
