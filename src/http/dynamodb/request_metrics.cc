#include "http/dynamodb/request_metrics.h"

#include <algorithm>
#include <string_view>

#include "base/strings.h"
#include "http/dynamodb/dispatch.h"

namespace tintype::http::dynamodb {
namespace {

std::string_view NameOf(size_t operation) {
  return operation < OperationNames().size() ? OperationNames()[operation] : "other";
}

}  // namespace

RequestMetrics::RequestMetrics(metrics::Registry& registry)
    : registry_(registry), operations_(OperationNames().size() + 1) {}

void RequestMetrics::Count(size_t operation, int status, std::chrono::nanoseconds duration) {
  operation = std::min(operation, operations_.size() - 1);
  Operation& instruments = operations_[operation];
  const int status_class = std::clamp(status / 100, 0, 5);
  std::atomic<metrics::Counter*>& kept =
      instruments.by_status_class[static_cast<size_t>(status_class)];
  metrics::Counter* counter = kept.load(std::memory_order_acquire);
  if (counter == nullptr) {
    // Other threads here find the same one.
    counter = &registry_.GetCounter(
        "tintype_dynamodb_requests_total",
        "Requests answered, by operation and class of HTTP status.",
        {{"operation", NameOf(operation)}, {"code", StrCat(status_class, "xx")}});
    kept.store(counter, std::memory_order_release);
  }
  counter->Add();
  metrics::Histogram* durations = instruments.durations.load(std::memory_order_acquire);
  if (durations == nullptr) {
    durations =
        &registry_.GetHistogram("tintype_dynamodb_request_duration_seconds",
                                "Time from a request's last byte to its answer, by operation.",
                                metrics::kDurationBounds, {{"operation", NameOf(operation)}});
    instruments.durations.store(durations, std::memory_order_release);
  }
  durations->Observe(duration);
}

}  // namespace tintype::http::dynamodb
