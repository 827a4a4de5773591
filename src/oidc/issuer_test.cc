#include "oidc/issuer.h"

#include <gtest/gtest.h>

#include "oidc/reasons.h"
#include "oidc/testing/fake_issuer.h"

namespace tintype::oidc {
namespace {

using crypto::SignatureKind;
using crypto::testing::KeyPair;
using testing::FakeIssuer;

class IssuerTest : public ::testing::Test {
 protected:
  bool Knows(std::string_view id) {
    const auto key = issuer_.FindKey(id, SignatureKind::kRs256);
    return key.ok() && key->has_value();
  }

  FakeClock clock_{1'700'000'000'000};
  FakeIssuer fake_;
  Issuer issuer_{std::string(FakeIssuer::kUrl), fake_, clock_};
};

// It is asked once, when it is first needed, and again after an hour.
TEST_F(IssuerTest, IsAskedOnceAnHour) {
  EXPECT_TRUE(fake_.urls.empty());
  EXPECT_TRUE(Knows("first"));
  ASSERT_TRUE(issuer_.Describe().ok());
  EXPECT_TRUE(Knows("first"));
  EXPECT_EQ(fake_.urls.size(), 2u);
  clock_.AdvanceMs(Issuer::kKeptMs + 1);
  EXPECT_TRUE(Knows("first"));
  EXPECT_EQ(fake_.urls.size(), 4u);
}

// A new key is found as soon as a token names it; a key that is gone is gone within the hour.
TEST_F(IssuerTest, FollowsARotation) {
  EXPECT_TRUE(Knows("first"));
  fake_.RemoveKeys();
  fake_.AddKey("second", SignatureKind::kRs256, KeyPair::Rsa());
  clock_.AdvanceMs(Issuer::kAskAgainMs + 1);
  EXPECT_TRUE(Knows("second"));
  EXPECT_FALSE(Knows("first"));
}

// However many tokens name keys that do not exist, it is asked twice a minute.
TEST_F(IssuerTest, StrangersCannotMakeItAskMore) {
  EXPECT_TRUE(Knows("first"));
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(Knows("no key " + std::to_string(i)));
  }
  EXPECT_EQ(fake_.urls.size(), 2u);
  clock_.AdvanceMs(Issuer::kAskAgainMs + 1);
  for (int i = 0; i < 100; ++i) {
    EXPECT_FALSE(Knows("no key"));
  }
  EXPECT_EQ(fake_.urls.size(), 4u);
}

// While it cannot be reached, keys that are known go on to hold, for a day; who asks for others is
// not kept waiting, and it is tried again every few seconds.
TEST_F(IssuerTest, GoesOnWithoutTheIssuerForADay) {
  EXPECT_TRUE(Knows("first"));
  fake_.unreachable = true;
  clock_.AdvanceMs(Issuer::kKeptMs + 1);
  EXPECT_TRUE(Knows("first"));
  EXPECT_FALSE(Knows("second"));
  EXPECT_EQ(fake_.urls.size(), 3u);
  clock_.AdvanceMs(Issuer::kRetryMs);
  EXPECT_TRUE(Knows("first"));
  EXPECT_EQ(fake_.urls.size(), 4u);
  clock_.AdvanceMs(Issuer::kStaleMs);
  const auto key = issuer_.FindKey("first", SignatureKind::kRs256);
  ASSERT_FALSE(key.ok());
  EXPECT_TRUE(key.error().Is(kIssuerUnavailable));
  fake_.unreachable = false;
  clock_.AdvanceMs(Issuer::kRetryMs);
  EXPECT_TRUE(Knows("first"));
}

// An issuer that was never reached is tried again, but not by every request.
TEST_F(IssuerTest, ADeadIssuerIsAskedSeldom) {
  fake_.unreachable = true;
  for (int i = 0; i < 10; ++i) {
    EXPECT_FALSE(issuer_.Describe().ok());
  }
  EXPECT_EQ(fake_.urls.size(), 1u);
  clock_.AdvanceMs(Issuer::kRetryMs);
  EXPECT_FALSE(issuer_.Describe().ok());
  EXPECT_EQ(fake_.urls.size(), 2u);
  fake_.unreachable = false;
  clock_.AdvanceMs(Issuer::kRetryMs);
  EXPECT_TRUE(issuer_.Describe().ok());
}

// Errors and nonsense are no description, and replace none.
TEST_F(IssuerTest, NonsenseReplacesNothing) {
  EXPECT_TRUE(Knows("first"));
  clock_.AdvanceMs(Issuer::kKeptMs + 1);
  fake_.bodies["/jwks"] = "<html>";
  EXPECT_TRUE(Knows("first"));
  clock_.AdvanceMs(Issuer::kRetryMs);
  fake_.bodies.clear();
  fake_.status = 500;
  EXPECT_TRUE(Knows("first"));
}

// A token without a key's name is checked by the only key that fits; of two, nobody can tell.
TEST_F(IssuerTest, ATokenWithoutAKeysNameNeedsAnOnlyKey) {
  EXPECT_TRUE(Knows(""));
  fake_.AddKey("curve", SignatureKind::kEs256, KeyPair::P256());
  clock_.AdvanceMs(Issuer::kKeptMs + 1);
  EXPECT_TRUE(Knows(""));
  fake_.AddKey("second", SignatureKind::kRs256, KeyPair::Rsa());
  clock_.AdvanceMs(Issuer::kKeptMs + 1);
  EXPECT_FALSE(Knows(""));
  EXPECT_TRUE(Knows("second"));
}

// A key is for its own kind of signature, whatever a token's header says.
TEST_F(IssuerTest, AKeyIsForItsKindAlone) {
  const auto other = issuer_.FindKey("first", SignatureKind::kPs256);
  ASSERT_TRUE(other.ok());
  EXPECT_FALSE(other->has_value());
}

}  // namespace
}  // namespace tintype::oidc
