#include "oidc/claims.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "oidc/reasons.h"

namespace tintype::oidc {
namespace {

constexpr int64_t kNow = 1'700'000'000;
constexpr std::string_view kNonce = "n-0S6";

ClaimRules Rules() { return {"https://id.example", "tintype", "", ""}; }

/// Claims that are good, with others in place of or beside them: of members of one name the last
/// one counts.
json::Value ClaimsWith(std::string_view more = "") {
  return json::Parse(StrCat(R"({"iss":"https://id.example","sub":"ada","aud":"tintype",)",
                            R"("nonce":"n-0S6","iat":1700000000,"exp":1700000300)", more, "}"),
                     4096)
      .value();
}

Result<Claims> Read(std::string_view more = "", const ClaimRules& rules = Rules()) {
  return ReadIdToken(ClaimsWith(more), rules, kNonce, kNow);
}

// The token's statements about a person come out.
TEST(IdTokenTest, SaysWhoSomebodyIs) {
  const auto claims =
      Read(R"(,"email":"Ada@Example.com","email_verified":true,"preferred_username":"ada.l",)"
           R"("name":"Ada Lovelace")");
  ASSERT_TRUE(claims.ok());
  EXPECT_EQ(claims->subject, "ada");
  EXPECT_EQ(claims->email, "Ada@Example.com");
  EXPECT_TRUE(claims->email_verified);
  EXPECT_EQ(claims->username, "ada.l");
  EXPECT_EQ(claims->name, "Ada Lovelace");
  EXPECT_EQ(claims->expires_s, 1'700'000'300);
  EXPECT_FALSE(claims->of_access_token);
}

// An address is verified only if the issuer says so, in one of the two ways that they write it.
TEST(IdTokenTest, AnAddressIsVerifiedOnlyIfItSaysSo) {
  const std::string email = R"(,"email":"ada@example.com")";
  EXPECT_TRUE(Read(email + R"(,"email_verified":"true")")->email_verified);
  for (const std::string_view no :
       {"", R"(,"email_verified":false)", R"(,"email_verified":"false")", R"(,"email_verified":1)",
        R"(,"email_verified":null)", R"(,"email_verified":"TRUE ")"}) {
    EXPECT_FALSE(Read(StrCat(email, no))->email_verified) << no;
  }
  EXPECT_EQ(Read(R"(,"email_verified":true)")->email, std::nullopt);
  EXPECT_EQ(Read(R"(,"email":["ada@example.com"])")->email, std::nullopt);
}

// Every claim that has to be right is looked at.
TEST(IdTokenTest, RefusesWhatIsNotForThisSignIn) {
  for (const std::string_view wrong : {
           R"(,"iss":"https://id.example/")",
           R"(,"iss":["https://id.example"])",
           R"(,"sub":"")",
           R"(,"sub":7)",
           R"(,"aud":"other")",
           R"(,"aud":[])",
           R"(,"aud":["other"])",
           R"(,"aud":null)",
           R"(,"aud":["tintype","other"],"azp":"other")",
           R"(,"nonce":"another")",
           R"(,"nonce":null)",
           R"(,"exp":1699999940)",
           R"(,"exp":"never")",
           R"(,"exp":null)",
           R"(,"iat":1700000061)",
           R"(,"nbf":1700000061)",
           R"(,"token_use":"access")",
           R"(,"events":{})",
           R"(,"cnf":{"jkt":"x"})",
       }) {
    const auto claims = Read(wrong);
    ASSERT_FALSE(claims.ok()) << wrong;
    EXPECT_TRUE(claims.error().Is(kInvalidToken)) << wrong;
  }
  EXPECT_FALSE(Read(StrCat(R"(,"sub":")", std::string(256, 'a'), "\"")).ok());
}

// Clocks may be a minute apart, and this server may be one of several audiences.
TEST(IdTokenTest, TakesWhatIsJustRight) {
  for (const std::string_view right :
       {R"(,"exp":1699999941)", R"(,"iat":1700000060)", R"(,"nbf":1700000060)",
        R"(,"aud":["other","tintype"])", R"(,"aud":["other","tintype"],"azp":"tintype")",
        R"(,"token_use":"id")"}) {
    EXPECT_TRUE(Read(right).ok()) << right;
  }
}

// Roles are where the setting says, in a claim of that name or at a path, one or several.
TEST(IdTokenTest, ReadsRoles) {
  using Roles = std::vector<std::string>;
  ClaimRules rules = Rules();
  EXPECT_EQ(Read(R"(,"groups":["a"])", rules)->roles, std::nullopt);
  rules.roles_claim = "cognito:groups";
  EXPECT_EQ(Read("", rules)->roles, std::nullopt);
  EXPECT_EQ(Read(R"(,"cognito:groups":["a","b",7,null])", rules)->roles, (Roles{"a", "b"}));
  EXPECT_EQ(Read(R"(,"cognito:groups":"a")", rules)->roles, Roles{"a"});
  EXPECT_EQ(Read(R"(,"cognito:groups":{"a":1})", rules)->roles, Roles{});
  rules.roles_claim = "realm_access.roles";
  EXPECT_EQ(Read(R"(,"realm_access":{"roles":["a"]})", rules)->roles, Roles{"a"});
  EXPECT_EQ(Read(R"(,"realm_access":"roles")", rules)->roles, std::nullopt);
  rules.roles_claim = "https://id.example/roles";
  EXPECT_EQ(Read(R"(,"https://id.example/roles":["a"])", rules)->roles, Roles{"a"});
}

// An ID token of this client is a bearer token as well, without a nonce; Cognito's access tokens
// name the client, others' the audience that was agreed on.
TEST(BearerTokenTest, TakesTokensForThisServer) {
  const auto read = [](std::string_view more, std::string audience = "") {
    ClaimRules rules = Rules();
    rules.audience = std::move(audience);
    return ReadBearerToken(ClaimsWith(more), rules, kNow);
  };
  EXPECT_FALSE(read(R"(,"nonce":null)")->of_access_token);
  const auto api = read(R"(,"aud":"media-api")", "media-api");
  ASSERT_TRUE(api.ok());
  EXPECT_TRUE(api->of_access_token);
  EXPECT_FALSE(read(R"(,"aud":"media-api")").ok());
  EXPECT_FALSE(read(R"(,"aud":"other")", "media-api").ok());
  EXPECT_FALSE(read(R"(,"aud":"media-api","exp":1)", "media-api").ok());
  EXPECT_FALSE(read(R"(,"aud":"media-api","iss":"https://other")", "media-api").ok());
}

TEST(BearerTokenTest, TakesCognitosAccessTokens) {
  const auto read = [](std::string_view more) {
    return ReadBearerToken(
        json::Parse(
            StrCat(R"({"iss":"https://id.example","sub":"ada","exp":1700000300,)", more, "}"), 4096)
            .value(),
        Rules(), kNow);
  };
  const auto claims = read(R"("token_use":"access","client_id":"tintype","username":"ada")");
  ASSERT_TRUE(claims.ok());
  EXPECT_TRUE(claims->of_access_token);
  EXPECT_FALSE(read(R"("token_use":"access","client_id":"other")").ok());
  EXPECT_FALSE(read(R"("token_use":"access")").ok());
  EXPECT_FALSE(read(R"("client_id":"tintype")").ok());
  EXPECT_FALSE(read(R"("token_use":"access","client_id":"tintype","aud":"other")").ok());
  EXPECT_FALSE(read(R"("token_use":"refresh","client_id":"tintype")").ok());
}

// Userinfo is of the person whose token was shown, or of nobody (OpenID Connect Core, 5.3.2).
TEST(UserInfoTest, IsOfTheSamePerson) {
  const auto read = [](std::string_view text) {
    return ReadUserInfo(json::Parse(text, 4096).value(), Rules(), "ada");
  };
  const auto claims =
      read(R"({"sub":"ada","email":"ada@example.com","email_verified":"true","name":"Ada"})");
  ASSERT_TRUE(claims.ok());
  EXPECT_EQ(claims->email, "ada@example.com");
  EXPECT_TRUE(claims->email_verified);
  EXPECT_FALSE(read(R"({"sub":"bea","email":"ada@example.com"})").ok());
  EXPECT_FALSE(read(R"({"email":"ada@example.com"})").ok());
  EXPECT_FALSE(read("[]").ok());
}

}  // namespace
}  // namespace tintype::oidc
