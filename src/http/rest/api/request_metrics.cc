#include "http/rest/api/request_metrics.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/strings.h"

namespace tintype::http::rest {
namespace {

/// In the order of RequestMetrics::Place.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPlaces = {{
    {"GET", "/media/{key}"},
    {"GET", "health"},
    {"GET", "page"},
    {"any", "other"},
}};

}  // namespace

RequestMetrics::RequestMetrics(metrics::Registry& registry)
    : registry_(registry), rows_(contract::Operations().size() + kPlaces.size()) {
  const auto operations = contract::Operations();
  for (size_t i = 0; i < operations.size(); ++i) {
    rows_[i].method = operations[i].method;
    rows_[i].route = operations[i].path;
  }
  for (size_t i = 0; i < kPlaces.size(); ++i) {
    Row& row = rows_[operations.size() + i];
    std::tie(row.method, row.route) = kPlaces[i];
  }
}

void RequestMetrics::Count(const contract::Operation& operation, int status,
                           std::chrono::nanoseconds duration) {
  CountIn(rows_[static_cast<size_t>(&operation - contract::Operations().data())], status, duration);
}

void RequestMetrics::Count(Place place, int status, std::chrono::nanoseconds duration) {
  CountIn(rows_[contract::Operations().size() + static_cast<size_t>(place)], status, duration);
}

void RequestMetrics::CountRarely(metrics::Registry& registry, const contract::Operation& operation,
                                 int status, std::chrono::nanoseconds duration) {
  status = std::clamp(status, kStatusMin, kStatusMax);
  CounterOf(registry, operation.method, operation.path, status).Add();
  DurationsOf(registry, operation.method, operation.path).Observe(duration);
}

metrics::Counter& RequestMetrics::CounterOf(metrics::Registry& registry, std::string_view method,
                                            std::string_view route, int status) {
  return registry.GetCounter(
      "tintype_rest_requests_total",
      "Requests to the REST API, media and page that were answered, by route and status.",
      {{"method", method}, {"route", route}, {"status", StrCat(status)}});
}

metrics::Histogram& RequestMetrics::DurationsOf(metrics::Registry& registry,
                                                std::string_view method, std::string_view route) {
  return registry.GetHistogram(
      "tintype_rest_request_duration_seconds",
      "Time from a request's last byte to its answer, which is sent afterwards, by route.",
      metrics::kDurationBounds, {{"method", method}, {"route", route}});
}

void RequestMetrics::CountIn(Row& row, int status, std::chrono::nanoseconds duration) {
  status = std::clamp(status, kStatusMin, kStatusMax);
  std::atomic<metrics::Counter*>& kept = row.counters[static_cast<size_t>(status - kStatusMin)];
  metrics::Counter* counter = kept.load(std::memory_order_acquire);
  if (counter == nullptr) {
    // Other threads here find the same one.
    counter = &CounterOf(registry_, row.method, row.route, status);
    kept.store(counter, std::memory_order_release);
  }
  counter->Add();
  metrics::Histogram* durations = row.durations.load(std::memory_order_acquire);
  if (durations == nullptr) {
    durations = &DurationsOf(registry_, row.method, row.route);
    row.durations.store(durations, std::memory_order_release);
  }
  durations->Observe(duration);
}

}  // namespace tintype::http::rest
