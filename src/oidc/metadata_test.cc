#include "oidc/metadata.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "oidc/reasons.h"

namespace tintype::oidc {
namespace {

constexpr std::string_view kIssuer = "https://id.example/realm";

std::string Description(std::string_view more = "") {
  return StrCat(R"({"issuer":")", kIssuer,
                R"(","authorization_endpoint":"https://id.example/auth",)"
                R"("token_endpoint":"https://id.example/token",)"
                R"("jwks_uri":"https://keys.example/jwks")",
                more, "}");
}

// The description is below the issuer's own path.
TEST(MetadataTest, FindsTheDescription) {
  EXPECT_EQ(MetadataUrl(kIssuer), "https://id.example/realm/.well-known/openid-configuration");
  EXPECT_EQ(MetadataUrl("https://id.example/"),
            "https://id.example/.well-known/openid-configuration");
}

// Members in use are read; the optional ones are missing here.
TEST(MetadataTest, ReadsADescription) {
  const auto plain = ParseMetadata(Description(), kIssuer);
  ASSERT_TRUE(plain.ok()) << plain.error().message();
  EXPECT_EQ(plain->authorization_endpoint, "https://id.example/auth");
  EXPECT_EQ(plain->token_endpoint, "https://id.example/token");
  EXPECT_EQ(plain->jwks_uri, "https://keys.example/jwks");
  EXPECT_EQ(plain->userinfo_endpoint, "");
  EXPECT_FALSE(plain->names_itself);
  const auto more =
      ParseMetadata(Description(R"(,"userinfo_endpoint":"https://id.example/me",)"
                                R"("authorization_response_iss_parameter_supported":true)"),
                    kIssuer);
  ASSERT_TRUE(more.ok());
  EXPECT_EQ(more->userinfo_endpoint, "https://id.example/me");
  EXPECT_TRUE(more->names_itself);
}

// An issuer that calls itself otherwise, in whatever small way, is another one.
TEST(MetadataTest, RefusesADescriptionOfAnotherIssuer) {
  for (const std::string_view other :
       {"https://id.example/realm/", "https://ID.example/realm", "https://id.example", ""}) {
    const auto parsed = ParseMetadata(Description(), other);
    ASSERT_FALSE(parsed.ok()) << other;
    EXPECT_TRUE(parsed.error().Is(kIssuerUnavailable));
  }
}

// No address that a stranger on the way could answer is used.
TEST(MetadataTest, RefusesAddressesThatAreNotSafe) {
  for (const std::string_view bad :
       {R"(,"token_endpoint":"http://id.example/token")", R"(,"jwks_uri":"ftp://id.example")",
        R"(,"jwks_uri":"")", R"(,"jwks_uri":7)", R"(,"userinfo_endpoint":"http://id.example/me")",
        R"x(,"authorization_endpoint":"javascript:alert(1)")x",
        R"(,"authorization_endpoint":"https://id.example/\"><script>")"}) {
    // Of members of one name the last one counts.
    EXPECT_FALSE(ParseMetadata(Description(bad), kIssuer).ok()) << bad;
  }
  for (const std::string_view no_description : {"", "[]", "7", "<html>", "{\"issuer\":"}) {
    EXPECT_FALSE(ParseMetadata(no_description, kIssuer).ok()) << no_description;
  }
  EXPECT_FALSE(
      ParseMetadata(Description(StrCat(R"(,"x":")", std::string(kDocumentBytesMax, 'x'), "\"")),
                    kIssuer)
          .ok());
}

// Plain http to this machine is for an issuer that is reached so itself: no other one's description
// makes this server ask what else listens here.
TEST(MetadataTest, OnlyALocalIssuerNamesLocalAddresses) {
  const auto description = [](std::string_view issuer) {
    return StrCat(R"({"issuer":")", issuer, R"(","authorization_endpoint":"https://id.example/a",)",
                  R"("token_endpoint":"http://127.0.0.1:9200/token",)",
                  R"("jwks_uri":"https://id.example/jwks"})");
  };
  for (const std::string_view local : {"http://127.0.0.1:9000", "http://localhost"}) {
    EXPECT_TRUE(ParseMetadata(description(local), local).ok()) << local;
  }
  const auto parsed = ParseMetadata(description(kIssuer), kIssuer);
  ASSERT_FALSE(parsed.ok());
  EXPECT_TRUE(parsed.error().Is(kIssuerUnavailable));
}

// A client's secret goes by HTTP Basic, which is what counts where nothing is said, unless the
// issuer does not take it so.
TEST(MetadataTest, KnowsHowASecretIsTaken) {
  const auto in_body = [](std::string_view methods) {
    const auto parsed = ParseMetadata(
        Description(StrCat(R"(,"token_endpoint_auth_methods_supported":)", methods)), kIssuer);
    return parsed.ok() && parsed->secret_in_body;
  };
  EXPECT_FALSE(ParseMetadata(Description(), kIssuer)->secret_in_body);
  EXPECT_FALSE(in_body(R"(["client_secret_post","client_secret_basic"])"));
  EXPECT_FALSE(in_body("7"));
  EXPECT_TRUE(in_body(R"(["client_secret_post"])"));
}

// https, and plain http to this machine alone, however it is spelled.
TEST(MetadataTest, KnowsWhichUrlsAreTrustworthy) {
  for (const std::string_view good :
       {"https://id.example", "https://id.example:8443/a/b?c=d", "http://127.0.0.1:9000",
        "http://localhost/x", "http://[::1]:80/"}) {
    EXPECT_TRUE(IsTrustworthyUrl(good)) << good;
  }
  for (const std::string_view bad :
       {"", "id.example", "https://", "http://id.example", "http://10.0.0.1/",
        "http://127.0.0.1@id.example/", "http://127.0.0.1:80@id.example/",
        "http://localhost.id.example/", "https://user@id.example/", "https://id.example/#x",
        "https://id.example/a b", "https://id.example/\n", "https://id.example/\"",
        "https://id.example\\@evil.example/", "file:///etc/passwd"}) {
    EXPECT_FALSE(IsTrustworthyUrl(bad)) << bad;
  }
}

}  // namespace
}  // namespace tintype::oidc
