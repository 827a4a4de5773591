#include "tables/language/changes.h"

#include <gtest/gtest.h>

namespace tintype::tables {
namespace {

// Positions compare as numbers, however long they are and whatever zeros they begin with; the empty
// one comes first.
TEST(ChangePositionTest, ComparesAsNumbers) {
  EXPECT_TRUE(IsBefore("", "1"));
  EXPECT_TRUE(IsBefore("9", "10"));
  EXPECT_TRUE(IsBefore("0009", "10"));
  EXPECT_TRUE(IsBefore("49590338271490256608559692538361571095921575989136588898",
                       "49590338271490256608559692538361571095921575989136588899"));
  EXPECT_FALSE(IsBefore("10", "9"));
  EXPECT_FALSE(IsBefore("10", "0010"));
  EXPECT_FALSE(IsBefore("", ""));
}

}  // namespace
}  // namespace tintype::tables
