#include "contexts/identity/throttling/network.h"

#include <gtest/gtest.h>

namespace tintype::contexts::identity {
namespace {

// Proves which addresses throttles take for one client, and which for neighbours.
TEST(NetworkTest, NamesTheNetworksOfAnAddress) {
  const struct {
    std::string_view address;
    std::string_view near;
    std::string_view wide;
  } cases[] = {
      {"192.0.2.7", "192.0.2.7/32", "192.0.2.0/24"},
      {"::ffff:192.0.2.7", "192.0.2.7/32", "192.0.2.0/24"},
      {"2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64", "2001:db8:1::/48"},
      {"::1", "::/64", "::/48"},
      {"fe80::1%eth0", "fe80::/64", "fe80::/48"},
      {"", "", ""},
      {"no address", "no address", "no address"},
  };
  for (const auto& test : cases) {
    EXPECT_EQ(NetworkOf(test.address).near, test.near) << test.address;
    EXPECT_EQ(NetworkOf(test.address).wide, test.wide) << test.address;
  }
  EXPECT_LE(NetworkOf(std::string(1000, 'x')).near.size(), 64U);
}

}  // namespace
}  // namespace tintype::contexts::identity
