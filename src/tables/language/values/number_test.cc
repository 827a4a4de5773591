#include "tables/language/values/number.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace tintype::tables {
namespace {

Number Parsed(const std::string& text) {
  Result<Number> number = Number::Parse(text);
  EXPECT_TRUE(number.ok()) << text;
  return number.ok() ? *number : Number();
}

// Spellings of one number come out as DynamoDB prints it.
TEST(NumberTest, NormalisesSpelling) {
  const std::pair<const char*, std::string> cases[] = {
      {"0", "0"},
      {"-0", "0"},
      {"0.000", "0"},
      {"-0e10", "0"},
      {"1e3", "1000"},
      {".5", "0.5"},
      {"5.", "5"},
      {"+3", "3"},
      {"007", "7"},
      {"1.500", "1.5"},
      {"-12.340", "-12.34"},
      {"1E-3", "0.001"},
      {"123e-2", "1.23"},
      {"0.00012e5", "12"},
      {"1e-130", "0." + std::string(129, '0') + "1"},
      {"9.9999999999999999999999999999999999999E+125", std::string(38, '9') + std::string(88, '0')},
      {"12345678901234567890123456789012345678", "12345678901234567890123456789012345678"},
      {"0.00000000000000000000000000000000000000000001",
       "0.00000000000000000000000000000000000000000001"},
      {"1e0000000000000000001", "10"},
  };
  for (const auto& [text, expected] : cases) {
    EXPECT_EQ(Parsed(text).ToString(), expected) << text;
  }
}

// Each way to be wrong gets DynamoDB's own words.
TEST(NumberTest, RefusesWhatDynamoDbRefuses) {
  const std::string not_a_number = "The parameter cannot be converted to a numeric value";
  const std::string overflow =
      "Number overflow. Attempting to store a number with magnitude larger than supported range";
  const std::string underflow =
      "Number underflow. Attempting to store a number with magnitude smaller than supported range";
  const std::string digits = "Attempting to store more than 38 significant digits in a Number";
  const std::pair<std::string, std::string> cases[] = {
      {"", not_a_number},
      {"abc", not_a_number + ": abc"},
      {" 1", not_a_number + ":  1"},
      {"1 ", not_a_number + ": 1 "},
      {"NaN", not_a_number + ": NaN"},
      {"Infinity", not_a_number + ": Infinity"},
      {"1e", not_a_number + ": 1e"},
      {"1e+", not_a_number + ": 1e+"},
      {"e5", not_a_number + ": e5"},
      {".", not_a_number + ": ."},
      {"1.2.3", not_a_number + ": 1.2.3"},
      {"--1", not_a_number + ": --1"},
      {"0x10", not_a_number + ": 0x10"},
      {"1e126", overflow},
      {"-1e126", overflow},
      {"1e99999999999999999999", overflow},
      {"1e-131", underflow},
      {"-1e-131", underflow},
      {"123456789012345678901234567890123456789", digits},
      {"1." + std::string(37, '0') + "1", digits},
      {"1" + std::string(200, '0') + "1", overflow},
  };
  for (const auto& [text, message] : cases) {
    const Result<Number> number = Number::Parse(text);
    ASSERT_FALSE(number.ok()) << text;
    EXPECT_EQ(number.error().kind(), ErrorKind::kValidation);
    EXPECT_EQ(number.error().message(), message) << text;
  }
}

// The stored form is what keys and comparisons stand on: it must sort as numbers do and come back.
TEST(NumberTest, StoredFormSortsAndRoundTrips) {
  std::vector<Number> numbers;
  for (const char* text :
       {"-9.99e125", "-1000",   "-999.5", "-10",     "-9",
        "-1.01",     "-1",      "-0.5",   "-1e-130", "0",
        "1e-130",    "0.09",    "0.1",    "0.11",    "1",
        "1.0000001", "1.1",     "2",      "9",       "10",
        "10.5",      "11",      "99",     "100",     "12345678901234567890123456789012345678",
        "1e125",     "9.99e125"}) {
    numbers.push_back(Parsed(text));
  }
  std::mt19937_64 random(20240601);
  for (int i = 0; i < 3000; ++i) {
    std::string text = random() % 2 ? "-" : "";
    for (uint64_t n = 1 + random() % 38; n > 0; --n) {
      text += static_cast<char>('0' + random() % 10);
    }
    text += "e" + std::to_string(static_cast<int>(random() % 160) - 120);
    if (const Result<Number> number = Number::Parse(text); number.ok()) {
      numbers.push_back(*number);
    }
  }
  ASSERT_GT(numbers.size(), 2000U);
  std::sort(numbers.begin(), numbers.end());
  for (size_t i = 0; i < numbers.size(); ++i) {
    const std::string stored = numbers[i].ToStored();
    EXPECT_EQ(Number::FromStored(stored), numbers[i]);
    EXPECT_EQ(Number::FromStored(stored).ToString(), numbers[i].ToString());
    EXPECT_EQ(Parsed(numbers[i].ToString()), numbers[i]);
    if (i > 0) {
      const std::string before = numbers[i - 1].ToStored();
      EXPECT_EQ(before < stored, numbers[i - 1] < numbers[i])
          << numbers[i - 1].ToString() << " " << numbers[i].ToString();
      // Self-delimiting: no stored number is a proper prefix of another.
      EXPECT_TRUE(before == stored || !stored.starts_with(before));
    }
  }
}

// Carries, borrows and distant exponents lose no digit, unlike binary floating point.
TEST(NumberTest, AddsAndSubtractsExactly) {
  struct Case {
    const char* a;
    const char* b;
    const char* sum;
    const char* difference;
  };
  const Case cases[] = {
      {"1", "2", "3", "-1"},
      {"-1", "1", "0", "-2"},
      {"0", "5", "5", "-5"},
      {"999", "1", "1000", "998"},
      {"1000", "0.001", "1000.001", "999.999"},
      {"0.1", "0.2", "0.3", "-0.1"},
      {"-5", "-7", "-12", "2"},
      {"1e20", "1", "100000000000000000001", "99999999999999999999"},
      {"99999999999999999999999999999999999999", "0", "99999999999999999999999999999999999999",
       "99999999999999999999999999999999999999"},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Number::Add(Parsed(c.a), Parsed(c.b))->ToString(), c.sum) << c.a << " " << c.b;
    EXPECT_EQ(Number::Subtract(Parsed(c.a), Parsed(c.b))->ToString(), c.difference) << c.a << c.b;
  }
}

