#include "json/jwt.h"

#include <gtest/gtest.h>

#include "base/base64.h"
#include "base/strings.h"

namespace tintype::json {
namespace {

constexpr size_t kBytesMax = 4096;

std::string TokenOf(std::string_view header, std::string_view claims, std::string_view signature) {
  return StrCat(Base64Url(header), ".", Base64Url(claims), ".", Base64Url(signature));
}

// The parts come out as they went in, and the signature is of the first two with their dot.
TEST(JwtTest, TakesATokenApart) {
  const std::string token = TokenOf(R"({"alg":"ES256"})", R"({"sub":"ada","exp":12})", "\x01\xff");
  const auto jwt = ParseJwt(token, kBytesMax);
  ASSERT_TRUE(jwt.ok());
  EXPECT_EQ(TextOf(jwt->header, "alg"), "ES256");
  EXPECT_EQ(TextOf(jwt->claims, "sub"), "ada");
  EXPECT_EQ(IntegerOf(jwt->claims, "exp"), 12);
  EXPECT_EQ(jwt->signature, "\x01\xff");
  EXPECT_EQ(jwt->signed_text, token.substr(0, token.rfind('.')));
}

// Members that are absent or of another type read as nothing.
TEST(JwtTest, MembersOfAnotherTypeReadAsNothing) {
  const std::string token = TokenOf(R"({"alg":7})", R"({"sub":["ada"],"exp":"12"})", "s");
  const auto jwt = ParseJwt(token, kBytesMax);
  ASSERT_TRUE(jwt.ok());
  EXPECT_EQ(TextOf(jwt->header, "alg"), "");
  EXPECT_EQ(TextOf(jwt->claims, "sub"), "");
  EXPECT_EQ(TextOf(jwt->claims, "missing"), "");
  EXPECT_EQ(IntegerOf(jwt->claims, "exp"), 0);
}

// Everything that is not exactly such a token is refused.
TEST(JwtTest, RefusesWhatIsNoToken) {
  const std::string good = TokenOf("{}", "{}", "s");
  ASSERT_TRUE(ParseJwt(good, kBytesMax).ok());
  EXPECT_FALSE(ParseJwt(good, good.size() - 1).ok());
  for (const std::string& bad : {
           std::string(), std::string("."), std::string(".."),
           StrCat(Base64Url("{}"), ".", Base64Url("{}")),
           StrCat(good, ".e30"),            // An encrypted token has five parts, this one four.
           TokenOf("{}", "{}", ""),         // Unsecured.
           TokenOf("[]", "{}", "s"),        // No objects.
           TokenOf("{}", "7", "s"),         //
           TokenOf("{", "{}", "s"),         // No JSON.
           TokenOf("{}", "{} {}", "s"),     //
           StrCat("e30=.e30.", "cw"),       // Padded.
           StrCat("e30.e30.", "c w"),       // No digits.
           TokenOf("{}", "\"\xff\"", "s"),  // No UTF-8.
       }) {
    EXPECT_FALSE(ParseJwt(bad, kBytesMax).ok()) << bad;
  }
}

}  // namespace
}  // namespace tintype::json
