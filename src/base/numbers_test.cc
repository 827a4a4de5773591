#include "base/numbers.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace tintype {
namespace {

// All of the text is the number, or it is none.
TEST(NumbersTest, TakesAllOrNothing) {
  EXPECT_EQ(ParseInteger<int64_t>("0"), 0);
  EXPECT_EQ(ParseInteger<int64_t>("-12"), -12);
  EXPECT_EQ(ParseInteger<uint64_t>("ff", 16), 255U);
  for (const char* text : {"", " 1", "1 ", "+1", "1.5", "0x1", "one", "--1", "-"}) {
    EXPECT_EQ(ParseInteger<int64_t>(text), std::nullopt) << text;
  }
}

// A number that does not fit is none, not another number.
TEST(NumbersTest, RefusesNumbersThatDoNotFit) {
  EXPECT_EQ(ParseInteger<uint8_t>("255"), 255);
  EXPECT_EQ(ParseInteger<uint8_t>("256"), std::nullopt);
  EXPECT_EQ(ParseInteger<uint32_t>("-1"), std::nullopt);
  EXPECT_EQ(ParseInteger<int64_t>("9223372036854775808"), std::nullopt);
}

TEST(NumbersTest, DigitsHaveNoSign) {
  EXPECT_EQ(ParseDigits<int64_t>("007"), 7);
  EXPECT_EQ(ParseDigits<int64_t>("-0"), std::nullopt);
  EXPECT_EQ(ParseDigits<int64_t>(""), std::nullopt);
}

}  // namespace
}  // namespace tintype
