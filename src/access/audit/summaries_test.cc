#include "access/audit/summaries.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"

namespace tintype::access::audit {
namespace {

constexpr int64_t kStartMs = 1'800'000'000'000;
constexpr int64_t kMinuteMs = 60'000;

Entry DenialFrom(const std::string& address) {
  Entry entry;
  entry.kind = "session.login";
  entry.outcome = Outcome::kDenied;
  entry.principal.address = address;
  return entry;
}

int64_t CountIn(const std::vector<Entry>& entries) {
  int64_t count = 0;
  for (const Entry& entry : entries) {
    count += entry.count;
  }
  return count;
}

// Proves that the first few are written as they are, and the rest of the minute as one.
TEST(SummariesTest, FirstFewThenACount) {
  Summaries summaries({});
  int singles = 0;
  for (int i = 0; i < 100; ++i) {
    singles += summaries.Add(DenialFrom("192.0.2.1"), kStartMs + i) ? 1 : 0;
  }
  EXPECT_EQ(singles, 5);
  EXPECT_TRUE(summaries.TakeDue(kStartMs + kMinuteMs - 1).empty());
  const auto due = summaries.TakeDue(kStartMs + kMinuteMs);
  ASSERT_EQ(due.size(), 1U);
  EXPECT_EQ(due[0].count, 95);
  EXPECT_EQ(due[0].principal.address, "192.0.2.1");
  EXPECT_EQ(due[0].details.at("first"), "2027-01-15T08:00:00.000Z");
  EXPECT_TRUE(summaries.empty());
  EXPECT_TRUE(summaries.Add(DenialFrom("192.0.2.1"), kStartMs + kMinuteMs).has_value());
}

// Proves that one who floods does not take the entries of another, nor a stranger those of people.
TEST(SummariesTest, EachIsCountedApart) {
  Summaries summaries({.burst = 6});
  for (int i = 0; i < 100; ++i) {
    summaries.Add(DenialFrom("192.0.2.1"), kStartMs);
  }
  EXPECT_TRUE(summaries.Add(DenialFrom("192.0.2.2"), kStartMs).has_value());
  EXPECT_FALSE(summaries.Add(DenialFrom("192.0.2.3"), kStartMs).has_value());
  Entry known = DenialFrom("192.0.2.1");
  known.principal.kind = PrincipalKind::kAccessKey;
  known.principal.id = "AKIA";
  EXPECT_TRUE(summaries.Add(known, kStartMs).has_value());
}

// Proves both bounds under a day of denials from ever new addresses, and that each was counted
// once.
TEST(SummariesTest, ADayOfFloodIsBounded) {
  const Summaries::Config config{.tallies_max = 50, .per_minute = 10, .burst = 100};
  Summaries summaries(config);
  int64_t entries = 0;
  int64_t counted = 0;
  int64_t sent = 0;
  for (int minute = 0; minute < 24 * 60; ++minute) {
    const int64_t now_ms = kStartMs + minute * kMinuteMs;
    for (int i = 0; i < 200; ++i) {
      ++sent;
      if (summaries.Add(DenialFrom(StrCat(minute, ".", i)), now_ms)) {
        ++entries;
        ++counted;
      }
    }
    const auto due = summaries.TakeDue(now_ms);
    entries += static_cast<int64_t>(due.size());
    counted += CountIn(due);
  }
  EXPECT_LE(entries, 100 + 24 * 60 * 10);
  EXPECT_GE(entries, 24 * 60);
  counted += CountIn(summaries.TakeDue(kStartMs, /*all=*/true));
  EXPECT_EQ(counted, sent);
  EXPECT_TRUE(summaries.empty());
}

// Proves that a clock which is set back neither loses counts nor stops the allowance for good.
TEST(SummariesTest, AClockThatIsSetBack) {
  Summaries summaries({.burst = 5});
  for (int i = 0; i < 10; ++i) {
    summaries.Add(DenialFrom("192.0.2.1"), kStartMs);
  }
  const int64_t back_ms = kStartMs - 100 * kMinuteMs;
  EXPECT_EQ(CountIn(summaries.TakeDue(back_ms)), 0);
  EXPECT_FALSE(summaries.empty());
  EXPECT_EQ(CountIn(summaries.TakeDue(back_ms + 2 * kMinuteMs)), 5);
}

}  // namespace
}  // namespace tintype::access::audit