// An inexact sum is refused rather than rounded: a counter must never lie.
TEST(NumberTest, RefusesSumsThatDoNotFit) {
  EXPECT_EQ(
      Number::Add(Parsed("1e38"), Parsed("1e-1")).error().message(),
      "Number overflow. Attempting to store a number with magnitude larger than supported range");
  EXPECT_FALSE(Number::Add(Parsed("9.9e125"), Parsed("9.9e125")).ok());
  EXPECT_FALSE(Number::Add(Parsed("1e125"), Parsed("-1e-130")).ok());
  EXPECT_TRUE(Number::Add(Parsed("1e38"), Parsed("1e10")).ok());
}

// Every integer fits, the one without a positive counterpart included.
TEST(NumberTest, ConvertsIntegers) {
  EXPECT_EQ(Number(0).ToString(), "0");
  EXPECT_EQ(Number(-42).ToString(), "-42");
  EXPECT_EQ(Number(INT64_MIN).ToString(), "-9223372036854775808");
}

// Size is by significant digits and sign, not by magnitude; items are billed and limited by it.
TEST(NumberTest, CountsSizeByDigits) {
  EXPECT_EQ(Parsed("0").SizeBytes(), 1U);
  EXPECT_EQ(Parsed("7").SizeBytes(), 2U);
  EXPECT_EQ(Parsed("-7").SizeBytes(), 3U);
  EXPECT_EQ(Parsed("123").SizeBytes(), 3U);
  EXPECT_EQ(Parsed("1e50").SizeBytes(), 2U);
}

}  // namespace
}  // namespace tintype::tables
