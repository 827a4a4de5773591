#include "base/ip_address.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace tintype {
namespace {

std::string Normal(std::string_view text) {
  const auto address = IpAddress::Parse(text);
  return address ? address->text() : "none";
}

// Proves that an address has one text, however it was written, and that nothing else is one.
TEST(IpAddressTest, HasOneText) {
  for (const auto& [text, expected] :
       {std::pair<std::string, std::string>{"192.0.2.1", "192.0.2.1"},
        {"::ffff:192.0.2.1", "192.0.2.1"},
        {"::FFFF:c000:201", "192.0.2.1"},
        {"2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
        {"::1", "::1"},
        {"::", "::"},
        {"", "none"},
        {"1.2.3", "none"},
        {"1.2.3.4 ", "none"},
        {"1.2.3.256", "none"},
        {"1.2.3.4:80", "none"},
        {"[::1]", "none"},
        {"fe80::1%eth0", "none"},
        {std::string("1.2.3.4\0", 8), "none"},
        {std::string(1000, ':'), "none"},
        {"localhost", "none"}}) {
    EXPECT_EQ(Normal(text), expected) << text;
  }
}

// Proves that loopback is all of 127.0.0.0/8 and ::1, mapped ones too, and nothing else.
TEST(IpAddressTest, KnowsLoopback) {
  for (const std::string text : {"127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"}) {
    EXPECT_TRUE(IpAddress::Parse(text)->IsLoopback()) << text;
  }
  for (const std::string text : {"128.0.0.1", "::2", "::", "0.0.0.1", "::127.0.0.1"}) {
    EXPECT_FALSE(IpAddress::Parse(text)->IsLoopback()) << text;
  }
}

// Proves that a network holds what is behind its mask, of its own family alone.
TEST(IpNetworkTest, ContainsItsAddresses) {
  struct Case {
    std::string network, address;
    bool inside;
  };
  for (const Case& each :
       {Case{"10.0.0.0/8", "10.255.0.1", true}, Case{"10.0.0.0/8", "11.0.0.0", false},
        Case{"10.0.0.0/8", "::ffff:10.1.2.3", true}, Case{"0.0.0.0/0", "192.0.2.1", true},
        Case{"0.0.0.0/0", "2001:db8::1", false}, Case{"::/0", "192.0.2.1", false},
        Case{"::/0", "2001:db8::1", true}, Case{"2001:db8::/33", "2001:db8:7fff::1", true},
        Case{"2001:db8::/33", "2001:db8:8000::1", false}, Case{"192.0.2.1", "192.0.2.1", true},
        Case{"192.0.2.1", "192.0.2.2", false}, Case{"192.0.2.0/31", "192.0.2.1", true}}) {
    const auto network = IpNetwork::Parse(each.network);
    ASSERT_TRUE(network) << each.network;
    EXPECT_EQ(network->Contains(*IpAddress::Parse(each.address)), each.inside)
        << each.network << " " << each.address;
  }
  EXPECT_EQ(IpNetwork::Parse("192.0.2.1")->text(), "192.0.2.1/32");
}

// Proves that other text is not taken for a network.
TEST(IpNetworkTest, RefusesOtherTexts) {
  for (const std::string text :
       {"", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.1/8", "::/129",
        "2001:db8::1/32", "example.org", "10.0.0.0/8/8", "10.0.0.0/99999999999"}) {
    EXPECT_FALSE(IpNetwork::Parse(text)) << text;
  }
}

}  // namespace
}  // namespace tintype
