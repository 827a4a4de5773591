#include "base/ulid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

namespace tintype {
namespace {

constexpr int64_t kNowMs = 1'469'918'176'385;  // Of the specification's example, 01ARYZ6S41.

/// A source that gives the same bytes each time.
UlidGenerator::RandomSource Always(std::string bytes) {
  return [bytes = std::move(bytes)](size_t count) {
    EXPECT_EQ(count, bytes.size());
    return bytes;
  };
}

// The specification's example of a time, and texts computed by hand from bytes.
TEST(UlidTest, IsWrittenAsTheSpecificationSays) {
  const struct {
    int64_t now_ms;
    std::string random;
    std::string text;
  } cases[] = {
      {kNowMs, std::string(10, '\0'), "01ARYZ6S410000000000000000"},
      {0, std::string(10, '\0'), "00000000000000000000000000"},
      {(int64_t{1} << 48) - 1, std::string(10, '\xFF'), "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"},
      // 00001 00010 00011 00100 00101 00110 00111 01000, and then 01001 to 10000.
      {1, "\x08\x86\x42\x98\xE8\x4A\x96\xC6\xB9\xF0", "0000000001123456789ABCDEFG"},
  };
  for (const auto& [now_ms, random, text] : cases) {
    const FakeClock clock(now_ms);
    UlidGenerator generator(clock, Always(random));
    EXPECT_EQ(generator.Next().value(), text);
    EXPECT_EQ(UlidTimeMs(text).value(), now_ms);
    EXPECT_TRUE(IsUlid(text));
  }
}

// Within a millisecond the next one is the last plus one, as the specification shows; in a new one
// it is random again.
TEST(UlidTest, CountsWithinAMillisecond) {
  FakeClock clock(kNowMs);
  UlidGenerator generator(clock, Always(std::string(9, '\0') + "\xFE"));
  EXPECT_EQ(generator.Next().value(), "01ARYZ6S41000000000000007Y");
  EXPECT_EQ(generator.Next().value().substr(24), "7Z");
  EXPECT_EQ(generator.Next().value().substr(22), "0080");
  clock.AdvanceMs(1);
  EXPECT_EQ(generator.Next().value(), "01ARYZ6S42000000000000007Y");
}

// When the clock goes back, ids go on upwards from the last one until it has caught up.
TEST(UlidTest, GoesOnUpwardsWhenTheClockGoesBack) {
  FakeClock clock(kNowMs);
  UlidGenerator generator(clock);
  std::string last = generator.Next().value();
  for (const int64_t step_ms : {-1, -3'600'000, 0, 1, 3'599'999, 1, 1}) {
    clock.AdvanceMs(step_ms);
    const std::string next = generator.Next().value();
    EXPECT_GT(next, last);
    EXPECT_EQ(UlidTimeMs(next).value(), std::max(kNowMs, clock.NowMs()));
    last = next;
  }
}

// When the random part would overflow, making one fails, as the specification wants, until the next
// millisecond.
TEST(UlidTest, FailsWhenTheRandomPartIsExhausted) {
  FakeClock clock(kNowMs);
  UlidGenerator generator(clock, Always(std::string(9, '\xFF') + "\xFE"));
  EXPECT_EQ(generator.Next().value(), "01ARYZ6S41ZZZZZZZZZZZZZZZY");
  EXPECT_EQ(generator.Next().value(), "01ARYZ6S41ZZZZZZZZZZZZZZZZ");
  for (int i = 0; i < 3; ++i) {
    const auto next = generator.Next();
    ASSERT_FALSE(next.ok());
    EXPECT_EQ(next.error().kind(), ErrorKind::kUnavailable);
  }
  clock.AdvanceMs(1);
  EXPECT_EQ(generator.Next().value(), "01ARYZ6S42ZZZZZZZZZZZZZZZY");
}

// A clock that shows what 48 bits cannot hold yields an error, not a wrong id.
TEST(UlidTest, FailsOutsideItsTime) {
  for (const int64_t now_ms : {int64_t{-1}, int64_t{1} << 48}) {
    const FakeClock clock(now_ms);
    EXPECT_EQ(UlidGenerator(clock).Next().error().kind(), ErrorKind::kUnavailable);
  }
}

// Eight threads get different ids, each thread in ascending order.
TEST(UlidTest, ThreadsGetDifferentOnes) {
  constexpr size_t kThreads = 8;
  constexpr size_t kEach = 5000;
  UlidGenerator generator(SystemClock());
  std::vector<std::vector<std::string>> made(kThreads);
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (std::vector<std::string>& mine : made) {
    threads.emplace_back([&] {
      for (size_t i = 0; i < kEach; ++i) {
        mine.push_back(generator.Next().value());
      }
    });
  }
  std::vector<std::string> all;
  for (size_t i = 0; i < kThreads; ++i) {
    threads[i].join();
    EXPECT_TRUE(std::ranges::is_sorted(made[i]));
    all.insert(all.end(), made[i].begin(), made[i].end());
  }
  std::ranges::sort(all);
  EXPECT_EQ(std::ranges::adjacent_find(all), all.end());
  EXPECT_TRUE(std::ranges::all_of(all, IsUlid));
}

// Either case is read, and given its one spelling; text that the specification excludes is refused.
TEST(UlidTest, ReadsEitherCaseAndNothingElse) {
  EXPECT_EQ(ParseUlid("01aryz6s41tsv4rrffq69g5fav").value(), "01ARYZ6S41TSV4RRFFQ69G5FAV");
  EXPECT_EQ(UlidTimeMs("01aryz6s41tsv4rrffq69g5fav").value(), kNowMs);
  EXPECT_FALSE(IsUlid("01aryz6s41tsv4rrffq69g5fav"));
  for (const char* text : {
           "",
           "01ARYZ6S41TSV4RRFFQ69G5FA",
           "01ARYZ6S41TSV4RRFFQ69G5FAVX",
           "81ARYZ6S41TSV4RRFFQ69G5FAV",  // More than 128 bits.
           "Z1ARYZ6S41TSV4RRFFQ69G5FAV",
           "0IARYZ6S41TSV4RRFFQ69G5FAV",
           "0lARYZ6S41TSV4RRFFQ69G5FAV",
           "0OARYZ6S41TSV4RRFFQ69G5FAV",
           "01ARYZ6S41TSV4RRFFQ69G5FUV",
           "01ARYZ6S41-SV4RRFFQ69G5FAV",
           "01ARYZ6S41 SV4RRFFQ69G5FAV",
           "01ARYZ6S41TSV4RRFFQ69G5FA\xFF",
       }) {
    EXPECT_FALSE(IsUlid(text)) << text;
    const auto parsed = ParseUlid(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().kind(), ErrorKind::kValidation);
    EXPECT_FALSE(UlidTimeMs(text).ok()) << text;
  }
}

}  // namespace
}  // namespace tintype
