#include "oidc/jwks.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "crypto/testing/key_pair.h"
#include "oidc/reasons.h"

namespace tintype::oidc {
namespace {

using crypto::SignatureKind;
using crypto::testing::KeyPair;

std::string Jwks(std::string_view keys) { return StrCat(R"({"keys":[)", keys, "]}"); }

// Keys of both types are read and check what their pairs sign.
TEST(JwksTest, ReadsKeysThatCheckSignatures) {
  const KeyPair rsa = KeyPair::Rsa();
  const KeyPair p256 = KeyPair::P256();
  const auto keys =
      ParseJwks(Jwks(StrCat(R"({"kid":"r","use":"sig",)", rsa.JwkMembers(), R"(},{"kid":"e",)",
                            R"("alg":"ES256",)", p256.JwkMembers(), "}")));
  ASSERT_TRUE(keys.ok());
  ASSERT_EQ(keys->size(), 2u);
  EXPECT_EQ((*keys)[0].id, "r");
  EXPECT_TRUE((*keys)[0].Fits(SignatureKind::kRs256));
  EXPECT_TRUE((*keys)[0].Fits(SignatureKind::kPs256));
  EXPECT_FALSE((*keys)[0].Fits(SignatureKind::kEs256));
  EXPECT_TRUE((*keys)[0].key.Verify(SignatureKind::kPs256, "text",
                                    rsa.Sign(SignatureKind::kPs256, "text")));
  EXPECT_TRUE((*keys)[1].Fits(SignatureKind::kEs256));
  EXPECT_TRUE((*keys)[1].key.Verify(SignatureKind::kEs256, "text",
                                    p256.Sign(SignatureKind::kEs256, "text")));
}

// A key that says what it is for is for nothing else.
TEST(JwksTest, AKeyForOneAlgorithmFitsNoOther) {
  const auto keys = ParseJwks(Jwks(StrCat(R"({"alg":"PS256",)", KeyPair::Rsa().JwkMembers(), "}")));
  ASSERT_TRUE(keys.ok());
  ASSERT_EQ(keys->size(), 1u);
  EXPECT_TRUE((*keys)[0].Fits(SignatureKind::kPs256));
  EXPECT_FALSE((*keys)[0].Fits(SignatureKind::kRs256));
}

// Keys for other uses, of other types, and bad ones are no keys, and keep no good one from being.
TEST(JwksTest, LeavesOutWhatIsOfNoUse) {
  const std::string good = KeyPair::P256().JwkMembers();
  const auto keys = ParseJwks(Jwks(
      StrCat(R"({"use":"enc",)", good, R"(},{"alg":"ECDH-ES",)", good, R"(},{"alg":"none",)", good,
             R"(},{"kty":"oct","k":"c2VjcmV0"},{"kty":"OKP","crv":"Ed25519","x":"AA"},)",
             R"({"kty":"EC","crv":"P-384","x":"AA","y":"AA"},)",
             R"({"kty":"EC","crv":"P-256","x":"AA","y":"AA"},)",
             R"({"kty":"RSA","n":"AQAB","e":"AQAB"},{"kty":"RSA"},{},7,"key",null,{)", good, "}")));
  ASSERT_TRUE(keys.ok());
  EXPECT_EQ(keys->size(), 1u);
}

// No JWKS document, or one that is too long.
TEST(JwksTest, RefusesOtherDocuments) {
  for (const std::string& bad : {std::string(), std::string("[]"), std::string("{}"),
                                 std::string(R"({"keys":{}})"), std::string(R"({"keys":)")}) {
    const auto keys = ParseJwks(bad);
    ASSERT_FALSE(keys.ok()) << bad;
    EXPECT_TRUE(keys.error().Is(kIssuerUnavailable));
  }
  std::string many = "{}";
  for (size_t i = 1; i < kKeysMax; ++i) {
    many += ",{}";
  }
  EXPECT_TRUE(ParseJwks(Jwks(many)).ok());
  EXPECT_FALSE(ParseJwks(Jwks(many + ",{}")).ok());
}

// Only these three, to the letter: a token cannot ask for less.
TEST(JwksTest, PinsAlgorithms) {
  EXPECT_EQ(SignatureKindOf("RS256"), SignatureKind::kRs256);
  EXPECT_EQ(SignatureKindOf("PS256"), SignatureKind::kPs256);
  EXPECT_EQ(SignatureKindOf("ES256"), SignatureKind::kEs256);
  for (const std::string_view other :
       {"", "none", "None", "HS256", "RS1", "rs256", "RS512", "ES384", "EdDSA"}) {
    EXPECT_EQ(SignatureKindOf(other), std::nullopt) << other;
  }
}

}  // namespace
}  // namespace tintype::oidc
