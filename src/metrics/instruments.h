#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Numbers about the running server, for Prometheus.
namespace tintype::metrics {

namespace internal {
inline constexpr size_t kShards = 8;
inline constexpr size_t kCacheLine = 64;
/// Threads take the shards in turn.
size_t ShardOfThisThread();
}  // namespace internal

/// A number that only grows, from 0 at the start of the process. Thread-safe; Add takes no lock.
class Counter {
 public:
  void Add(uint64_t number = 1) {
    shards_[internal::ShardOfThisThread()].value.fetch_add(number, std::memory_order_relaxed);
  }
  uint64_t value() const;

 private:
  struct alignas(internal::kCacheLine) Shard {
    std::atomic<uint64_t> value = 0;
  };
  std::array<Shard, internal::kShards> shards_;
};

/// A number that goes up and down. Thread-safe; takes no lock.
class Gauge {
 public:
  void Set(int64_t value) { value_.store(value, std::memory_order_relaxed); }
  void Add(int64_t number) { value_.fetch_add(number, std::memory_order_relaxed); }
  int64_t value() const { return value_.load(std::memory_order_relaxed); }

 private:
  std::atomic<int64_t> value_ = 0;
};

/// What a histogram has counted up to one moment.
struct Distribution {
  std::vector<double> bounds;
  std::vector<uint64_t> counts;  ///< By bound, and one more for everything above the last.
  double sum = 0;
};

/// How often values were up to each of some bounds, and their sum. Thread-safe; Observe takes no
/// lock.
class Histogram {
 public:
  static constexpr size_t kBoundsMax = 15;

  /// REQUIRES: the bounds ascend, and are at most kBoundsMax.
  explicit Histogram(std::span<const double> bounds);

  void Observe(double value);
  /// In seconds.
  void Observe(std::chrono::nanoseconds duration) {
    Observe(std::chrono::duration<double>(duration).count());
  }

  Distribution Read() const;

 private:
  struct alignas(internal::kCacheLine) Shard {
    std::atomic<double> sum = 0;
    std::array<std::atomic<uint64_t>, kBoundsMax + 1> counts{};
  };
  const std::vector<double> bounds_;
  std::array<Shard, internal::kShards> shards_;
};

/// Bounds for times of requests and calls: 50 us to 5 s.
inline constexpr std::array<double, 12> kDurationBounds = {
    0.000'05, 0.000'1, 0.000'25, 0.000'5, 0.001, 0.002'5, 0.005, 0.01, 0.05, 0.25, 1, 5};

}  // namespace tintype::metrics
