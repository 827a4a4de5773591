#include "contexts/identity/credentials/secret_token.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace tintype::contexts::identity {
namespace {

// Proves that a token is what its text says, that the stored hash does not hold the secret, and
// that no other secret matches it.
TEST(SecretTokenTest, IsItsTextAndMatchesItsHash) {
  const SecretToken token = SecretToken::Make("some-id");
  const auto read = SecretToken::Parse(token.Text());
  ASSERT_TRUE(read);
  EXPECT_EQ(read->id, "some-id");
  EXPECT_EQ(read->secret, token.secret);
  EXPECT_TRUE(read->Matches(token.Hash()));
  EXPECT_EQ(token.Hash().find(token.secret), std::string::npos);
  EXPECT_FALSE(SecretToken::Make("some-id").Matches(token.Hash()));
  EXPECT_FALSE(token.Matches(""));
}

// Proves that what can be no token is none.
TEST(SecretTokenTest, RefusesOtherTexts) {
  const std::string long_one = "id." + std::string(200, 'a');
  for (const std::string_view text :
       std::initializer_list<std::string_view>{"", ".", "id.", ".secret", "no-dot", long_one}) {
    EXPECT_FALSE(SecretToken::Parse(text)) << text;
  }
}

}  // namespace
}  // namespace tintype::contexts::identity
