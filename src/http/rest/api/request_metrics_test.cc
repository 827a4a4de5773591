#include "http/rest/api/request_metrics.h"

#include <gtest/gtest.h>

#include <string>

namespace tintype::http::rest {
namespace {

using std::chrono::milliseconds;

// Proves that requests are counted under the pattern of their route, by method and status.
TEST(RequestMetricsTest, CountsByRouteAndStatus) {
  metrics::Registry registry;
  RequestMetrics counted(registry);
  const contract::Operation& get_image = contract::OperationOf("getImage");
  counted.Count(get_image, 200, milliseconds(3));
  counted.Count(get_image, 200, milliseconds(300));
  counted.Count(get_image, 404, milliseconds(3));
  counted.Count(contract::OperationOf("getAuthState"), 200, milliseconds(1));
  counted.Count(RequestMetrics::Place::kMedia, 206, milliseconds(1));
  counted.Count(RequestMetrics::Place::kOther, 1000, milliseconds(1));
  const std::string text = registry.Render();
  for (
      const std::string line :
      {R"(tintype_rest_requests_total{method="GET",route="/api/v1/images/{id}",status="200"} 2)",
       R"(tintype_rest_requests_total{method="GET",route="/api/v1/images/{id}",status="404"} 1)",
       R"(tintype_rest_requests_total{method="GET",route="/api/v1/auth/state",status="200"} 1)",
       R"(tintype_rest_requests_total{method="GET",route="/media/{key}",status="206"} 1)",
       R"(tintype_rest_requests_total{method="any",route="other",status="599"} 1)",
       R"(tintype_rest_request_duration_seconds_bucket{method="GET",route="/api/v1/images/{id}",le="0.005"} 2)",
       R"(tintype_rest_request_duration_seconds_count{method="GET",route="/api/v1/images/{id}"} 3)"}) {
    EXPECT_NE(text.find(line + "\n"), std::string::npos) << line << "\n" << text;
  }
}

// Proves that all operations fit the bound of a metric's series: 12 statuses are more than most
// have.
TEST(RequestMetricsTest, FitTheBoundOfSeries) {
  EXPECT_LT(contract::Operations().size() * 12, metrics::Family::kSeriesMax);
}

}  // namespace
}  // namespace tintype::http::rest
