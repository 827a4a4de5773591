#include "http/rest/protocol/host_refusal.h"

#include <gtest/gtest.h>

#include <string>

#include "http/rest/protocol/reasons.h"

namespace tintype::http::rest {
namespace {

const HostCheck kHosts({.names = {}, .public_url = "https://photos.example.org"});

std::optional<Error> Check(std::string method, Headers headers) {
  return CheckHostAndOrigin(kHosts, {.method = std::move(method),
                                     .target = "/api/v1/me",
                                     .headers = std::move(headers),
                                     .body = {},
                                     .peer = {}});
}

// Proves that a page which gave its name our address gets nothing, whatever it asks for, and that
// the refusal names the settings.
TEST(HostRefusalTest, RefusesOtherHosts) {
  for (const std::string method : {"GET", "POST", "OPTIONS"}) {
    const auto refused = Check(method, {{"host", "evil.example:8080"}});
    ASSERT_TRUE(refused);
    EXPECT_TRUE(refused->Is(reasons::kUnknownHost));
    EXPECT_NE(refused->message().find("--allowed-hosts"), std::string::npos);
    EXPECT_FALSE(Check(method, {{"host", "127.0.0.1:8080"}}));
    EXPECT_FALSE(Check(method, {{"host", "photos.example.org"}}));
  }
  const auto shortened = Check("GET", {{"host", std::string(10'000, 'x')}});
  ASSERT_TRUE(shortened);
  EXPECT_LT(shortened->message().size(), 400U);
}

// Proves that a foreign page can change nothing and use no cookie, and may look at what everybody
// may.
TEST(HostRefusalTest, RefusesForeignPagesWhereTheyCouldDoHarm) {
  const std::pair<std::string, std::string> host = {"host", "photos.example.org"};
  const std::pair<std::string, std::string> foreign = {"origin", "https://evil.example"};
  const std::pair<std::string, std::string> own = {"origin", "https://photos.example.org"};
  const std::pair<std::string, std::string> cookie = {"cookie", "tintype_access=x"};
  for (const std::string method : {"POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
    const auto refused = Check(method, {host, foreign});
    ASSERT_TRUE(refused) << method;
    EXPECT_TRUE(refused->Is(reasons::kForeignOrigin));
    EXPECT_FALSE(Check(method, {host, own}));
    EXPECT_FALSE(Check(method, {host}));
  }
  EXPECT_FALSE(Check("GET", {host, foreign}));
  EXPECT_TRUE(Check("GET", {host, foreign, cookie}));
  EXPECT_FALSE(Check("GET", {host, own, cookie}));
}

}  // namespace
}  // namespace tintype::http::rest
