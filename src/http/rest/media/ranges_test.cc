#include "http/rest/media/ranges.h"

#include <gtest/gtest.h>

#include <string>

namespace tintype::http::rest {
namespace {

// Proves what each form of a range means for ten bytes, and that nonsense means all of them.
TEST(RangesTest, DecidesOnOneRange) {
  constexpr auto kWhole = RangeDecision::Kind::kWhole;
  constexpr auto kPart = RangeDecision::Kind::kPart;
  constexpr auto kUnsatisfiable = RangeDecision::Kind::kUnsatisfiable;
  const struct {
    std::string header;
    RangeDecision::Kind kind;
    uint64_t offset = 0;
    uint64_t length = 0;
  } cases[] = {
      {"bytes=0-0", kPart, 0, 1},
      {"bytes=2-4", kPart, 2, 3},
      {"BYTES=2-4", kPart, 2, 3},
      {"bytes=7-", kPart, 7, 3},
      {"bytes=-3", kPart, 7, 3},
      {"bytes=-30", kPart, 0, 10},
      {"bytes=9-100", kPart, 9, 1},
      {"bytes=0-99999999999999999999999", kPart, 0, 10},
      {"bytes=-99999999999999999999999", kPart, 0, 10},
      {"bytes=10-", kUnsatisfiable},
      {"bytes=10-12", kUnsatisfiable},
      {"bytes=-0", kUnsatisfiable},
      {"bytes=99999999999999999999999-", kUnsatisfiable},
      {"", kWhole},
      {"bytes=", kWhole},
      {"bytes=-", kWhole},
      {"bytes", kWhole},
      {"bytes=4-2", kWhole},
      {"bytes=a-b", kWhole},
      {"bytes=0x0-1", kWhole},
      {"bytes= 0-1", kWhole},
      {"bytes=1", kWhole},
      {"bytes=--1", kWhole},
      {"bytes=1-2-3", kWhole},
      {"lines=1-2", kWhole},
      // Several are answered with all of it: what asks for thousands of parts gains nothing.
      {"bytes=0-1,3-4", kWhole},
      {"bytes=0-,0-,0-,0-", kWhole},
  };
  for (const auto& test : cases) {
    const RangeDecision decision = DecideRange(test.header, 10);
    EXPECT_EQ(decision.kind, test.kind) << test.header;
    if (test.kind == kPart && decision.kind == kPart) {
      EXPECT_EQ(decision.range.offset, test.offset) << test.header;
      EXPECT_EQ(decision.range.length, test.length) << test.header;
    }
  }
  for (const std::string header : {"bytes=0-", "bytes=-1", "bytes=0-0"}) {
    EXPECT_EQ(DecideRange(header, 0).kind, kUnsatisfiable) << header;
  }
}

}  // namespace
}  // namespace tintype::http::rest
