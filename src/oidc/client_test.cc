#include "oidc/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/base64.h"
#include "base/strings.h"
#include "crypto/digest.h"
#include "oidc/reasons.h"
#include "oidc/testing/fake_issuer.h"

namespace tintype::oidc {
namespace {

using crypto::SignatureKind;
using crypto::testing::KeyPair;
using ::testing::Contains;
using testing::FakeIssuer;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::Pair;

constexpr int64_t kNowMs = 1'700'000'000'000;

ClientConfig Config() {
  ClientConfig config;
  config.issuer = FakeIssuer::kUrl;
  config.client_id = "tintype";
  config.client_secret = "s+c:ret";
  config.redirect_url = "https://photos.example/";
  return config;
}

class ClientTest : public ::testing::Test {
 protected:
  /// Claims of ada's ID token.
  std::string ClaimsOfAda(std::string_view more = "") {
    return StrCat(R"({"iss":")", FakeIssuer::kUrl,
                  R"(","sub":"ada","aud":"tintype","exp":1700000300)", more, "}");
  }
  Result<Claims> FinishWith(const std::string& token, std::string_view nonce = "n",
                            const std::string& issuer = "") {
    fake_.token_answer = StrCat(R"({"token_type":"Bearer","id_token":")", token, R"("})");
    return client_.Finish({"the code", issuer}, nonce, "the verifier");
  }
  void ExpectError(const Result<Claims>& claims, const Reason& reason) {
    ASSERT_FALSE(claims.ok());
    EXPECT_TRUE(claims.error().Is(reason)) << claims.error().note();
  }

  FakeClock clock_{kNowMs};
  FakeIssuer fake_;
  Client client_{Config(), fake_, clock_};
};

// The browser is sent with everything that the code flow with PKCE takes, and no two alike.
TEST_F(ClientTest, BeginsTheCodeFlow) {
  const auto begun = client_.Begin();
  ASSERT_TRUE(begun.ok());
  EXPECT_TRUE(begun->url.starts_with(
      "https://issuer.example/authorize?response_type=code&client_id=tintype&"
      "redirect_uri=https%3A%2F%2Fphotos.example%2F&scope=openid%20email%20profile&"));
  const std::string challenge = Base64Url(crypto::Bytes(crypto::Sha256(begun->verifier)));
  EXPECT_THAT(begun->url, HasSubstr(StrCat("&state=", begun->state, "&")));
  EXPECT_THAT(begun->url, HasSubstr(StrCat("&nonce=", begun->nonce, "&")));
  EXPECT_THAT(begun->url,
              HasSubstr(StrCat("&code_challenge=", challenge, "&code_challenge_method=S256")));
  EXPECT_EQ(begun->verifier.size(), 43u);
  const auto other = client_.Begin();
  EXPECT_NE(begun->state, other->state);
  EXPECT_NE(begun->nonce, other->nonce);
  EXPECT_NE(begun->verifier, other->verifier);
}

// The code goes to the issuer with the verifier and the client's secret, and nowhere else.
TEST_F(ClientTest, ExchangesTheCode) {
  const auto claims = FinishWith(fake_.Sign(ClaimsOfAda(R"(,"nonce":"n")")));
  ASSERT_TRUE(claims.ok()) << claims.error().note();
  EXPECT_EQ(claims->subject, "ada");
  EXPECT_THAT(fake_.urls, Contains("https://issuer.example/token"));
  EXPECT_THAT(fake_.bodies_received, Contains("grant_type=authorization_code&code=the%20code&"
                                              "redirect_uri=https%3A%2F%2Fphotos.example%2F&"
                                              "code_verifier=the%20verifier"));
  EXPECT_THAT(
      fake_.headers_received,
      Contains(Contains(Pair("Authorization", StrCat("Basic ", Base64("tintype:s%2Bc%3Aret"))))));
}

