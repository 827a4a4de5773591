#include "contexts/identity/credentials/passwords.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace tintype::contexts::identity {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// The least that argon2id takes.
constexpr PasswordCost kQuick{.operations = 1, .memory_bytes = 8192};
constexpr std::string_view kPassword = "correct horse battery";

Key256 KeyOf(std::string_view secret) { return DeriveKey(secret, "password hashes"); }

// Proves that a password fits its own hash alone, sealed or not.
TEST(PasswordsTest, VerifiesItsHashes) {
  for (const auto& key : {std::optional<Key256>(), std::optional(KeyOf("secret"))}) {
    const Passwords passwords(kQuick, key);
    const std::string hash = passwords.Hash(kPassword).value();
    EXPECT_TRUE(passwords.Verify(hash, kPassword).value());
    EXPECT_FALSE(passwords.Verify(hash, "wrong horse battery").value());
    EXPECT_FALSE(passwords.Verify("", kPassword).value());
    EXPECT_FALSE(passwords.Verify("sealed:", kPassword).value());
    EXPECT_FALSE(passwords.Verify("sealed:AAAA", kPassword).value());
    EXPECT_FALSE(passwords.IsOutdated(hash));
  }
}

// Proves that somebody who has a sealed hash, but not the key, has nothing to try passwords on.
TEST(PasswordsTest, SealsHashes) {
  const Passwords passwords(kQuick, KeyOf("secret"));
  const std::string hash = passwords.Hash(kPassword).value();
  EXPECT_THAT(hash, StartsWith("sealed:"));
  EXPECT_THAT(hash, Not(HasSubstr("argon2")));
  EXPECT_FALSE(Passwords(kQuick, KeyOf("another")).Verify(hash, kPassword).value());
  EXPECT_FALSE(Passwords(kQuick).Verify(hash, kPassword).value());
  std::string changed = hash;
  changed.back() = changed.back() == 'A' ? 'B' : 'A';
  EXPECT_FALSE(passwords.Verify(changed, kPassword).value());
}

// Proves that hashes from before are good, and are made anew at the next opportunity.
TEST(PasswordsTest, TakesHashesFromBefore) {
  const std::string before = Passwords(kQuick).Hash(kPassword).value();
  const Passwords passwords(kQuick, KeyOf("secret"));
  EXPECT_TRUE(passwords.Verify(before, kPassword).value());
  EXPECT_TRUE(passwords.IsOutdated(before));
  const Passwords slower({.operations = 2, .memory_bytes = 8192}, KeyOf("secret"));
  EXPECT_TRUE(slower.IsOutdated(passwords.Hash(kPassword).value()));
}

}  // namespace
}  // namespace tintype::contexts::identity
