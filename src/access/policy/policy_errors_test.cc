#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "access/policy/policy.h"
#include "base/strings.h"

namespace tintype::access {
namespace {

/// What Parse says about a document; empty when it takes it.
std::string Complaint(std::string_view document) {
  const Result<Policy> policy = Policy::Parse(document);
  if (policy.ok()) {
    return "";
  }
  EXPECT_EQ(policy.error().kind(), ErrorKind::kValidation);
  return policy.error().message();
}

/// The same about a statement with these members, as the second of a document.
std::string InStatement(std::string_view members) {
  return Complaint(StrCat(R"({"Version":"2012-10-17","Statement":[)",
                          R"({"Effect":"Allow","Action":"*","Resource":"*"},{)", members, "}]}"));
}

/// The same about a condition of an otherwise good statement.
std::string InCondition(std::string_view condition) {
  return InStatement(StrCat(
      R"("Sid":"Own","Effect":"Allow","Action":"*","Resource":"*","Condition":)", condition));
}

std::string InResource(std::string_view resource) {
  return InStatement(StrCat(R"("Effect":"Allow","Action":"*","Resource":")", resource, "\""));
}

void ExpectComplaint(const std::string& complaint, std::string_view place, std::string_view what) {
  EXPECT_TRUE(complaint.starts_with(StrCat(place, ": "))) << complaint;
  EXPECT_NE(complaint.find(what), std::string::npos) << complaint << "\nlacks: " << what;
}

// Proves that what is no policy at all is refused with the reason.
TEST(PolicyErrorsTest, Documents) {
  EXPECT_NE(Complaint("").find("This is not JSON"), std::string::npos);
  EXPECT_NE(Complaint("{").find("This is not JSON"), std::string::npos);
  ExpectComplaint(Complaint("[]"), "Policy", "a JSON object");
  ExpectComplaint(Complaint("{}"), "Policy", "empty");
  ExpectComplaint(Complaint(R"({"Version":"2012-10-17"})"), "Policy", "\"Statement\" is missing");
  ExpectComplaint(Complaint(R"({"Statement":[]})"), "Statement", "empty");
  ExpectComplaint(Complaint(R"({"Statement":"x"})"), "Statement 1", "a JSON object");
  ExpectComplaint(Complaint(R"({"Statement":[[]]})"), "Statement 1", "a JSON object");
  ExpectComplaint(Complaint(R"({"Statement":[],"Statements":[]})"), "Policy",
                  "\"Statements\" is unknown here; known are Version, Id, Statement");
  ExpectComplaint(Complaint(R"({"Version":"2012-10-18","Statement":[]})"), "Version",
                  "\"2012-10-17\" or \"2008-10-17\"");
  ExpectComplaint(Complaint(R"({"Version":2012,"Statement":[]})"), "Version", "2012-10-17");
  ExpectComplaint(Complaint(R"({"Id":7,"Statement":[]})"), "Id", "a text");
  ExpectComplaint(Complaint(R"({"Version":"2012-10-17","Version":"2008-10-17","Statement":[]})"),
                  "Policy", "\"Version\" is there twice");
  EXPECT_EQ(Complaint(R"({"Id":"mine","Statement":{"Effect":"Deny","Action":"*","Resource":"*"}})"),
            "");
}

// Proves that errors in a statement name it by number and Sid, and the member.
TEST(PolicyErrorsTest, Statements) {
  ExpectComplaint(InStatement(""), "Statement 2", "\"Effect\" has to be");
  ExpectComplaint(InStatement(R"("Effect":"allow","Action":"*","Resource":"*")"), "Statement 2",
                  "\"Allow\" or \"Deny\"");
  ExpectComplaint(InStatement(R"("Effect":"Allow","Resource":"*")"), "Statement 2",
                  "it needs \"Action\" or \"NotAction\"");
  ExpectComplaint(InStatement(R"("Effect":"Allow","Action":"*","NotAction":"x:y","Resource":"*")"),
                  "Statement 2", "it has both \"Action\" and \"NotAction\"");
  ExpectComplaint(InStatement(R"("Sid":"Own","Effect":"Allow","Action":"*")"), "Statement 2 (Own)",
                  "it needs \"Resource\" or \"NotResource\"");
  ExpectComplaint(InStatement(R"("Effect":"Allow","Effect":"Deny","Action":"*","Resource":"*")"),
                  "Statement 2", "\"Effect\" is there twice");
  ExpectComplaint(InStatement(R"("Effect":"Allow","action":"*","Resource":"*")"), "Statement 2",
                  "\"action\" is unknown here; known are Sid, Effect, Action");
  ExpectComplaint(InStatement(R"("Sid":"a b","Effect":"Allow","Action":"*","Resource":"*")"),
                  "Statement 2", "letters and digits");
  ExpectComplaint(Complaint(R"({"Statement":[
      {"Sid":"A","Effect":"Allow","Action":"*","Resource":"*"},
      {"Sid":"A","Effect":"Allow","Action":"*","Resource":"*"}]})"),
                  "Statement 2", "the Sid \"A\" is that of another statement too");
}

