#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "access/policy/internal/test_policy.h"

// Policies of tables and streams: whom they are about, and what.
namespace tintype::access {
namespace {

using internal::kTestIndex;
using internal::kTestTable;
using ::testing::HasSubstr;

constexpr std::string_view kTestStream =
    "arn:aws:dynamodb:us-east-1:000000000000:table/GameScores/stream/2026-11-18T10:00:00.000";
constexpr std::string_view kAda = R"({"AWS":"arn:aws:iam::000000000000:user/ada"})";

std::string Document(std::string_view effect, std::string_view principal,
                     std::string_view resource = "*",
                     std::string_view action = "dynamodb:GetItem") {
  return StrCat(R"({"Version":"2012-10-17","Statement":{"Effect":")", effect, R"(",)", principal,
                R"(,"Action":")", action, R"(","Resource":")", resource, R"("}})");
}
std::string Principal(std::string_view value) { return StrCat(R"("Principal":)", value); }
std::string NotPrincipal(std::string_view value) { return StrCat(R"("NotPrincipal":)", value); }

std::string ErrorOf(std::string_view document, std::string_view arn = kTestTable) {
  const Result<Policy> policy = Policy::ParseForResource(document, arn);
  return policy.ok() ? std::string() : std::string(policy.error().message());
}

/// What a policy of the table says of a GetItem by the key of that name.
Verdict DecideFor(std::string_view document, std::string_view user,
                  std::string_view resource = kTestTable,
                  std::string_view action = "dynamodb:GetItem") {
  const Result<Policy> policy = Policy::ParseForResource(document, kTestTable);
  EXPECT_TRUE(policy.ok()) << policy.error().message() << document;
  PolicyContext context;
  context.username = user;
  return policy.ok() ? policy->Evaluate({action, resource, context}).verdict
                     : Verdict::kDeniedByDefault;
}

// Proves whom each form of Principal means. In one account, what the account is allowed is left to
// the policies of its keys; what it is denied is denied to all of them.
TEST(ResourcePolicyTest, PrincipalsMeanKeys) {
  struct Row {
    std::string_view principal;
    bool allows_ada;
    bool denies_ada;
  };
  const Row rows[] = {
      {R"("*")", true, true},
      {R"({"AWS":"*"})", true, true},
      {kAda, true, true},
      {R"({"AWS":["arn:aws:iam::000000000000:user/zoe","arn:aws:iam::000000000000:user/ada"]})",
       true, true},
      {R"({"AWS":"arn:aws:iam::000000000000:user/bob"})", false, false},
      {R"({"AWS":"arn:aws:iam::000000000000:user/Ada"})", false, false},
      {R"({"AWS":"000000000000"})", false, true},
      {R"({"AWS":"arn:aws:iam::000000000000:root"})", false, true},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(DecideFor(Document("Allow", Principal(row.principal)), "ada"),
              row.allows_ada ? Verdict::kAllowed : Verdict::kDeniedByDefault)
        << row.principal;
    EXPECT_EQ(DecideFor(Document("Deny", Principal(row.principal)), "ada"),
              row.denies_ada ? Verdict::kDeniedExplicitly : Verdict::kDeniedByDefault)
        << row.principal;
  }
}

// Proves that NotPrincipal is about all others, that an exception for a key needs none for the
// account, and that one for the account is none for its keys.
TEST(ResourcePolicyTest, NotPrincipalMeansTheOthers) {
  const std::string but_ada =
      R"({"AWS":["arn:aws:iam::000000000000:user/ada","arn:aws:iam::000000000000:root"]})";
  EXPECT_EQ(DecideFor(Document("Deny", NotPrincipal(but_ada)), "ada"), Verdict::kDeniedByDefault);
  EXPECT_EQ(DecideFor(Document("Deny", NotPrincipal(but_ada)), "bob"), Verdict::kDeniedExplicitly);
  EXPECT_EQ(DecideFor(Document("Deny", NotPrincipal(kAda)), "ada"), Verdict::kDeniedByDefault);
  EXPECT_EQ(DecideFor(Document("Deny", NotPrincipal(R"({"AWS":"000000000000"})")), "ada"),
            Verdict::kDeniedExplicitly);
}

// Proves that nobody lets in everybody else by naming one, as in AWS.
TEST(ResourcePolicyTest, RefusesToAllowTheOthers) {
  const std::string_view principals[] = {kAda, R"({"AWS":"000000000000"})", R"("*")"};
  for (const std::string_view principal : principals) {
    EXPECT_EQ(ErrorOf(Document("Allow", NotPrincipal(principal))),
              "Statement 1: \"NotPrincipal\" has to be used with \"Deny\": with \"Allow\" it would "
              "let in everybody else");
  }
}

// Proves that a statement needs whom it is about, and that only those can be named who exist here.
TEST(ResourcePolicyTest, RefusesOtherPrincipals) {
  EXPECT_THAT(ErrorOf(R"({"Statement":{"Effect":"Allow","Action":"*","Resource":"*"}})"),
              HasSubstr(R"(Statement 1: it needs "Principal" or "NotPrincipal")"));
  EXPECT_THAT(ErrorOf(Document("Allow", StrCat(Principal(R"("*")"), ",", NotPrincipal(kAda)))),
              HasSubstr(R"(it has both "Principal" and "NotPrincipal")"));
  const std::pair<std::string_view, std::string_view> rows[] = {
      {R"("ada")", R"(Statement 1, Principal: this has to be "*" or an object)"},
      {"{}", "it names nobody"},
      {R"({"AWS":[]})", "the list is empty"},
      {R"({"Service":"lambda.amazonaws.com"})", R"("Service" is unknown here; known are AWS)"},
      {R"({"AWS":"ada"})", R"("ada" is nobody here; known are "*", the account "000000000000")"},
      {R"({"AWS":"111122223333"})", "is nobody here"},
      {R"({"AWS":"arn:aws:iam::111122223333:user/ada"})", "is nobody here"},
      {R"({"AWS":"arn:aws:iam::000000000000:role/ada"})", "is nobody here"},
      {R"({"AWS":"arn:aws:iam::000000000000:user/a*"})", "is nobody here"},
      {R"({"AWS":"arn:aws:iam::000000000000:user/team/ada"})", "is nobody here"},
      {R"({"AWS":"arn:aws:iam::000000000000:user/"})", "is nobody here"},
  };
  for (const auto& [principal, what] : rows) {
    EXPECT_THAT(ErrorOf(Document("Allow", Principal(principal))), HasSubstr(what)) << principal;
  }
  EXPECT_THAT(ErrorOf(Document("Deny", NotPrincipal(R"("*")"))), HasSubstr("is about nobody"));
  // The policy of a key has no principals, as before.
  EXPECT_FALSE(Policy::Parse(Document("Allow", Principal(R"("*")"))).ok());
}

// Proves that a policy is about what it is attached to: the table with its indexes, or the stream.
TEST(ResourcePolicyTest, IsAboutItsResource) {
  const auto error = [](std::string_view resource, std::string_view arn) {
    return ErrorOf(Document("Allow", Principal(R"("*")"), resource,
                            arn == kTestStream ? "dynamodb:GetRecords" : "dynamodb:GetItem"),
                   arn);
  };
  for (const std::string& resource :
       {std::string("*"), std::string(kTestTable), std::string(kTestIndex),
        StrCat(kTestTable, "/*"), StrCat(kTestTable, "*"), StrCat(kTestTable, "/index/by-*"),
        StrCat(kTestTable, "/index/${aws:username}"), StrCat(kTestTable, "/${aws:username}"),
        StrCat(kTestTable, "/inde?/*"), std::string("arn:aws:dynamodb:*:*:table/GameScores"),
        std::string("arn:aws:dynamodb:us-east-1:000000000000:table/Game*")}) {
    EXPECT_EQ(error(resource, kTestTable), "") << resource;
  }
  for (const std::string& resource :
       {std::string("arn:aws:dynamodb:us-east-1:000000000000:table/Other"),
        std::string("arn:aws:dynamodb:us-east-1:000000000000:table/GameScore"),
        StrCat(kTestTable, "s"), StrCat(kTestTable, "/index"), StrCat(kTestTable, "/index/"),
        StrCat(kTestTable, "/stream/*"), StrCat(kTestTable, "/backup/1"),
        std::string("arn:aws:dynamodb:eu-west-1:000000000000:table/GameScores"),
        std::string("arn:aws:dynamodb"), std::string("arn:aws:s3:::GameScores")}) {
    EXPECT_THAT(error(resource, kTestTable),
                HasSubstr("is not what the policy is attached to, " + std::string(kTestTable) +
                          ", nor an index of it"))
        << resource;
  }
  EXPECT_EQ(error(kTestStream, kTestStream), "");
  EXPECT_EQ(error(StrCat(kTestTable, "/stream/*"), kTestStream), "");
  EXPECT_THAT(error(kTestTable, kTestStream), HasSubstr("is not what the policy is attached to"));
  EXPECT_THAT(error(StrCat(kTestTable, "/stream/2025*"), kTestStream), HasSubstr("is not what"));

  const std::string index_alone = Document("Allow", Principal(kAda), kTestIndex, "dynamodb:Query");
  EXPECT_EQ(DecideFor(index_alone, "ada", kTestIndex, "dynamodb:Query"), Verdict::kAllowed);
  EXPECT_EQ(DecideFor(index_alone, "ada", kTestTable, "dynamodb:Query"), Verdict::kDeniedByDefault);
}

// Proves that the actions are those that AWS lists for such a resource, in AWS's words where they
// are not, and that a wildcard reaches no others.
TEST(ResourcePolicyTest, IsAboutTheActionsOfItsResource) {
  const auto error = [](std::string_view action, std::string_view arn) {
    return ErrorOf(Document("Allow", Principal(R"("*")"), "*", action), arn);
  };
  for (const std::string_view action : {"*", "dynamodb:*", "dynamodb:getitem", "dynamodb:Get*",
                                        "dynamodb:UpdateKinesisStreamingDestination"}) {
    EXPECT_EQ(error(action, kTestTable), "") << action;
  }
  for (const std::string_view action : {"*", "dynamodb:GetRecords", "dynamodb:*Stream"}) {
    EXPECT_EQ(error(action, kTestStream), "") << action;
  }
  EXPECT_EQ(error("dynamodb:GetRecords", kTestTable),
            R"(The following action names are invalid: "dynamodb:GetRecords")");
  EXPECT_EQ(error("dynamodb:ListStreams", kTestStream),
            R"(The following action names are invalid: "dynamodb:ListStreams")");
  EXPECT_EQ(ErrorOf(R"({"Statement":{"Effect":"Allow","Principal":"*","Resource":"*",)"
                    R"("Action":["dynamodb:Query","dynamodb:CreateTable","s3:*"]}})"),
            R"(The following action names are invalid: "dynamodb:CreateTable", "s3:*")");
  const std::string all = Document("Deny", Principal(R"("*")"), "*", "*");
  EXPECT_EQ(DecideFor(all, "ada", kTestTable, "dynamodb:Scan"), Verdict::kDeniedExplicitly);
  EXPECT_EQ(DecideFor(all, "ada", kTestTable, "dynamodb:ListBackups"), Verdict::kDeniedByDefault);
}

// Proves that 20 KB are allowed, and which ARNs can have a policy.
TEST(ResourcePolicyTest, Limits) {
  std::string document = Document("Allow", Principal(R"("*")"));
  document.append(Policy::kResourceDocumentBytesMax - document.size(), ' ');
  EXPECT_EQ(ErrorOf(document), "");
  EXPECT_NE(ErrorOf(document + " "), "");
  EXPECT_TRUE(IsPolicyResource(kTestTable));
  EXPECT_TRUE(IsPolicyResource(kTestStream));
  for (const std::string_view arn :
       {std::string_view(""), std::string_view("t"), kTestIndex,
        std::string_view("arn:aws:dynamodb:us-east-1:000000000000:table/"),
        std::string_view("arn:aws:dynamodb:us-east-1:000000000000:table//stream/x"),
        std::string_view("arn:aws:dynamodb:us-east-1"),
        std::string_view("arn:aws:s3:us-east-1:000000000000:table/t")}) {
    EXPECT_FALSE(IsPolicyResource(arn)) << arn;
  }
}

}  // namespace
}  // namespace tintype::access