// Issuers may tell addresses and roles by the userinfo endpoint alone (OpenID Connect Core, 5.4).
TEST_F(ClientTest, AsksUserInfoForWhatTheIdTokenLacks) {
  ClientConfig config = Config();
  config.roles_claim = "groups";
  Client client(config, fake_, clock_);
  const auto finish = [&](std::string_view more) {
    fake_.token_answer = StrCat(R"({"access_token":"the access token","id_token":")",
                                fake_.Sign(ClaimsOfAda(StrCat(R"(,"nonce":"n")", more))), R"("})");
    return client.Finish({"c", ""}, "n", "v");
  };
  fake_.user_info = R"({"sub":"ada","email":"ada@example.com","email_verified":true,)"
                    R"("preferred_username":"ada","name":"Ada","groups":["admins"]})";
  const auto claims = finish("");
  ASSERT_TRUE(claims.ok()) << claims.error().note();
  EXPECT_EQ(claims->email, "ada@example.com");
  EXPECT_TRUE(claims->email_verified);
  EXPECT_EQ(claims->username, "ada");
  EXPECT_EQ(claims->name, "Ada");
  EXPECT_EQ(claims->roles, std::vector<std::string>{"admins"});
  EXPECT_THAT(fake_.headers_received,
              Contains(Contains(Pair("Authorization", "Bearer the access token"))));
  // The ID token's word counts: an address that is not verified there stays so.
  const auto own = finish(R"(,"email":"a@example.org","email_verified":false)");
  EXPECT_EQ(own->email, "a@example.org");
  EXPECT_FALSE(own->email_verified);
  EXPECT_EQ(own->roles, std::vector<std::string>{"admins"});
  // The issuer is not asked for more when the token says everything.
  const size_t asked = fake_.urls.size();
  EXPECT_TRUE(finish(R"(,"email":"a@example.org","email_verified":true,"groups":[])").ok());
  EXPECT_EQ(fake_.urls.size(), asked + 1);
  // Whether the address is verified may be said there alone: then the address is the one there.
  const auto unsaid = finish(R"(,"email":"a@example.org","groups":[])");
  EXPECT_EQ(unsaid->email, "ada@example.com");
  EXPECT_TRUE(unsaid->email_verified);
  fake_.user_info = R"({"sub":"bea","email":"bea@example.com","email_verified":true})";
  ExpectError(finish(""), kInvalidToken);
}

// An issuer that cannot answer just now has not said that there is no role: nobody signs in without
// what it knows. Only where there is no userinfo endpoint, the ID token says it all.
TEST_F(ClientTest, TakesNoFailureOfUserInfoForAnAnswer) {
  ClientConfig config = Config();
  config.roles_claim = "groups";
  Client client(config, fake_, clock_);
  fake_.token_answer = StrCat(R"({"access_token":"the access token","id_token":")",
                              fake_.Sign(ClaimsOfAda(R"(,"nonce":"n")")), R"("})");
  fake_.user_info = R"({"sub":"ada","groups":["admins"]})";
  const auto finish = [&] { return client.Finish({"c", ""}, "n", "v"); };
  for (const int status : {400, 404, 429, 500, 503}) {
    fake_.user_info_status = status;
    ExpectError(finish(), kIssuerUnavailable);
    ExpectError(client.AskUserInfo("the access token", "ada"), kIssuerUnavailable);
  }
  for (const int status : {401, 403}) {
    fake_.user_info_status = status;
    ExpectError(finish(), kIssuerRefused);
    ExpectError(client.AskUserInfo(StrCat("token ", status), "ada"), kIssuerRefused);
  }
  fake_.user_info_status = 200;
  for (const std::string_view nonsense : {"<html>", "[]", "eyJhbGciOiJub25lIn0.e30."}) {
    fake_.user_info = nonsense;
    ExpectError(finish(), kIssuerUnavailable);
  }
  fake_.bodies["/.well-known/openid-configuration"] =
      R"({"issuer":"https://issuer.example",)"
      R"("authorization_endpoint":"https://issuer.example/authorize",)"
      R"("token_endpoint":"https://issuer.example/token",)"
      R"("jwks_uri":"https://issuer.example/jwks"})";
  clock_.AdvanceMs(Issuer::kKeptMs + 1);
  fake_.token_answer =
      StrCat(R"({"access_token":"the access token","id_token":")",
             fake_.Sign(StrCat(R"({"iss":")", FakeIssuer::kUrl,
                               R"(","sub":"ada","aud":"tintype","exp":1700009000,"nonce":"n"})")),
             R"("})");
  const auto claims = finish();
  ASSERT_TRUE(claims.ok()) << claims.error().note();
  EXPECT_FALSE(claims->roles);
  ExpectError(client.AskUserInfo("the access token", "ada"), kIssuerRefused);
}

// An access token is one whatever its audience, if its header says so.
TEST_F(ClientTest, KnowsAccessTokensByTheirType) {
  EXPECT_FALSE(client_.VerifyBearer(fake_.Sign(ClaimsOfAda()))->of_access_token);
  EXPECT_TRUE(client_.VerifyBearer(fake_.Sign(ClaimsOfAda(), "first", R"(,"typ":"at+jwt")"))
                  ->of_access_token);
}

