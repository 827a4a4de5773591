#include "http/rest/request_metrics.h"

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
    : registry_(registry), rows_(Routes().size() + kPlaces.size()) {
  for (size_t i = 0; i < Routes().size(); ++i) {
    rows_[i].method = Routes()[i].method;
    rows_[i].route = Routes()[i].path;
  }
  for (size_t i = 0; i < kPlaces.size(); ++i) {
    Row& row = rows_[Routes().size() + i];
    std::tie(row.method, row.route) = kPlaces[i];
  }
}

void RequestMetrics::Count(const Route& route, int status, std::chrono::nanoseconds duration) {
  CountIn(rows_[static_cast<size_t>(&route - Routes().data())], status, duration);
}

void RequestMetrics::Count(Place place, int status, std::chrono::nanoseconds duration) {
  CountIn(rows_[Routes().size() + static_cast<size_t>(place)], status, duration);
}

void RequestMetrics::CountIn(Row& row, int status, std::chrono::nanoseconds duration) {
  status = std::clamp(status, kStatusMin, kStatusMax);
  std::atomic<metrics::Counter*>& kept = row.counters[static_cast<size_t>(status - kStatusMin)];
  metrics::Counter* counter = kept.load(std::memory_order_acquire);
  if (counter == nullptr) {
    // Whoever else is here finds the same one.
    counter = &registry_.GetCounter(
        "tintype_rest_requests_total",
        "Requests to the REST API, media and page that were answered, by route and status.",
        {{"method", row.method}, {"route", row.route}, {"status", StrCat(status)}});
    kept.store(counter, std::memory_order_release);
  }
  counter->Add();
  metrics::Histogram* durations = row.durations.load(std::memory_order_acquire);
  if (durations == nullptr) {
    durations = &registry_.GetHistogram(
        "tintype_rest_request_duration_seconds",
        "Time from a request's last byte to its answer, which is sent afterwards, by route.",
        metrics::kDurationBounds, {{"method", row.method}, {"route", row.route}});
    row.durations.store(durations, std::memory_order_release);
  }
  durations->Observe(duration);
}

}  // namespace tintype::http::rest
