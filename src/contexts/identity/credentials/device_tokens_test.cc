#include "contexts/identity/credentials/device_tokens.h"

#include <gtest/gtest.h>

#include <string>

namespace tintype::contexts::identity {
namespace {

constexpr int64_t kHourMs = 3600 * 1000;

// Proves that a token says what was signed, until it expires, and that no changed one is read.
TEST(DeviceTokensTest, ReadsItsOwnTokensUntilTheyExpire) {
  FakeClock clock(1'700'000'000'000);
  const DeviceTokens tokens(DeriveKey("secret", "device tokens"), clock);
  const std::string token = tokens.Issue({"account", "session"});
  const auto device = tokens.Read(token);
  ASSERT_TRUE(device);
  EXPECT_EQ(device->account_id, "account");
  EXPECT_EQ(device->id, "session");
  for (size_t i = 0; i < token.size(); ++i) {
    std::string changed = token;
    changed[i] = changed[i] == 'A' ? 'E' : 'A';
    EXPECT_FALSE(tokens.Read(changed)) << changed;
    EXPECT_FALSE(tokens.Read(token.substr(0, i))) << i;
  }
  for (const std::string text : {"", ".", "..", "...", "a.b.c", "a.b.9999999999.x"}) {
    EXPECT_FALSE(tokens.Read(text)) << text;
  }
  EXPECT_FALSE(tokens.Read(std::string(100'000, '.')));
  EXPECT_FALSE(DeviceTokens(DeriveKey("other", "device tokens"), clock).Read(token));
  clock.AdvanceMs(DeviceTokens::kKept.count() * kHourMs);
  EXPECT_TRUE(tokens.Read(token));
  clock.AdvanceMs(1000);
  EXPECT_FALSE(tokens.Read(token));
}

}  // namespace
}  // namespace tintype::contexts::identity
