#include "base/hex.h"

#include <gtest/gtest.h>

namespace tintype {
namespace {

// Every byte has two digits, those above 127 too.
TEST(HexTest, TwoDigitsForEachByte) {
  EXPECT_EQ(ToHex(""), "");
  EXPECT_EQ(ToHex(std::string_view("\x00\x09\x0A\x7F\x80\xFF", 6)), "00090a7f80ff");
}

}  // namespace
}  // namespace tintype
