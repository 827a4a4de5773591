#include "access/policy/policy.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "access/policy/denial.h"
#include "access/policy/internal/test_policy.h"

namespace tintype::access {
namespace {

using internal::Decide;
using internal::TestPolicy;

constexpr std::string_view kBooks = "arn:aws:dynamodb:us-east-1:000000000000:table/Books";

/// A policy that allows everything on what the JSON of a Resource says.
Policy OnResource(std::string_view resource) {
  return TestPolicy(
      StrCat(R"({"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*",)",
             R"("Resource":)", resource, "}]}"));
}

bool Covers(std::string_view resource, std::string_view arn, const PolicyContext& context = {}) {
  return Decide(OnResource(StrCat("\"", resource, "\"")), "dynamodb:GetItem", arn, context) ==
         Verdict::kAllowed;
}

bool AllowsAction(std::string_view actions, std::string_view action) {
  return Decide(TestPolicy(StrCat(R"({"Statement":{"Effect":"Allow","Action":)", actions,
                                  R"(,"Resource":"*"}})")),
                action, kBooks) == Verdict::kAllowed;
}

// Proves that an explicit denial wins over every Allow, wherever it stands, and that what no
// statement names is denied by default.
TEST(PolicyTest, DenialsWinAndTheDefaultIsNo) {
  for (const std::string_view document : {
           R"({"Statement":[{"Effect":"Allow","Action":"dynamodb:*","Resource":"*"},
               {"Sid":"NoDrop","Effect":"Deny","Action":"dynamodb:DeleteTable","Resource":"*"}]})",
           R"({"Statement":[
               {"Sid":"NoDrop","Effect":"Deny","Action":"dynamodb:DeleteTable","Resource":"*"},
               {"Effect":"Allow","Action":"dynamodb:*","Resource":"*"}]})"}) {
    const Policy policy = TestPolicy(document);
    EXPECT_EQ(Decide(policy, "dynamodb:GetItem", kBooks), Verdict::kAllowed);
    EXPECT_EQ(Decide(policy, "dynamodb:DeleteTable", kBooks), Verdict::kDeniedExplicitly);
    EXPECT_EQ(Decide(policy, "s3:GetObject", kBooks), Verdict::kDeniedByDefault);
  }
}

// Proves that a decision names the statement behind it, by its place in the document.
TEST(PolicyTest, DecisionsNameTheirStatement) {
  const Policy policy = TestPolicy(
      R"({"Statement":[{"Effect":"Allow","Action":"dynamodb:GetItem","Resource":"*"},
          {"Sid":"NoDrop","Effect":"Deny","Action":"dynamodb:DeleteTable","Resource":"*"},
          {"Sid":"Lists","Effect":"Allow","Action":"dynamodb:List*","Resource":"*"}]})");
  const PolicyContext context;
  const PolicyDecision denied = policy.Evaluate({"dynamodb:DeleteTable", kBooks, context});
  EXPECT_EQ(denied.statement, 2U);
  EXPECT_EQ(denied.sid, "NoDrop");
  const PolicyDecision allowed = policy.Evaluate({"dynamodb:ListTables", "*", context});
  EXPECT_TRUE(allowed.allowed());
  EXPECT_EQ(allowed.statement, 3U);
  EXPECT_EQ(allowed.sid, "Lists");
  const PolicyDecision neither = policy.Evaluate({"dynamodb:Scan", kBooks, context});
  EXPECT_EQ(neither.statement, 0U);
  EXPECT_EQ(neither.sid, "");
}