// A client without a secret names itself in the body.
TEST_F(ClientTest, APublicClientHasNoSecret) {
  ClientConfig config = Config();
  config.client_secret.clear();
  Client client(config, fake_, clock_);
  fake_.token_answer =
      StrCat(R"({"id_token":")", fake_.Sign(ClaimsOfAda(R"(,"nonce":"n")")), R"("})");
  EXPECT_TRUE(client.Finish({"c", ""}, "n", "v").ok());
  EXPECT_THAT(fake_.bodies_received, Contains(HasSubstr("&client_id=tintype")));
  EXPECT_THAT(fake_.headers_received, Not(Contains(Contains(Pair("Authorization", ::testing::_)))));
}

// A secret goes in the body where the issuer does not take it otherwise.
TEST_F(ClientTest, SendsTheSecretAsTheIssuerTakesIt) {
  fake_.bodies["/.well-known/openid-configuration"] =
      R"({"issuer":"https://issuer.example",)"
      R"("authorization_endpoint":"https://issuer.example/authorize",)"
      R"("token_endpoint":"https://issuer.example/token","jwks_uri":"https://issuer.example/jwks",)"
      R"("token_endpoint_auth_methods_supported":["client_secret_post"]})";
  ASSERT_TRUE(FinishWith(fake_.Sign(ClaimsOfAda(R"(,"nonce":"n")"))).ok());
  EXPECT_THAT(fake_.bodies_received,
              Contains(HasSubstr("&client_id=tintype&client_secret=s%2Bc%3Aret")));
  EXPECT_THAT(fake_.headers_received, Not(Contains(Contains(Pair("Authorization", ::testing::_)))));
}

// An ID token of another sign-in, by another key, or changed on the way lets nobody in.
TEST_F(ClientTest, RefusesOtherTokens) {
  const std::string right = ClaimsOfAda(R"(,"nonce":"n")");
  ExpectError(FinishWith(fake_.Sign(right), "another"), kInvalidToken);
  FakeIssuer stranger;  // Has a key of the same name.
  ExpectError(FinishWith(stranger.Sign(right)), kInvalidToken);
  std::string changed = fake_.Sign(right);
  changed[changed.size() / 2] = changed[changed.size() / 2] == 'A' ? 'B' : 'A';
  ExpectError(FinishWith(changed), kInvalidToken);
  ExpectError(FinishWith("no token"), kInvalidToken);
  ExpectError(FinishWith(fake_.Sign(right, "first", R"(,"crit":["b64"])")), kInvalidToken);
  ExpectError(FinishWith(fake_.Sign(right, "first", R"(,"typ":"logout+jwt")")), kInvalidToken);
  EXPECT_TRUE(FinishWith(fake_.Sign(right, "first", R"(,"typ":"JWT")")).ok());
}

// The header cannot choose an algorithm: not none, not a secret that is the public key, and not
// another one of the same key.
TEST_F(ClientTest, PinsAlgorithms) {
  const std::string claims = Base64Url(ClaimsOfAda(R"(,"nonce":"n")"));
  for (const std::string_view algorithm : {"none", "HS256", "RS512", "PS256", "ES256", ""}) {
    const std::string text =
        StrCat(Base64Url(StrCat(R"({"alg":")", algorithm, R"(","kid":"first"})")), ".", claims);
    ExpectError(FinishWith(StrCat(text, ".", Base64Url("signature"))), kInvalidToken);
    ExpectError(FinishWith(StrCat(text, ".")), kInvalidToken);
  }
}

// An answer for another issuer is not taken, and its code not shown to this one (RFC 9207).
TEST_F(ClientTest, RefusesAnotherIssuersAnswer) {
  const std::string token = fake_.Sign(ClaimsOfAda(R"(,"nonce":"n")"));
  ExpectError(FinishWith(token, "n", "https://other.example"), kIssuerRefused);
  EXPECT_THAT(fake_.urls, Not(Contains("https://issuer.example/token")));
  EXPECT_TRUE(FinishWith(token, "n", std::string(FakeIssuer::kUrl)).ok());
}

// Failures at the issuer are told apart: a refusal, and no answer.
TEST_F(ClientTest, TellsRefusalsFromFailures) {
  ASSERT_TRUE(client_.Begin().ok());
  fake_.token_answer = R"({"error":"invalid_grant"})";
  fake_.status = 400;
  ExpectError(client_.Finish({"c", ""}, "n", "v"), kIssuerRefused);
  fake_.status = 429;
  ExpectError(client_.Finish({"c", ""}, "n", "v"), kIssuerUnavailable);
  fake_.status = 502;
  ExpectError(client_.Finish({"c", ""}, "n", "v"), kIssuerUnavailable);
  fake_.status = 200;
  for (const std::string_view nonsense : {"<html>", "{}", R"({"id_token":7})", "[]"}) {
    fake_.token_answer = nonsense;
    ExpectError(client_.Finish({"c", ""}, "n", "v"), kIssuerUnavailable);
  }
  fake_.unreachable = true;
  ExpectError(client_.Finish({"c", ""}, "n", "v"), kIssuerUnavailable);
}

