#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <vector>

#include "metrics/registry.h"

namespace tintype::http::dynamodb {

/// Counts requests by operation, and how long they took. Outlives the endpoint and the requests it
/// passed on; the registry outlives it. Thread-safe; takes no lock but for the first request of
/// each kind.
class RequestMetrics {
 public:
  explicit RequestMetrics(metrics::Registry& registry);

  /// A request was answered. `operation` is a position in OperationNames, or
  /// OperationNames().size() for anything else.
  void Count(size_t operation, int status, std::chrono::nanoseconds duration);

 private:
  // Null until there is something to count: most operations are never used.
  struct Operation {
    std::array<std::atomic<metrics::Counter*>, 6> by_status_class{};
    std::atomic<metrics::Histogram*> durations = nullptr;
  };

  metrics::Registry& registry_;
  std::vector<Operation> operations_;
};

}  // namespace tintype::http::dynamodb
