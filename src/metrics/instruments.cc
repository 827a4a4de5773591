#include "metrics/instruments.h"

#include <algorithm>

#include "base/check.h"

namespace tintype::metrics {

size_t internal::ShardOfThisThread() {
  static std::atomic<size_t> threads = 0;
  thread_local const size_t shard = threads.fetch_add(1, std::memory_order_relaxed) % kShards;
  return shard;
}

uint64_t Counter::value() const {
  uint64_t sum = 0;
  for (const Shard& shard : shards_) {
    sum += shard.value.load(std::memory_order_relaxed);
  }
  return sum;
}

Histogram::Histogram(std::span<const double> bounds) : bounds_(bounds.begin(), bounds.end()) {
  CHECK(bounds_.size() <= kBoundsMax);
  CHECK(std::ranges::is_sorted(bounds_, std::ranges::less_equal()));
}

void Histogram::Observe(double value) {
  Shard& shard = shards_[internal::ShardOfThisThread()];
  const auto bound = std::ranges::lower_bound(bounds_, value) - bounds_.begin();
  shard.counts[static_cast<size_t>(bound)].fetch_add(1, std::memory_order_relaxed);
  shard.sum.fetch_add(value, std::memory_order_relaxed);
}

Distribution Histogram::Read() const {
  Distribution distribution{bounds_, std::vector<uint64_t>(bounds_.size() + 1), 0};
  for (const Shard& shard : shards_) {
    for (size_t i = 0; i < distribution.counts.size(); ++i) {
      distribution.counts[i] += shard.counts[i].load(std::memory_order_relaxed);
    }
    distribution.sum += shard.sum.load(std::memory_order_relaxed);
  }
  return distribution;
}

}  // namespace tintype::metrics
