#include "http/rest/protocol/rate_limit.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace tintype::http::rest {
namespace {

// Proves that a name gets as many at once as a minute has, then one for each that has come back,
// whatever others do.
TEST(RateLimitTest, GivesBackOneByOne) {
  FakeClock clock(1'000'000);
  RateLimit limit({.per_minute = 6}, clock);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(limit.Take("ada"), std::nullopt);
  }
  EXPECT_EQ(limit.Take("ada"), 10);
  EXPECT_EQ(limit.Take("bob"), std::nullopt);
  clock.AdvanceMs(8500);
  EXPECT_EQ(limit.Take("ada"), 2);
  clock.AdvanceMs(1500);
  EXPECT_EQ(limit.Take("ada"), std::nullopt);
  EXPECT_EQ(limit.Take("ada"), 10);
  clock.AdvanceMs(60'000);
  for (int i = 0; i < 6; ++i) {
    EXPECT_EQ(limit.Take("ada"), std::nullopt);
  }
  EXPECT_EQ(limit.Take("ada"), 10);
  // Nobody waits longer than that because the clock was put back.
  clock.AdvanceMs(-3'600'000);
  EXPECT_EQ(limit.Take("ada"), 10);
}

// Proves that what is remembered is bounded, and those who have used theirs up are the last to go.
TEST(RateLimitTest, RemembersSoMany) {
  FakeClock clock(1'000'000);
  RateLimit limit({.per_minute = 1, .names_max = 10}, clock);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(limit.Take(StrCat("early ", i)), std::nullopt);
  }
  clock.AdvanceMs(60'000);
  EXPECT_EQ(limit.Take("a late one"), std::nullopt);
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(limit.Take(StrCat("more ", i)), std::nullopt);
  }
  EXPECT_EQ(limit.Take("a late one"), 60);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(limit.Take(StrCat("many ", i)), std::nullopt);
  }
}

}  // namespace
}  // namespace tintype::http::rest