// Proves that what only policies of resources have is refused with that reason.
TEST(PolicyErrorsTest, PrincipalsAreForResources) {
  for (const std::string_view name : {"Principal", "NotPrincipal"}) {
    ExpectComplaint(
        InStatement(StrCat("\"", name, R"(":"*","Effect":"Allow","Action":"*","Resource":"*")")),
        "Statement 2", "belongs in policies of resources");
  }
}

// Proves that actions have to be actions.
TEST(PolicyErrorsTest, Actions) {
  for (const std::string_view action :
       {"\"GetItem\"", "\"dynamodb:\"", "\":GetItem\"", "\"\"", "\"dynamo db:GetItem\"",
        "\"dynamodb:${aws:username}\"", "\"d*:GetItem\"", "\"dynamodb:Get:Item\""}) {
    ExpectComplaint(InStatement(StrCat(R"("Effect":"Allow","Resource":"*","Action":)", action)),
                    "Statement 2, Action", "is neither \"*\" nor an action");
  }
  ExpectComplaint(InStatement(R"("Effect":"Allow","Resource":"*","NotAction":[])"),
                  "Statement 2, NotAction", "the list is empty");
  ExpectComplaint(InStatement(R"("Effect":"Allow","Resource":"*","Action":[["dynamodb:*"]])"),
                  "Statement 2, Action", "a text, or a list of texts");
  ExpectComplaint(InStatement(R"("Effect":"Allow","Resource":"*","Action":7)"),
                  "Statement 2, Action", "a text, or a list of texts");
}

// Proves that resources have to be ARNs, with variables where AWS takes them.
TEST(PolicyErrorsTest, Resources) {
  const std::string_view place = "Statement 2, Resource";
  ExpectComplaint(InResource("table/Books"), place, "neither an ARN");
  ExpectComplaint(InResource(""), place, "neither an ARN");
  ExpectComplaint(InResource("*table/Books"), place, "neither an ARN");
  ExpectComplaint(InResource("arn:aws:dynamodb:*:table/Books"), place,
                  "a slash before its sixth part");
  ExpectComplaint(InResource("arn:aws:dynamodb:*:${aws:PrincipalAccount}:table/Books"), place,
                  "a variable before its sixth part");
  ExpectComplaint(InResource("arn:aws:dynamodb:*:*:table/${aws:username"), place,
                  "without its closing brace");
  ExpectComplaint(InResource("arn:aws:dynamodb:*:*:table/${}"), place, "no condition key");
  ExpectComplaint(InResource("arn:aws:dynamodb:*:*:table/${aws:user name}"), place,
                  "no condition key");
  ExpectComplaint(InResource("arn:aws:dynamodb:*:*:table/${username}"), place, "no condition key");
  ExpectComplaint(InResource("arn:aws:dynamodb:*:*:table/${aws:username, x}"), place,
                  "not in single quotes");
  ExpectComplaint(InResource("arn:aws:dynamodb:*:*:table/${aws:username, 'x}"), place,
                  "not in single quotes");
  EXPECT_EQ(InResource("arn:aws:dynamodb:*:*:table/${www.amazon.com:user_id}"), "");
  ExpectComplaint(InStatement(R"("Effect":"Allow","Action":"*","NotResource":["*",null])"),
                  "Statement 2, NotResource", "a text, or a list of texts");
}

// Proves that conditions are refused with their place down to the key.
TEST(PolicyErrorsTest, Conditions) {
  const std::string_view place = "Statement 2 (Own), Condition";
  ExpectComplaint(InCondition("[]"), place, "a JSON object");
  ExpectComplaint(InCondition(R"({"StringIs":{"aws:username":"x"}})"), place,
                  "\"StringIs\" is no condition operator");
  for (const std::string_view name : {"ForSomeValues:StringEquals", "StringEqualsIfExist",
                                      "IfExists", "", "NullIfExists", "ForAllValues:Null"}) {
    ExpectComplaint(InCondition(StrCat("{\"", name, R"(":{"aws:username":"x"}})")), place,
                    "is no condition operator");
  }
  ExpectComplaint(InCondition(R"({"StringEquals":"x"})"),
                  "Statement 2 (Own), Condition, StringEquals", "a JSON object");
  for (const std::string_view key : {"username", ":x", "aws:", "", "aws:user name", "a_b:c"}) {
    ExpectComplaint(InCondition(StrCat(R"({"StringEquals":{")", key, R"(":"x"}})")),
                    "Statement 2 (Own), Condition, StringEquals", "is no condition key");
  }
  ExpectComplaint(InCondition(R"({"StringEquals":{"aws:username":"x","AWS:UserName":"y"}})"),
                  "Statement 2 (Own), Condition, StringEquals", "\"AWS:UserName\" is there twice");
  ExpectComplaint(InCondition(R"({"StringEquals":{"aws:username":"x"},"stringEquals":{}})"), place,
                  "\"stringEquals\" is there twice");
}

// Proves that values have to be what their operator compares.
TEST(PolicyErrorsTest, Values) {
  struct Case {
    std::string_view name;
    std::string_view value;
    std::string_view complaint;
  };
  const Case cases[] = {
      {"StringEquals", "[]", "the list is empty"},
      {"StringEquals", "null", "a text, a number"},
      {"StringEquals", "{}", "a text, a number"},
      {"StringEquals", "[[\"x\"]]", "a text, a number"},
      {"StringEquals", "\"${aws:username\"", "without its closing brace"},
      {"NumericEquals", "\"seven\"", "\"seven\" is not a number"},
      {"NumericEquals", "\"${aws:username}\"", "is not a number"},
      {"NumericEquals", "18446744073709551615", "at most 15 digits"},
      {"NumericLessThan", "true", "\"true\" is not a number"},
      {"DateEquals", "\"soon\"", "\"soon\" is not a date"},
      {"DateEquals", "\"2026\"", "is not a date"},
      {"DateEquals", "\"2026-02-30\"", "is not a date"},
      {"DateEquals", "\"2026-02-28T12:00\"", "is not a date"},
      {"DateEquals", "\"2026-02-28T12:00:00.Z\"", "is not a date"},
      {"DateEquals", "\"2026-02-28T12:00+9:00\"", "is not a date"},
      {"DateEquals", "\"2026-02-*\"", "is not a date"},
      {"DateEquals", "\"99999999999999\"", "is not a date"},
      {"Bool", "\"yes\"", "is not \"true\" or \"false\""},
      {"Bool", "[\"true\",\"false\"]", "takes one value"},
      {"Null", "\"yes\"", "is not \"true\" or \"false\""},
      {"Null", "[true,false]", "takes one value"},
      {"BinaryEquals", "\"?\"", "is not Base64"},
      {"IpAddress", "\"203.0.113.0/33\"", "is not an address or range"},
      {"IpAddress", "\"203.0.113\"", "is not an address or range"},
      {"IpAddress", "\"203.0.113.0/-1\"", "is not an address or range"},
      {"IpAddress", "\"203.0.113.0/\"", "is not an address or range"},
      {"NotIpAddress", "\"2001:db8::/129\"", "is not an address or range"},
      {"IpAddress", "\"*\"", "is not an address or range"},
      {"ArnLike", "\"ada\"", "is no ARN"},
      {"ArnLike", "\"arn:aws:iam:*:user/x\"", "is no ARN"},
  };
  for (const Case& example : cases) {
    ExpectComplaint(
        InCondition(StrCat("{\"", example.name, "\":{\"aws:username\":", example.value, "}}")),
        StrCat("Statement 2 (Own), Condition, ", example.name, ", aws:username"),
        example.complaint);
  }
}

std::string Repeated(std::string_view text, size_t count, std::string_view separator) {
  std::string all;
  for (size_t i = 0; i < count; ++i) {
    StrAppend(all, i == 0 ? "" : separator, text);
  }
  return all;
}

// Proves that every limit lets its last value pass and refuses the next with its number.
TEST(PolicyErrorsTest, Limits) {
  const auto statements = [](size_t count) {
    return Complaint(
        StrCat("{\"Statement\":[",
               Repeated(R"({"Effect":"Deny","Action":"*","Resource":"*"})", count, ","), "]}"));
  };
  EXPECT_EQ(statements(Policy::kStatementsMax), "");
  ExpectComplaint(statements(Policy::kStatementsMax + 1), "Statement", "more than 64");

  const auto values = [](size_t count) {
    return InCondition(
        StrCat(R"({"StringEquals":{"aws:username":[)", Repeated("\"x\"", count, ","), "]}}"));
  };
  EXPECT_EQ(values(Policy::kListMax), "");
  ExpectComplaint(values(Policy::kListMax + 1),
                  "Statement 2 (Own), Condition, StringEquals, aws:username", "more than 256");

  const auto conditions = [](size_t count) {
    std::string keys;
    for (size_t i = 0; i < count; ++i) {
      StrAppend(keys, i == 0 ? "" : ",", "\"x:", i, "\":\"\"");
    }
    return InCondition(StrCat(R"({"StringEquals":{)", keys, "}}"));
  };
  EXPECT_EQ(conditions(Policy::kListMax), "");
  ExpectComplaint(conditions(Policy::kListMax + 1),
                  "Statement 2 (Own), Condition, StringEquals, x:256", "more than 256 conditions");

  const std::string arn = "arn:aws:dynamodb:us-east-1:000000000000:table/";
  EXPECT_EQ(InResource(arn + std::string(Policy::kPatternBytesMax - arn.size(), 'x')), "");
  ExpectComplaint(InResource(arn + std::string(Policy::kPatternBytesMax - arn.size() + 1, 'x')),
                  "Statement 2, Resource", "longer than 2048 bytes");
  EXPECT_EQ(InResource(arn + Repeated("*", Policy::kPatternWildcardsMax, "x")), "");
  ExpectComplaint(InResource(arn + Repeated("?", Policy::kPatternWildcardsMax + 1, "x")),
                  "Statement 2, Resource", "more than 32 wildcards");

  const std::string policy = R"({"Statement":{"Effect":"Deny","Action":"*","Resource":"*"}})";
  const std::string blanks(Policy::kDocumentBytesMax - policy.size(), ' ');
  EXPECT_EQ(Complaint(policy + blanks), "");
  EXPECT_NE(Complaint(policy + blanks + " ").find("longer than 10240 bytes"), std::string::npos);
}

}  // namespace
}  // namespace tintype::access