// Proves that actions match without regard to case, by wildcards anywhere in their name.
TEST(PolicyTest, ActionsMatchByWildcardsAndInAnyCase) {
  EXPECT_TRUE(AllowsAction(R"("dynamodb:GetItem")", "dynamodb:GetItem"));
  EXPECT_TRUE(AllowsAction(R"("DynamoDB:getitem")", "dynamodb:GetItem"));
  EXPECT_TRUE(AllowsAction(R"("dynamodb:*Item")", "dynamodb:BatchGetItem"));
  EXPECT_TRUE(AllowsAction(R"("dynamodb:?etItem")", "dynamodb:GetItem"));
  EXPECT_TRUE(AllowsAction(R"("*")", "anything:AtAll"));
  EXPECT_TRUE(AllowsAction(R"(["dynamodb:Scan","dynamodb:Query"])", "dynamodb:Query"));
  EXPECT_FALSE(AllowsAction(R"("dynamodb:GetItem")", "dynamodb:GetItems"));
  EXPECT_FALSE(AllowsAction(R"("dynamodb:*Item")", "dynamodb:GetRecords"));
  EXPECT_FALSE(AllowsAction(R"("dynamodb:??etItem")", "dynamodb:GetItem"));
  EXPECT_FALSE(AllowsAction(R"("dax:*")", "dynamodb:GetItem"));
}

// Proves that an action longer than any that exists is compared to its end.
TEST(PolicyTest, LongActionsAreComparedToTheirEnd) {
  const std::string action = StrCat("dynamodb:", std::string(200, 'x'));
  EXPECT_TRUE(AllowsAction(R"("dynamodb:X*")", action));
  EXPECT_FALSE(AllowsAction(R"("dynamodb:X*y")", action));
}

