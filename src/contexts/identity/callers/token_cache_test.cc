#include "contexts/identity/callers/token_cache.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace tintype::contexts::identity {
namespace {

AccessClaims ClaimsOf(const std::string& id) {
  AccessClaims claims;
  claims.account.id = id;
  return claims;
}

// Proves that a token is found by all of its bytes, with what it says.
TEST(TokenCacheTest, FindsTheTokenAndNoOther) {
  TokenCache cache;
  cache.Add("header.claims.signature", ClaimsOf("ada"));
  EXPECT_EQ(cache.Find("header.claims.signature")->account.id, "ada");
  EXPECT_FALSE(cache.Find("header.claims.signaturf"));
  EXPECT_FALSE(cache.Find("header.claims"));
  EXPECT_FALSE(cache.Find(""));
}

// Proves that it stays within its bound, whatever comes, and that what is asked for stays.
TEST(TokenCacheTest, KeepsWhatIsUsedWithinItsBound) {
  TokenCache cache(10);
  cache.Add("used", ClaimsOf("ada"));
  for (int i = 0; i < 1000; ++i) {
    cache.Add(StrCat("token ", i), ClaimsOf("bob"));
    ASSERT_TRUE(cache.Find("used")) << i;
    ASSERT_LE(cache.size(), 10U);
  }
  EXPECT_FALSE(cache.Find("token 0"));
  EXPECT_TRUE(cache.Find("token 999"));
}

}  // namespace
}  // namespace tintype::contexts::identity
