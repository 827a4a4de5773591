#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <string_view>
#include <vector>

#include "contract/contract.h"
#include "metrics/registry.h"

namespace tintype::http::rest {

/// Counts requests by the operation that they were for, never by their path, and how long they
/// took. Owned by the endpoint; the registry outlives it. Thread-safe; takes no lock but for the
/// first request of each kind.
class RequestMetrics {
 public:
  /// What is no operation of the contract.
  enum class Place { kMedia, kHealth, kPage, kOther };

  explicit RequestMetrics(metrics::Registry& registry);

  // A request was answered.
  void Count(const contract::Operation& operation, int status, std::chrono::nanoseconds duration);
  void Count(Place place, int status, std::chrono::nanoseconds duration);
  /// The same by looking the instruments up, which takes a lock: for the few answers that do not
  /// pass the endpoint.
  static void CountRarely(metrics::Registry& registry, const contract::Operation& operation,
                          int status, std::chrono::nanoseconds duration);

 private:
  static constexpr int kStatusMin = 100;
  static constexpr int kStatusMax = 599;

  struct Row {
    std::string_view method;
    std::string_view route;
    // By status; null until there is something to count.
    std::array<std::atomic<metrics::Counter*>, kStatusMax - kStatusMin + 1> counters{};
    std::atomic<metrics::Histogram*> durations = nullptr;
  };
  static metrics::Counter& CounterOf(metrics::Registry& registry, std::string_view method,
                                     std::string_view route, int status);
  static metrics::Histogram& DurationsOf(metrics::Registry& registry, std::string_view method,
                                         std::string_view route);
  void CountIn(Row& row, int status, std::chrono::nanoseconds duration);

  metrics::Registry& registry_;
  std::vector<Row> rows_;  // The operations in their order, then the places.
};

}  // namespace tintype::http::rest
