#include "http/monitoring/health.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "http/server/testing/client.h"

namespace tintype::http::monitoring {
namespace {

using http::testing::Header;

Response Ask(Handler& handler, std::string target, std::string method = "GET",
             Headers headers = {{"host", "127.0.0.1:9464"}}) {
  std::optional<Response> response;
  handler.Handle({.method = std::move(method),
                  .target = std::move(target),
                  .headers = std::move(headers),
                  .body = "",
                  .peer = ""},
                 [&response](Response given) { response = std::move(given); });
  EXPECT_TRUE(response);
  return response ? *std::move(response) : Response{};
}

// Proves that the health paths answer, and that everything else is a problem with details.
TEST(HealthTest, AnswersHealthPaths) {
  Readiness now;
  HealthHandler handler([&now] { return now; });
  EXPECT_EQ(Ask(handler, "/healthz").status, 200);
  EXPECT_EQ(Ask(handler, "/healthz").body, R"({"status":"ok"})");
  EXPECT_EQ(Ask(handler, "/readyz").status, 503);
  now.ready = true;
  EXPECT_EQ(Ask(handler, "/readyz?verbose").status, 200);
  EXPECT_EQ(Ask(handler, "/readyz").body, R"({"status":"ready","writes":"accepted"})");
  const Response missing = Ask(handler, "/api/v1/photos");
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(Header(missing, "Content-Type"), "application/problem+json");
  EXPECT_EQ(missing.body, R"({"type":"about:blank","title":"Not Found","status":404,)"
                          R"("detail":"There is nothing at this path."})");
  EXPECT_EQ(Ask(handler, "/healthz", "POST").status, 405);
}

// Proves that a full disk is told, without taking the server out of service.
TEST(HealthTest, TellsOfAFullDisk) {
  Readiness now{.ready = true, .writes = Writes::kLimited};
  HealthHandler handler([&now] { return now; });
  EXPECT_EQ(Ask(handler, "/readyz").status, 200);
  EXPECT_EQ(Ask(handler, "/readyz").body, R"({"status":"ready","writes":"limited"})");
  now.writes = Writes::kRefused;
  EXPECT_EQ(Ask(handler, "/readyz").status, 200);
  EXPECT_EQ(Ask(handler, "/readyz").body, R"({"status":"ready","writes":"refused"})");
  // The name does not matter: balancers put any into Host.
  EXPECT_EQ(Ask(handler, "/readyz", "GET", {{"host", "node-7.example"}}).status, 200);
}

// Proves that metrics are answered to who has the token, and to nobody else.
TEST(MetricsHandlerTest, AsksForTheToken) {
  metrics::Registry registry;
  MetricsHandler handler(registry, "a long enough secret");
  const auto ask = [&](const Headers& headers) { return Ask(handler, "/metrics", "GET", headers); };
  const Response refused = ask({});
  EXPECT_EQ(refused.status, 401);
  EXPECT_EQ(Header(refused, "WWW-Authenticate"), "Bearer");
  for (const std::string value :
       {"", "Bearer", "Bearer ", "Bearer a long enough secre", "Bearer a long enough secret!",
        "Basic a long enough secret", "a long enough secret"}) {
    EXPECT_EQ(ask({{"authorization", value}}).status, 401) << value;
  }
  EXPECT_EQ(ask({{"authorization", "Bearer a long enough secret"}}).status, 200);
  EXPECT_EQ(ask({{"authorization", "bearer a long enough secret"}, {"host", "tintype"}}).status,
            200);
}

// Proves that a page which gave its name this machine's address cannot read metrics.
TEST(MetricsHandlerTest, WithoutATokenAnswersNoOtherHost) {
  metrics::Registry registry;
  MetricsHandler handler(registry);
  const auto ask = [&](const std::string& host) {
    return Ask(handler, "/metrics", "GET", {{"host", host}}).status;
  };
  EXPECT_EQ(ask("127.0.0.1:9464"), 200);
  EXPECT_EQ(ask("localhost:9464"), 200);
  EXPECT_EQ(ask("evil.example:9464"), 421);
}

// Proves that metrics are answered as the text that they are, at their path alone.
TEST(MetricsHandlerTest, AnswersMetrics) {
  metrics::Registry registry;
  registry.GetCounter("tintype_calls_total", "Calls.").Add(7);
  MetricsHandler handler(registry);
  const Response response = Ask(handler, "/metrics");
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(Header(response, "Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  EXPECT_NE(response.body.find("\ntintype_calls_total 7\n"), std::string::npos) << response.body;
  EXPECT_EQ(Ask(handler, "/").status, 404);
  EXPECT_EQ(Ask(handler, "/metrics", "PUT").status, 405);
}

}  // namespace
}  // namespace tintype::http::monitoring
