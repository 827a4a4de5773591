#include "http/server/server_metrics.h"

#include <gtest/gtest.h>

#include <string>

namespace tintype::http {
namespace {

// Proves that the figures of several listeners stand beside each other.
TEST(ServerMetricsTest, ShowConnectionsByListener) {
  metrics::Registry registry;
  const auto rest = CollectConnections(registry, "http", [] { return ServerStats{1}; });
  const auto tables =
      CollectConnections(registry, "dynamodb", [] { return ServerStats{3, 4, 5, 6, 7, 8}; });
  const std::string text = registry.Render();
  for (const std::string line :
       {R"(tintype_http_connections_open{listener="dynamodb"} 3)",
        R"(tintype_http_connections_open{listener="http"} 1)",
        R"(tintype_http_connections_accepted_total{listener="dynamodb"} 4)",
        R"(tintype_http_connections_refused_total{listener="dynamodb"} 5)",
        R"(tintype_http_unread_answer_bytes{listener="dynamodb"} 6)",
        R"(tintype_http_client_refusals_total{listener="dynamodb",what="connection"} 7)",
        R"(tintype_http_client_refusals_total{listener="dynamodb",what="body"} 8)"}) {
    EXPECT_NE(text.find(line + "\n"), std::string::npos) << line << "\n" << text;
  }
}

}  // namespace
}  // namespace tintype::http
