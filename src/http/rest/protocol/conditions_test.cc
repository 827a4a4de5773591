#include "http/rest/protocol/conditions.h"

#include <gtest/gtest.h>

namespace tintype::http::rest {
namespace {

constexpr int64_t kTime = 784111777;  // The RFC's example, in all its forms.
constexpr std::string_view kDate = "Sun, 06 Nov 1994 08:49:37 GMT";

Request With(Headers headers) {
  Request request;
  request.method = "GET";
  request.headers = std::move(headers);
  return request;
}

const Validators kState = {"\"abc\"", kTime};

// Proves that the three forms of a date are read, one is written, and nothing else is a date.
TEST(ConditionsTest, ReadsAndWritesDates) {
  EXPECT_EQ(HttpDate(kTime), kDate);
  for (const std::string_view text : {kDate, std::string_view("Sunday, 06-Nov-94 08:49:37 GMT"),
                                      std::string_view("Sun Nov  6 08:49:37 1994"),
                                      std::string_view("  Sun, 06 Nov 1994 08:49:37 GMT ")}) {
    EXPECT_EQ(ParseHttpDate(text), kTime) << text;
  }
  for (const std::string_view text :
       {"", "now", "784111777", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 GMT+1",
        "Sun, 32 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z",
        "Sun, 06 Nov 1994 08:49:37 GMT                           x"}) {
    EXPECT_FALSE(ParseHttpDate(text)) << text;
  }
}

// Proves each condition by itself, and their precedence.
TEST(ConditionsTest, FollowsTheRfc) {
  constexpr auto kHolds = Precondition::kHolds;
  constexpr auto kFailed = Precondition::kFailed;
  constexpr auto kNotModified = Precondition::kNotModified;
  const std::string date(kDate);
  const std::string before = HttpDate(kTime - 1);
  const std::string after = HttpDate(kTime + 1);
  const struct {
    Headers headers;
    Precondition expected;
  } cases[] = {
      {{}, kHolds},
      {{{"if-none-match", "\"abc\""}}, kNotModified},
      {{{"if-none-match", "W/\"abc\""}}, kNotModified},
      {{{"if-none-match", "*"}}, kNotModified},
      {{{"if-none-match", " \"x\" ,W/\"y\", \"abc\""}}, kNotModified},
      {{{"if-none-match", "\"x\""}, {"if-none-match", "\"abc\""}}, kNotModified},
      {{{"if-none-match", "\"x,\\\"abc\", \"y\""}}, kHolds},
      {{{"if-none-match", "abc"}}, kHolds},
      {{{"if-none-match", "\"ab\""}}, kHolds},
      {{{"if-none-match", "\"abc"}}, kHolds},
      {{{"if-none-match", ""}}, kHolds},
      {{{"if-none-match", ",,,"}}, kHolds},
      {{{"if-none-match", "W/"}}, kHolds},
      {{{"if-modified-since", date}}, kNotModified},
      {{{"if-modified-since", after}}, kNotModified},
      {{{"if-modified-since", before}}, kHolds},
      {{{"if-modified-since", "yesterday"}}, kHolds},
      // An entity tag says more than a date.
      {{{"if-none-match", "\"x\""}, {"if-modified-since", after}}, kHolds},
      {{{"if-match", "\"abc\""}}, kHolds},
      {{{"if-match", "*"}}, kHolds},
      {{{"if-match", "\"x\", \"abc\""}}, kHolds},
      {{{"if-match", "W/\"abc\""}}, kFailed},
      {{{"if-match", "\"x\""}}, kFailed},
      {{{"if-unmodified-since", before}}, kFailed},
      {{{"if-unmodified-since", date}}, kHolds},
      {{{"if-unmodified-since", "never"}}, kHolds},
      {{{"if-match", "\"abc\""}, {"if-unmodified-since", before}}, kHolds},
      {{{"if-match", "\"x\""}, {"if-none-match", "\"abc\""}}, kFailed},
      {{{"if-match", "\"abc\""}, {"if-none-match", "\"abc\""}}, kNotModified},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(CheckPreconditions(With(test.headers), kState), test.expected)
        << (test.headers.empty() ? "" : test.headers[0].first + ": " + test.headers[0].second);
  }
}

// Proves that a part is sent only of the state that the client has a part of.
TEST(ConditionsTest, LooksAtRangesOfTheSameState) {
  EXPECT_TRUE(RangeStands(With({}), kState));
  EXPECT_TRUE(RangeStands(With({{"if-range", "\"abc\""}}), kState));
  EXPECT_TRUE(RangeStands(With({{"if-range", std::string(kDate)}}), kState));
  for (const std::string other :
       {"\"x\"", "W/\"abc\"", "", "*", "abc", "Sun, 06 Nov 1994 08:49:38 GMT",
        "Sun, 06 Nov 1994 08:49:36 GMT"}) {
    EXPECT_FALSE(RangeStands(With({{"if-range", other}}), kState)) << other;
  }
}

}  // namespace
}  // namespace tintype::http::rest
