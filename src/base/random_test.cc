#include "base/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

namespace tintype {
namespace {

using ::testing::MatchesRegex;

// There are as many bytes as were asked for, of all values, and not the same ones again.
TEST(RandomTest, GivesAsManyBytesAsAsked) {
  EXPECT_EQ(RandomBytes(0), "");
  EXPECT_EQ(RandomBytes(1).size(), 1U);
  const std::string bytes = RandomBytes(100'000);
  EXPECT_EQ(bytes.size(), 100'000U);
  EXPECT_EQ(std::set<char>(bytes.begin(), bytes.end()).size(), 256U);
  EXPECT_NE(RandomBytes(32), RandomBytes(32));
}

// A UUID has the usual spelling, with the version and variant of a random one, and no two are the
// same.
TEST(RandomTest, MakesVersionFourUuids) {
  std::set<std::string> seen;
  for (int i = 0; i < 100; ++i) {
    const std::string uuid = RandomUuid();
    EXPECT_THAT(uuid, MatchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-"
                                   "[0-9a-f]{12}"));
    EXPECT_TRUE(seen.insert(uuid).second) << uuid;
  }
}

}  // namespace
}  // namespace tintype
