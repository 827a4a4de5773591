#include "base/time_text.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace tintype {
namespace {

// Times and their texts, both ways: the ends of the range, both sides of the epoch, and leap years
// of all kinds. (Seconds as GNU date tells them.)
TEST(TimeTextTest, TextsAndTimesCorrespond) {
  const struct {
    int64_t ms;
    std::string text;
  } cases[] = {
      {0, "1970-01-01T00:00:00.000Z"},
      {1, "1970-01-01T00:00:00.001Z"},
      {-1, "1969-12-31T23:59:59.999Z"},
      {-86'400'000, "1969-12-31T00:00:00.000Z"},
      {-86'400'001, "1969-12-30T23:59:59.999Z"},
      {86'399'999, "1970-01-01T23:59:59.999Z"},
      {951'782'400'000, "2000-02-29T00:00:00.000Z"},  // Divisible by 400: a leap year.
      {951'868'800'000, "2000-03-01T00:00:00.000Z"},
      {-2'203'891'200'000, "1900-03-01T00:00:00.000Z"},  // By 100 alone: none.
      {-2'203'891'200'001, "1900-02-28T23:59:59.999Z"},
      {4'107'542'399'999, "2100-02-28T23:59:59.999Z"},
      {4'107'542'400'000, "2100-03-01T00:00:00.000Z"},
      {1'709'210'096'789, "2024-02-29T12:34:56.789Z"},
      {1'735'689'599'999, "2024-12-31T23:59:59.999Z"},
      {1'735'689'600'000, "2025-01-01T00:00:00.000Z"},
      {2'147'483'648'000, "2038-01-19T03:14:08.000Z"},
      {kTimeTextMinMs, "0000-01-01T00:00:00.000Z"},
      {kTimeTextMaxMs, "9999-12-31T23:59:59.999Z"},
  };
  for (const auto& [ms, text] : cases) {
    EXPECT_EQ(TimeText(ms), text);
    const auto parsed = ParseTimeText(text);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_EQ(*parsed, ms) << text;
  }
}

// A number that is no time of ours still yields a text that can be read.
TEST(TimeTextTest, TimesOutOfRangeBecomeTheNearest) {
  for (const int64_t ms : {kTimeTextMaxMs + 1, INT64_MAX}) {
    EXPECT_EQ(TimeText(ms), "9999-12-31T23:59:59.999Z");
  }
  for (const int64_t ms : {kTimeTextMinMs - 1, INT64_MIN}) {
    EXPECT_EQ(TimeText(ms), "0000-01-01T00:00:00.000Z");
  }
}

// All days of 800 years there and back, each one after the day before: nothing is skipped or
// doubled.
TEST(TimeTextTest, EveryDayIsThereOnce) {
  std::string before;
  for (int64_t ms = ParseTimeText("1600-01-01T13:14:15.167Z").value();
       ms < ParseTimeText("2400-01-02T00:00:00.000Z").value(); ms += 86'400'000) {
    const std::string text = TimeText(ms);
    ASSERT_EQ(ParseTimeText(text).value(), ms) << text;
    ASSERT_LT(before, text);
    before = text;
  }
  EXPECT_EQ(before, "2400-01-01T13:14:15.167Z");
}

// Everything that is not exactly the form, or not on any calendar or clock, is refused.
TEST(TimeTextTest, ParsesNothingElse) {
  for (const char* text : {
           "",
           "2024",
           "2024-02-29",
           "2024-02-29T12:34:56Z",
           "2024-02-29T12:34:56.789",
           "2024-02-29T12:34:56.78Z",
           "2024-02-29T12:34:56.7890Z",
           "2024-02-29T12:34:56,789Z",
           "2024-02-29t12:34:56.789Z",
           "2024-02-29T12:34:56.789z",
           "2024-02-29 12:34:56.789Z",
           " 2024-02-29T12:34:56.789Z",
           "2024-02-29T12:34:56.789Z ",
           "2024-02-29T12:34:56.789+00:00",
           "-024-02-29T12:34:56.789Z",
           "+024-02-29T12:34:56.789Z",
           "2024-2--29T12:34:56.789Z",
           "20a4-02-29T12:34:56.789Z",
           "2023-02-29T00:00:00.000Z",
           "1900-02-29T00:00:00.000Z",
           "2024-02-30T00:00:00.000Z",
           "2024-04-31T00:00:00.000Z",
           "2024-00-01T00:00:00.000Z",
           "2024-13-01T00:00:00.000Z",
           "2024-01-00T00:00:00.000Z",
           "2024-01-32T00:00:00.000Z",
           "2024-01-01T24:00:00.000Z",
           "2024-01-01T00:60:00.000Z",
           "2016-12-31T23:59:60.000Z",
       }) {
    const auto parsed = ParseTimeText(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().kind(), ErrorKind::kValidation);
  }
}

}  // namespace
}  // namespace tintype