// Proves that NotAction and NotResource stand for everything but what they list.
TEST(PolicyTest, NotMeansEverythingElse) {
  const Policy policy = TestPolicy(
      StrCat(R"({"Statement":[{"Effect":"Allow","NotAction":["dynamodb:Delete*","iam:*"],)",
             R"("NotResource":[")", kBooks, R"(",")", kBooks, R"(/*"]}]})"));
  constexpr std::string_view kFilms = "arn:aws:dynamodb:us-east-1:000000000000:table/Films";
  EXPECT_EQ(Decide(policy, "dynamodb:GetItem", kFilms), Verdict::kAllowed);
  EXPECT_EQ(Decide(policy, "dynamodb:ListTables", "*"), Verdict::kAllowed);
  EXPECT_EQ(Decide(policy, "dynamodb:DeleteItem", kFilms), Verdict::kDeniedByDefault);
  EXPECT_EQ(Decide(policy, "dynamodb:GetItem", kBooks), Verdict::kDeniedByDefault);
  EXPECT_EQ(Decide(policy, "dynamodb:Query", StrCat(kBooks, "/index/ByYear")),
            Verdict::kDeniedByDefault);
}

// Proves that a table's ARN is the table alone: indexes, streams and backups have ARNs of their
// own.
TEST(PolicyTest, SubResourcesAreNamedForThemselves) {
  for (const std::string_view part :
       {"/index/ByYear", "/stream/2026-02-28T23:59:59.999", "/backup/01489602797149-73d8d5bc",
        "/export/01234-567", "/import/01234-567"}) {
    const std::string arn = StrCat(kBooks, part);
    EXPECT_FALSE(Covers(kBooks, arn)) << part;
    EXPECT_TRUE(Covers(StrCat(kBooks, "/*"), arn)) << part;
    EXPECT_TRUE(Covers(StrCat(kBooks, part.substr(0, part.rfind('/')), "/*"), arn)) << part;
    EXPECT_TRUE(Covers(StrCat(kBooks, "*"), arn)) << part;
  }
  EXPECT_FALSE(Covers(StrCat(kBooks, "/*"), kBooks));
  EXPECT_FALSE(Covers(StrCat(kBooks, "/index/*"), StrCat(kBooks, "/stream/2026")));
  EXPECT_TRUE(Covers(StrCat(kBooks, "*"), StrCat(kBooks, "Old")));
}

// Proves that wildcards stay within a part of an ARN, but for a `*` at its end.
TEST(PolicyTest, WildcardsStopAtColonsUnlessTheyEndAPart) {
  EXPECT_TRUE(Covers("arn:aws:dynamodb:us-*-1:000000000000:table/Books", kBooks));
  EXPECT_TRUE(Covers("arn:aws:dynamodb:?s-e??t-?:*:table/B?oks", kBooks));
  EXPECT_TRUE(Covers("arn:*:dynamodb:*:*:*", kBooks));
  EXPECT_TRUE(Covers("arn:aws:dynamodb:us-east-1:*", kBooks));
  EXPECT_FALSE(Covers("arn:aws:dynamodb:u*1:000000000001:table/Books",
                      "arn:aws:dynamodb:us:1:000000000001:table/Books"));
  EXPECT_TRUE(Covers("arn:aws:dynamodb:u*:000000000001:table/Books",
                     "arn:aws:dynamodb:us:1:000000000001:table/Books"));
  EXPECT_FALSE(Covers("arn:aws:dynamodb:us-east-1?000000000000:x:table/Books",
                      "arn:aws:dynamodb:us-east-1:000000000000:x:table/Books"));
  // After the fifth colon a colon is a character like any other.
  EXPECT_TRUE(Covers(StrCat(kBooks, "/stream/*:59.999"),
                     StrCat(kBooks, "/stream/2026-02-28T23:59:59.999")));
  EXPECT_TRUE(Covers(StrCat(kBooks, "/stream/2026-02-28T23?59:59.999"),
                     StrCat(kBooks, "/stream/2026-02-28T23:59:59.999")));
}

// Proves that a wildcard which stops at colons and one which does not find their way together.
TEST(PolicyTest, BoundedAndUnboundedWildcardsWorkTogether) {
  EXPECT_TRUE(Covers("arn:*:d*b:*:*:table/*", kBooks));
  // The partition's `*` has to pass the first `d...:b` to find the part that begins and ends so.
  EXPECT_TRUE(Covers("arn:*:d*b:eu:1:table/x", "arn:d:x:db:eu:1:table/x"));
  EXPECT_TRUE(Covers("arn:a*:d*b:eu:1:table/x", "arn:a:d:db:eu:1:table/x"));
  EXPECT_FALSE(Covers("arn:a*:d*b:eu:1:table/x", "arn:a:d:b:eu:1:table/x"));
}

// Proves that ARNs compare with regard to case, and that parts which an ARN lacks are any.
TEST(PolicyTest, ArnsAreExactAndMissingPartsAreAny) {
  EXPECT_FALSE(Covers("arn:aws:dynamodb:us-east-1:000000000000:table/books", kBooks));
  EXPECT_TRUE(Covers("arn:aws:dynamodb", kBooks));
  EXPECT_TRUE(Covers("arn:aws:dynamodb:us-east-1", kBooks));
  EXPECT_FALSE(Covers("arn:aws:dynamodb:eu-west-1", kBooks));
  EXPECT_FALSE(Covers("arn:aws:s3", kBooks));
}

// Proves that an operation without a resource needs the Resource `*`, as in AWS.
TEST(PolicyTest, OperationsWithoutResourceNeedTheStar) {
  EXPECT_TRUE(Covers("*", "*"));
  EXPECT_FALSE(Covers("arn:aws:dynamodb:*:*:*", "*"));
  EXPECT_FALSE(Covers("arn:*", "*"));
}

// Proves that variables stand for what the request has, and their wildcards for themselves.
TEST(PolicyTest, VariablesStandForTheRequestsValues) {
  PolicyContext ada;
  ada.username = "ada";
  const std::string own = "arn:aws:dynamodb:us-east-1:000000000000:table/${aws:UserName}-notes";
  const auto notes = [](std::string_view name) {
    return StrCat("arn:aws:dynamodb:us-east-1:000000000000:table/", name, "-notes");
  };
  EXPECT_TRUE(Covers(own, notes("ada"), ada));
  EXPECT_FALSE(Covers(own, notes("bob"), ada));
  EXPECT_FALSE(Covers(own, notes("ada")));  // Nobody's name is no name.
  EXPECT_FALSE(Covers(own, notes("")));
  PolicyContext star;
  star.username = "*";
  EXPECT_FALSE(Covers(own, notes("ada"), star));
  EXPECT_TRUE(Covers(own, notes("*"), star));

  const std::string with_default =
      "arn:aws:dynamodb:us-east-1:000000000000:table/${aws:username, 'every*one'}-notes";
  EXPECT_TRUE(Covers(with_default, notes("ada"), ada));
  EXPECT_TRUE(Covers(with_default, notes("every*one")));
  EXPECT_FALSE(Covers(with_default, notes("everyone")));
  EXPECT_FALSE(Covers(with_default, notes("every*one"), ada));

  const std::string literals = "arn:aws:dynamodb:us-east-1:000000000000:table/a${*}b${?}c${$}{d*";
  EXPECT_TRUE(Covers(literals, "arn:aws:dynamodb:us-east-1:000000000000:table/a*b?c${dx"));
  EXPECT_FALSE(Covers(literals, "arn:aws:dynamodb:us-east-1:000000000000:table/axb?c${dx"));
}

// Proves that Version 2008-10-17, which also counts without any, has no variables.
TEST(PolicyTest, TheOlderVersionHasNoVariables) {
  PolicyContext ada;
  ada.username = "ada";
  const auto decide = [&](std::string_view version, std::string_view key) {
    const Policy policy = TestPolicy(StrCat(
        "{", version, R"("Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":)",
        R"({"StringEquals":{"dynamodb:LeadingKeys":"${aws:username}"}}}})"));
    const std::string_view keys[] = {key};
    PolicyContext context = ada;
    context.leading_keys = keys;
    return Decide(policy, "dynamodb:GetItem", kBooks, context) == Verdict::kAllowed;
  };
  EXPECT_TRUE(decide(R"("Version":"2012-10-17",)", "ada"));
  EXPECT_FALSE(decide(R"("Version":"2012-10-17",)", "${aws:username}"));
  for (const std::string_view old : {R"("Version":"2008-10-17",)", ""}) {
    EXPECT_FALSE(decide(old, "ada"));
    EXPECT_TRUE(decide(old, "${aws:username}"));
  }
}

// Proves that NotResource with a variable without value never opens everything, and still denies.
TEST(PolicyTest, NotResourceWithoutValueStaysOnTheSafeSide) {
  const auto decide = [](std::string_view effect, std::string_view username) {
    const Policy policy = TestPolicy(StrCat(
        R"({"Version":"2012-10-17","Statement":{"Effect":")", effect, R"(","Action":"*",)",
        R"("NotResource":"arn:aws:dynamodb:us-east-1:000000000000:table/${aws:username}"}})"));
    PolicyContext context;
    context.username = username;
    return Decide(policy, "dynamodb:GetItem", kBooks, context);
  };
  EXPECT_EQ(decide("Allow", "ada"), Verdict::kAllowed);
  EXPECT_EQ(decide("Allow", "Books"), Verdict::kDeniedByDefault);
  EXPECT_EQ(decide("Allow", ""), Verdict::kDeniedByDefault);
  EXPECT_EQ(decide("Deny", "Books"), Verdict::kDeniedByDefault);
  EXPECT_EQ(decide("Deny", ""), Verdict::kDeniedExplicitly);
}

// Proves that of several policies any may allow, any may forbid, and none is no permission.
TEST(PolicyTest, SeveralPoliciesAreCombined) {
  const PolicyContext context;
  const PolicyRequest get{"dynamodb:GetItem", kBooks, context};
  const Policy reads = TestPolicy(
      R"({"Statement":{"Sid":"R","Effect":"Allow","Action":"dynamodb:Get*","Resource":"*"}})");
  const Policy writes =
      TestPolicy(R"({"Statement":{"Effect":"Allow","Action":"dynamodb:Put*","Resource":"*"}})");
  const Policy nothing =
      TestPolicy(R"({"Statement":{"Sid":"N","Effect":"Deny","Action":"*","Resource":"*"}})");
  EXPECT_EQ(Evaluate({}, get).verdict, Verdict::kDeniedByDefault);
  EXPECT_EQ(Evaluate(std::vector{writes}, get).verdict, Verdict::kDeniedByDefault);
  EXPECT_EQ(Evaluate(std::vector{writes, reads}, get).verdict, Verdict::kAllowed);
  EXPECT_EQ(Evaluate(std::vector{writes, reads}, get).sid, "R");
  EXPECT_EQ(Evaluate(std::vector{reads, writes}, get).sid, "R");
  EXPECT_EQ(Evaluate(std::vector{reads, writes, nothing}, get).verdict, Verdict::kDeniedExplicitly);
  EXPECT_EQ(Evaluate(std::vector{nothing, reads}, get).sid, "N");
}

// Proves that a policy tells which keys it reads, in conditions and in variables.
TEST(PolicyTest, TellsWhichKeysItReads) {
  const Policy policy = TestPolicy(
      R"({"Version":"2012-10-17","Statement":[
          {"Effect":"Allow","Action":"*","Resource":"arn:aws:dynamodb:*:*:table/${aws:userid}",
           "Condition":{"StringLike":{"DYNAMODB:attributes":"${aws:username}*"}}},
          {"Effect":"Deny","Action":"*","Resource":"*","Condition":{"Null":{"aws:SourceIp":true}}}]})");
  for (const ConditionKey key : {ConditionKey::kAttributes, ConditionKey::kUserId,
                                 ConditionKey::kUsername, ConditionKey::kSourceIp}) {
    EXPECT_TRUE(policy.Uses(key)) << static_cast<int>(key);
  }
  for (const ConditionKey key : {ConditionKey::kLeadingKeys, ConditionKey::kSelect,
                                 ConditionKey::kCurrentTime, ConditionKey::kUnknown}) {
    EXPECT_FALSE(policy.Uses(key)) << static_cast<int>(key);
  }
}

// Proves that a policy keeps its document as it was, also in copies.
TEST(PolicyTest, KeepsItsDocument) {
  const std::string document =
      "{ \"Statement\" : {\"Effect\":\"Allow\", \"Action\":\"*\",\n\"Resource\":\"*\"} }";
  const Policy copy = Policy(TestPolicy(document));
  EXPECT_EQ(copy.document(), document);
}

// Proves that many wildcards against a text that almost matches take no noticeable time.
TEST(PolicyTest, WildcardsDoNotExplode) {
  std::string pattern = "arn:aws:dynamodb:*:*:table/";
  for (int i = 0; i < 28; ++i) {
    pattern += "a*";
  }
  pattern += "b";
  const std::string text =
      StrCat("arn:aws:dynamodb:us-east-1:000000000000:table/", std::string(1000, 'a'));
  EXPECT_FALSE(Covers(pattern, text));
  EXPECT_TRUE(Covers(pattern, text + "b"));
}

// Proves that a denial reads as AWS's does.
TEST(PolicyTest, DenialsSpeakAwssWords) {
  constexpr std::string_view kAda = "arn:aws:iam::000000000000:user/ada";
  EXPECT_EQ(DenialMessage({}, PolicyKind::kIdentity, kAda, "dynamodb:GetItem", kBooks),
            "User: arn:aws:iam::000000000000:user/ada is not authorized to perform: "
            "dynamodb:GetItem on resource: arn:aws:dynamodb:us-east-1:000000000000:table/Books "
            "because no identity-based policy allows the dynamodb:GetItem action");
  EXPECT_EQ(DenialMessage({.verdict = Verdict::kDeniedExplicitly, .statement = 1, .sid = {}},
                          PolicyKind::kIdentity, kAda, "dynamodb:GetItem", kBooks),
            "User: arn:aws:iam::000000000000:user/ada is not authorized to perform: "
            "dynamodb:GetItem on resource: arn:aws:dynamodb:us-east-1:000000000000:table/Books "
            "with an explicit deny in an identity-based policy");
}

}  // namespace
}  // namespace tintype::access