// A bearer token is verified once, and good until it expires.
TEST_F(ClientTest, RemembersBearerTokensUntilTheyExpire) {
  const std::string token = fake_.Sign(ClaimsOfAda());
  EXPECT_TRUE(client_.LooksLikeOurs(token));
  EXPECT_EQ(client_.VerifyBearer(token)->subject, "ada");
  const size_t asked = fake_.urls.size();
  fake_.unreachable = true;
  EXPECT_EQ(client_.VerifyBearer(token)->subject, "ada");
  EXPECT_EQ(fake_.urls.size(), asked);
  clock_.AdvanceMs(361'000);
  ExpectError(client_.VerifyBearer(token), kInvalidToken);
}

// A token by a key that the issuer has taken back stops when its keys are fetched anew, which is
// within the hour.
TEST_F(ClientTest, VerifiesBearerTokensAgain) {
  const std::string token = fake_.Sign(StrCat(
      R"({"iss":")", FakeIssuer::kUrl, R"(","sub":"ada","aud":"tintype","exp":1700099000})"));
  ASSERT_TRUE(client_.VerifyBearer(token).ok());
  fake_.RemoveKeys();
  fake_.AddKey("second", SignatureKind::kRs256, KeyPair::Rsa());
  ASSERT_TRUE(client_.VerifyBearer(token).ok());
  clock_.AdvanceMs(Issuer::kAskAgainMs + 1);
  // Somebody with a newer token makes it ask.
  ASSERT_TRUE(client_.VerifyBearer(fake_.Sign(ClaimsOfAda(), "second")).ok());
  ExpectError(client_.VerifyBearer(token), kInvalidToken);

  Client alone(Config(), fake_, clock_);
  const std::string other = fake_.Sign(
      StrCat(R"({"iss":")", FakeIssuer::kUrl, R"(","sub":"bea","aud":"tintype","exp":1700099000})"),
      "second");
  ASSERT_TRUE(alone.VerifyBearer(other).ok());
  ASSERT_TRUE(alone.VerifyBearer(other).ok());
  fake_.RemoveKeys();
  fake_.AddKey("third", SignatureKind::kRs256, KeyPair::Rsa());
  clock_.AdvanceMs(Client::kVerifiedKeptMs + 1);
  ExpectError(alone.VerifyBearer(other), kInvalidToken);
}

// A text that calls itself a token of the issuer need not be one; any other is left to others.
TEST_F(ClientTest, LooksAreNotTruth) {
  FakeIssuer stranger;
  const std::string forged = stranger.Sign(ClaimsOfAda());
  EXPECT_TRUE(client_.LooksLikeOurs(forged));
  ExpectError(client_.VerifyBearer(forged), kInvalidToken);
  EXPECT_FALSE(client_.LooksLikeOurs("tt_key"));
  EXPECT_FALSE(client_.LooksLikeOurs(fake_.Sign(R"({"iss":"https://photos.example"})")));
  EXPECT_FALSE(client_.LooksLikeOurs(StrCat(fake_.Sign(ClaimsOfAda()), std::string(20'000, 'A'))));
}

// The issuer is asked once who somebody is, with their own token.
TEST_F(ClientTest, AsksForUserInfoOnce) {
  fake_.user_info = R"({"sub":"ada","email":"ada@example.com","email_verified":true})";
  EXPECT_EQ(client_.AskUserInfo("the token", "ada")->email, "ada@example.com");
  EXPECT_THAT(fake_.headers_received,
              Contains(Contains(Pair("Authorization", "Bearer the token"))));
  const size_t asked = fake_.urls.size();
  EXPECT_TRUE(client_.AskUserInfo("the token", "ada").ok());
  EXPECT_EQ(fake_.urls.size(), asked);
  clock_.AdvanceMs(Client::kUserInfoKeptMs);
  fake_.user_info = R"({"sub":"bea"})";
  ExpectError(client_.AskUserInfo("the token", "ada"), kInvalidToken);
  EXPECT_EQ(fake_.urls.size(), asked + 1);
}

}  // namespace
}  // namespace tintype::oidc
