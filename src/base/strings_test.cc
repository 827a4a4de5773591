#include "base/strings.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace tintype {
namespace {

// Text of every kind, characters and whole numbers become one text.
TEST(StringsTest, JoinsPartsOfEveryKind) {
  EXPECT_EQ(StrCat(), "");
  EXPECT_EQ(StrCat("a", std::string("b"), std::string_view("c"), 'd'), "abcd");
  EXPECT_EQ(StrCat(0, ' ', -5, ' ', UINT64_MAX, ' ', INT64_MIN),
            "0 -5 18446744073709551615 -9223372036854775808");
  EXPECT_EQ(StrCat(std::string("\0", 1), 'x').size(), 2U);
}

// A small number is printed as a number, never as the character it encodes.
TEST(StringsTest, TellsNumbersFromCharacters) {
  EXPECT_EQ(StrCat('A', uint8_t{65}, int8_t{-1}), "A65-1");
}

// Appending keeps what is there.
TEST(StringsTest, AppendsToWhatIsThere) {
  std::string out = "n=";
  StrAppend(out, 12, ';');
  EXPECT_EQ(out, "n=12;");
}

// The separator is between elements only, empty ones included.
TEST(StringsTest, PutsSeparatorsBetweenElements) {
  EXPECT_EQ(StrJoin(std::vector<std::string>{}, ", "), "");
  EXPECT_EQ(StrJoin(std::vector<std::string>{"a"}, ", "), "a");
  EXPECT_EQ(StrJoin(std::vector<std::string_view>{"", "a", ""}, ", "), ", a, ");
  EXPECT_EQ(StrJoin(std::set<std::string>{"b", "a"}, ""), "ab");
}

// Case is ignored for letters, not for what lies 32 apart from another character.
TEST(StringsTest, IgnoresTheCaseOfLettersAlone) {
  EXPECT_TRUE(EqualsIgnoreCase("X-Amz-AZ09", "x-aMZ-az09"));
  EXPECT_TRUE(EqualsIgnoreCase("", ""));
  EXPECT_FALSE(EqualsIgnoreCase("a", "ab"));
  EXPECT_FALSE(EqualsIgnoreCase("@[", "`{"));
  EXPECT_FALSE(EqualsIgnoreCase("\xC4", "\xE4"));
}

}  // namespace
}  // namespace tintype
