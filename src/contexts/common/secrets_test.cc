#include "contexts/common/secrets.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace tintype::contexts {
namespace {

// Proves that keys depend on the secret and on the label, and on nothing else.
TEST(SecretsTest, DerivesAKeyPerLabel) {
  EXPECT_EQ(DeriveKey("secret", "a"), DeriveKey("secret", "a"));
  EXPECT_NE(DeriveKey("secret", "a"), DeriveKey("secret", "b"));
  EXPECT_NE(DeriveKey("secret", "a"), DeriveKey("other", "a"));
  EXPECT_NE(Hmac(DeriveKey("secret", "a"), "x"), Hmac(DeriveKey("secret", "a"), "y"));
  EXPECT_EQ(Hmac(DeriveKey("secret", "a"), "x").size(), 32U);
}

// Proves that sealed text comes back, each time as other bytes, and does not with any byte changed,
// cut or moved to another place.
TEST(SecretsTest, OpensOnlyWhatWasSealed) {
  const Key256 key = DeriveKey("secret", "sealing");
  for (const std::string& plain : {std::string(), std::string("private"), RandomBytes(1000)}) {
    const std::string sealed = Seal(key, "place", plain);
    EXPECT_NE(sealed, Seal(key, "place", plain));
    EXPECT_EQ(*Unseal(key, "place", sealed), plain);
    EXPECT_FALSE(Unseal(key, "another place", sealed).ok());
    const auto other_key = Unseal(DeriveKey("other", "sealing"), "place", sealed);
    ASSERT_FALSE(other_key.ok());
    EXPECT_TRUE(other_key.error().Is(kSealedWithAnotherKey));
    for (size_t i = 0; i < sealed.size(); i += 7) {
      std::string changed = sealed;
      changed[i] = static_cast<char>(changed[i] ^ 1);
      EXPECT_FALSE(Unseal(key, "place", changed).ok()) << i;
      EXPECT_FALSE(Unseal(key, "place", sealed.substr(0, i)).ok()) << i;
    }
    const auto wrong = Unseal(key, "place", "");
    ASSERT_FALSE(wrong.ok());
    EXPECT_EQ(wrong.error().reason(), Reason(ErrorKind::kCorruption));
  }
}

}  // namespace
}  // namespace tintype::contexts
