#include "tables/remote/config.h"

#include <gtest/gtest.h>

#include "net/endpoint.h"

namespace tintype::tables::remote {
namespace {

RemoteConfig GoodConfig() {
  RemoteConfig config;
  config.endpoint = "http://localhost:8000";
  config.credentials = {"id", "secret", std::nullopt};
  return config;
}

// The Host header, which is signed, must be what the service sees.
TEST(RemoteConfigTest, ReadsEndpoints) {
  const std::pair<std::string, std::string> rows[] = {
      {"http://localhost:8000", "http://localhost:8000/ localhost:8000"},
      {"http://localhost:8000/", "http://localhost:8000/ localhost:8000"},
      {"http://localhost:80", "http://localhost/ localhost"},
      {"https://dynamodb.eu-west-1.amazonaws.com",
       "https://dynamodb.eu-west-1.amazonaws.com/ dynamodb.eu-west-1.amazonaws.com"},
      {"https://h:443/", "https://h/ h"},
      {"https://h:80/", "https://h:80/ h:80"},
      {"http://[::1]:8000", "http://[::1]:8000/ [::1]:8000"},
      {"localhost:8000", "error"},
      {"ftp://localhost", "error"},
      {"http://", "error"},
      {"http://h/path", "error"},
      {"http://h/?q", "error"},
      {"http://user@h", "error"},
      {"http://h:port", "error"},
      {"", "error"},
  };
  for (const auto& [text, expected] : rows) {
    const auto endpoint = net::ParseEndpoint(text);
    EXPECT_EQ(endpoint.ok() ? endpoint->url + " " + endpoint->host : "error", expected) << text;
  }
}

TEST(RemoteConfigTest, RefusesWhatCannotWork) {
  EXPECT_TRUE(GoodConfig().Validate().ok());
  const std::pair<std::string, void (*)(RemoteConfig&)> rows[] = {
      {"endpoint", [](RemoteConfig& config) { config.endpoint = "nowhere"; }},
      {"region", [](RemoteConfig& config) { config.region = ""; }},
      {"credentials", [](RemoteConfig& config) { config.credentials.secret = ""; }},
      {"connections_max", [](RemoteConfig& config) { config.connections_max = 0; }},
      {"idle_max", [](RemoteConfig& config) { config.idle_max = {}; }},
      {"connect_timeout", [](RemoteConfig& config) { config.connect_timeout = {}; }},
      {"attempt_timeout", [](RemoteConfig& config) { config.attempt_timeout = {}; }},
      {"call_timeout", [](RemoteConfig& config) { config.call_timeout = {}; }},
      {"attempts_max", [](RemoteConfig& config) { config.attempts_max = 0; }},
      {"backoff_max", [](RemoteConfig& config) { config.backoff_max = {}; }},
      {"response_bytes_max", [](RemoteConfig& config) { config.response_bytes_max = 0; }},
  };
  for (const auto& [name, spoil] : rows) {
    RemoteConfig config = GoodConfig();
    spoil(config);
    const Status status = config.Validate();
    ASSERT_FALSE(status.ok()) << name;
    EXPECT_EQ(status.error().kind(), ErrorKind::kValidation);
    EXPECT_NE(status.error().message().find(name), std::string::npos) << status.error().message();
  }
}

}  // namespace
}  // namespace tintype::tables::remote
