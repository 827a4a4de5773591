#include "http/server/host_check.h"

#include <gtest/gtest.h>

#include <string>

namespace tintype::http {
namespace {

const HostCheck kCheck({.names = {"nas", "Gallery.Example.org", "*.home.arpa"},
                        .public_url = "https://photos.example.org:8443/gallery"});

// Proves that addresses, this machine and what was named are right, in any spelling, and that a
// name which somebody else may own is not.
TEST(HostCheckTest, Hosts) {
  for (const std::string host :
       {"127.0.0.1", "127.0.0.1:8080", "10.1.2.3:80", "[::1]", "[2001:db8::1]:8080", "localhost",
        "LocalHost:8080", "photos.localhost:1", "photos.example.org", "photos.example.org:8443",
        "PHOTOS.example.org.:8443", "nas:8080", "gallery.example.org", "a.home.arpa",
        "a.b.home.arpa"}) {
    EXPECT_TRUE(kCheck.AllowsHost(host)) << host;
  }
  for (const std::string host : {"",
                                 ":8080",
                                 "evil.example",
                                 "evil.example:8080",
                                 "127.0.0.1.evil.example",
                                 "localhost.evil",
                                 "notlocalhost",
                                 ".localhost",
                                 "home.arpa",
                                 "evilhome.arpa",
                                 "xnas",
                                 "nas.evil.example",
                                 "photos.example.org.evil",
                                 "[::1",
                                 "[evil]",
                                 "[]",
                                 "127.1",
                                 "0x7f000001",
                                 "photos.example.org..",
                                 "evil.example@127.0.0.1"}) {
    EXPECT_FALSE(kCheck.AllowsHost(host)) << host;
  }
  EXPECT_FALSE(HostCheck({}).AllowsHost("photos.example.org"));
  EXPECT_TRUE(HostCheck({.names = {"*"}}).AllowsHost("anything.example"));
}

// Proves that only a page of this server may send requests to it: one of another port of the same
// machine, of another scheme or of nowhere may not.
TEST(HostCheckTest, Origins) {
  EXPECT_TRUE(kCheck.AllowsOrigin("http://127.0.0.1:8080", "127.0.0.1:8080"));
  EXPECT_TRUE(kCheck.AllowsOrigin("http://LOCALHOST:8080", "localhost:8080"));
  EXPECT_TRUE(kCheck.AllowsOrigin("http://[::1]:8080", "[::1]:8080"));
  EXPECT_TRUE(kCheck.AllowsOrigin("https://photos.example.org:8443", "127.0.0.1:8080"));
  EXPECT_TRUE(kCheck.AllowsOrigin("https://a.home.arpa", "127.0.0.1:8080"));
  EXPECT_FALSE(kCheck.AllowsOrigin("http://127.0.0.1:3000", "127.0.0.1:8080"));
  EXPECT_FALSE(kCheck.AllowsOrigin("http://localhost:8080", "127.0.0.1:8080"));
  EXPECT_FALSE(kCheck.AllowsOrigin("http://evil.example", "127.0.0.1:8080"));
  EXPECT_FALSE(kCheck.AllowsOrigin("http://127.0.0.1:8080.evil.example", "127.0.0.1:8080"));
  for (const std::string origin : {"null", "", "http://", "file://", "chrome-extension://abc"}) {
    EXPECT_FALSE(kCheck.AllowsOrigin(origin, "127.0.0.1:8080")) << origin;
    EXPECT_FALSE(HostCheck({}).AllowsOrigin(origin, "")) << origin;
  }
}

}  // namespace
}  // namespace tintype::http
