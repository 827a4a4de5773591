#include "http/server/forwarded.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

namespace tintype::http {
namespace {

constexpr std::string_view kProxy = "10.0.0.1";

TrustedProxies Trusting(ProxyHeader header = ProxyHeader::kEither) {
  return {{*IpNetwork::Parse("10.0.0.0/8"), *IpNetwork::Parse("2001:db8:ff::/48")}, header};
}

RequestOrigin From(std::string_view peer, const Headers& headers,
                   const TrustedProxies& proxies = Trusting()) {
  return OriginOf(headers, {*IpAddress::Parse(peer), false}, proxies);
}

std::string ByXForwardedFor(const std::string& value) {
  return From(kProxy, {{"x-forwarded-for", value}}).address.text();
}

std::string ByForwarded(const std::string& value) {
  return From(kProxy, {{"forwarded", value}}).address.text();
}

// Proves that nobody but a trusted proxy can say where a request comes from.
TEST(ForwardedTest, StrangersAreNotBelieved) {
  const Headers headers = {{"x-forwarded-for", "192.0.2.1"},
                           {"forwarded", "for=192.0.2.1;proto=https"},
                           {"x-forwarded-proto", "https"}};
  const RequestOrigin origin = From("198.51.100.7", headers);
  EXPECT_EQ(origin.address.text(), "198.51.100.7");
  EXPECT_FALSE(origin.https);
  EXPECT_EQ(From(kProxy, headers, {}).address.text(), kProxy);
}

// Proves that the right-most address that is not a proxy's counts, whatever a client wrote before
// it, and that nonsense leads no further than to the proxy that passed it on.
TEST(ForwardedTest, XForwardedFor) {
  for (const auto& [value, expected] :
       {std::pair<std::string, std::string>{"192.0.2.1", "192.0.2.1"},
        {"1.1.1.1, 192.0.2.1", "192.0.2.1"},
        {"1.1.1.1,192.0.2.1 , 10.9.9.9", "192.0.2.1"},
        {"10.2.2.2, 10.9.9.9", "10.2.2.2"},
        {"192.0.2.1:4711", "192.0.2.1"},
        {"[2001:db8::1]:4711", "2001:db8::1"},
        {"2001:db8::1", "2001:db8::1"},
        {"::ffff:192.0.2.1", "192.0.2.1"},
        {"192.0.2.1, ::ffff:10.1.1.1", "192.0.2.1"},
        {"192.0.2.1, unknown", "10.0.0.1"},
        {"192.0.2.1, unknown, 10.9.9.9", "10.9.9.9"},
        {"", "10.0.0.1"},
        {",,,", "10.0.0.1"},
        {"192.0.2.1,", "192.0.2.1"},
        {"<script>", "10.0.0.1"},
        {"192.0.2.1:99999", "10.0.0.1"},
        {"192.0.2.1:", "10.0.0.1"},
        {"[2001:db8::1", "10.0.0.1"},
        {"[192.0.2.1]x", "10.0.0.1"},
        {"192.0.2.1\x01", "10.0.0.1"},
        {std::string(15'000, ','), "10.0.0.1"},
        {"192.0.2.1" + std::string(4'000, 'x'), "10.0.0.1"}}) {
    EXPECT_EQ(ByXForwardedFor(value), expected) << value.substr(0, 80);
  }
}

// The same for RFC 7239, whose values may be quoted: a comma in quotes must not begin an element.
TEST(ForwardedTest, Forwarded) {
  for (const auto& [value, expected] :
       {std::pair<std::string, std::string>{"for=192.0.2.1", "192.0.2.1"},
        {"For=\"[2001:db8::1]:4711\";proto=https;by=10.0.0.1", "2001:db8::1"},
        {"for=1.1.1.1, for=192.0.2.1;proto=http, for=10.3.3.3", "192.0.2.1"},
        {"for=192.0.2.1 , for=\"[2001:db8:ff::5]\"", "192.0.2.1"},
        {"for=192.0.2.1;", "192.0.2.1"},
        {"for=192.0.2.1,", "192.0.2.1"},
        {"for=unknown", "10.0.0.1"},
        {"for=_hidden", "10.0.0.1"},
        {"proto=https", "10.0.0.1"},
        {"for=", "10.0.0.1"},
        {"for", "10.0.0.1"},
        {"for=192.0.2.1;for=192.0.2.2", "10.0.0.1"},
        {"for=\"192.0.2.1", "10.0.0.1"},
        {"for=\"192.0.2.1\\", "10.0.0.1"},
        {"for=\"192.0.2.1\\\"", "10.0.0.1"},
        {"for=\"x, for=192.0.2.9\"", "10.0.0.1"},
        {"host=\"a,b;c\", for=192.0.2.1", "192.0.2.1"},
        {"for=192.0.2.1, \"", "10.0.0.1"},
        {";;;", "10.0.0.1"}}) {
    EXPECT_EQ(ByForwarded(value), expected) << value;
  }
}

// Proves that a header which the proxy does not write, and so passes on from the client, is not
// read when it is known which one it writes; and that X-Forwarded-For wins when it is not.
TEST(ForwardedTest, OneHeaderCounts) {
  const Headers both = {{"forwarded", "for=192.0.2.1"}, {"x-forwarded-for", "192.0.2.2"}};
  EXPECT_EQ(From(kProxy, both).address.text(), "192.0.2.2");
  EXPECT_EQ(From(kProxy, both, Trusting(ProxyHeader::kForwarded)).address.text(), "192.0.2.1");
  EXPECT_EQ(From(kProxy, both, Trusting(ProxyHeader::kXForwardedFor)).address.text(), "192.0.2.2");
  const Headers forwarded = {both.front()};
  EXPECT_EQ(From(kProxy, forwarded).address.text(), "192.0.2.1");
  EXPECT_EQ(From(kProxy, forwarded, Trusting(ProxyHeader::kXForwardedFor)).address.text(), kProxy);
}

// Proves that several lines of a header are one list, in their order.
TEST(ForwardedTest, LinesAreOneList) {
  EXPECT_EQ(From(kProxy, {{"x-forwarded-for", "1.1.1.1"}, {"x-forwarded-for", "192.0.2.1"}})
                .address.text(),
            "192.0.2.1");
}

// Proves that the scheme is that of the client's own connection, as far as proxies tell.
TEST(ForwardedTest, Scheme) {
  EXPECT_TRUE(From(kProxy, {{"forwarded", "for=192.0.2.1;proto=HTTPS"}}).https);
  EXPECT_FALSE(From(kProxy, {{"forwarded", "for=192.0.2.1;proto=http"}}).https);
  // The inner proxy got it by plain HTTP from the outer one, which got it by https.
  EXPECT_TRUE(
      From(kProxy, {{"forwarded", "for=192.0.2.1;proto=https, for=10.0.0.2;proto=http"}}).https);
  EXPECT_FALSE(From(kProxy, {{"forwarded", "for=1.1.1.1;proto=https, for=192.0.2.1"}}).https);
  EXPECT_TRUE(
      From(kProxy, {{"x-forwarded-for", "192.0.2.1"}, {"x-forwarded-proto", "https"}}).https);
  EXPECT_FALSE(
      From(kProxy, {{"x-forwarded-for", "192.0.2.1"}, {"x-forwarded-proto", "https, http"}}).https);
  EXPECT_FALSE(
      From(kProxy, {{"x-forwarded-for", "192.0.2.1"}, {"x-forwarded-proto", "gopher"}}).https);
  // A connection over TLS to a proxy that says nothing stays what it is.
  EXPECT_TRUE(OriginOf({}, {*IpAddress::Parse(kProxy), true}, Trusting()).https);
}

}  // namespace
}  // namespace tintype::http
