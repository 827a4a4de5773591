#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/mutex.h"
#include "http/dynamodb/exposition.h"
#include "http/server/server.h"

namespace tintype::http::dynamodb {

/// Counts what the endpoint does, and shows it in Prometheus's text format. Counting takes no lock.
/// Thread-safe. Lost when the process ends, as Prometheus expects.
class Metrics {
 public:
  Metrics();

  /// A request was answered. `operation` is a position in OperationNames, or
  /// OperationNames().size() for anything else.
  void Count(size_t operation, int status, std::chrono::nanoseconds duration);

  /// Shows a server's connections under a name. `stats` is called by Render and must stay valid.
  void AddListener(std::string name, std::function<ServerStats()> stats);

  /// Shows a number that is known elsewhere and goes up and down. `value` is called by Render and
  /// must stay valid.
  void AddGauge(std::string name, std::string help, std::function<uint64_t()> value);

  /// Shows families that are known elsewhere: each call of Render calls it, once at a time. It must
  /// stay valid.
  void AddCollector(std::function<void(Exposition&)> collector);

  std::string Render() const;

 private:
  void ShowRequests(Exposition& out) const;
  void ShowDurations(Exposition& out) const;
  void ShowListeners(Exposition& out) const REQUIRES_LOCK(mutex_);

  // Upper bounds in microseconds; slower requests are counted in the last bucket, without a bound.
  static constexpr std::array<uint64_t, 12> kBoundsUs = {
      50, 100, 250, 500, 1'000, 2'500, 5'000, 10'000, 50'000, 250'000, 1'000'000, 5'000'000};

  // On its own cache lines: operations that different threads count do not slow each other down.
  struct alignas(64) Operation {
    std::array<std::atomic<uint64_t>, 6> by_status_class{};
    std::array<std::atomic<uint64_t>, kBoundsUs.size() + 1> by_duration{};
    std::atomic<uint64_t> duration_ns = 0;
  };

  std::vector<Operation> operations_;
  mutable Mutex mutex_;
  std::vector<std::pair<std::string, std::function<ServerStats()>>> listeners_ GUARDED_BY(mutex_);

  std::vector<std::function<void(Exposition&)>> collectors_ GUARDED_BY(mutex_);
};

}  // namespace tintype::http::dynamodb
