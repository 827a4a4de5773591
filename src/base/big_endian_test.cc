#include "base/big_endian.h"

#include <gtest/gtest.h>

namespace tintype {
namespace {

// Positions and ids sort as numbers only if their most significant byte comes first.
TEST(BigEndianTest, RoundTrips) {
  std::string bytes;
  AppendBigEndian64(bytes, 0x0123456789ABCDEF);
  EXPECT_EQ(bytes, "\x01\x23\x45\x67\x89\xAB\xCD\xEF");
  EXPECT_EQ(ReadBigEndian64(bytes), 0x0123456789ABCDEFU);
}

}  // namespace
}  // namespace tintype
