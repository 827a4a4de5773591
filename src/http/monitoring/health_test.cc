#include "http/monitoring/health.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>

#include "http/server/testing/client.h"

namespace tintype::http::monitoring {
namespace {

using http::testing::Header;

Response Ask(Handler& handler, std::string target, std::string method = "GET") {
  std::optional<Response> response;
  handler.Handle({.method = std::move(method),
                  .target = std::move(target),
                  .headers = {},
                  .body = "",
                  .peer = ""},
                 [&response](Response given) { response = std::move(given); });
  EXPECT_TRUE(response);
  return response ? *std::move(response) : Response{};
}

// Proves that the health paths answer, and that everything else is a problem with details.
TEST(HealthTest, AnswersHealthPaths) {
  bool ready = false;
  HealthHandler handler([&ready] { return ready; });
  EXPECT_EQ(Ask(handler, "/healthz").status, 200);
  EXPECT_EQ(Ask(handler, "/healthz").body, R"({"status":"ok"})");
  EXPECT_EQ(Ask(handler, "/readyz").status, 503);
  ready = true;
  EXPECT_EQ(Ask(handler, "/readyz?verbose").status, 200);
  const Response missing = Ask(handler, "/api/v1/photos");
  EXPECT_EQ(missing.status, 404);
  EXPECT_EQ(Header(missing, "Content-Type"), "application/problem+json");
  EXPECT_EQ(missing.body, R"({"type":"about:blank","title":"Not Found","status":404,)"
                          R"("detail":"There is nothing at this path."})");
  EXPECT_EQ(Ask(handler, "/healthz", "POST").status, 405);
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
