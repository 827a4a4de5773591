#include "metrics/instruments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>
#include <vector>

namespace tintype::metrics {
namespace {

using ::testing::ElementsAre;

constexpr std::array<double, 2> kBounds = {0.1, 2};

// Proves that nothing is lost when more threads count than there are shards.
TEST(InstrumentsTest, CountWhatAllThreadsCount) {
  constexpr int kThreads = 2 * internal::kShards;
  constexpr int kTimes = 2'000;
  Counter counter;
  Gauge gauge;
  Histogram histogram(kBounds);
  std::vector<std::thread> threads;
  threads.reserve(kThreads);
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < kTimes; ++n) {
        counter.Add();
        gauge.Add(n % 2 == 0 ? 1 : -1);
        histogram.Observe(1.0);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  EXPECT_EQ(counter.value(), uint64_t{kThreads} * kTimes);
  EXPECT_EQ(gauge.value(), 0);
  const Distribution read = histogram.Read();
  EXPECT_THAT(read.counts, ElementsAre(0, kThreads * kTimes, 0));
  EXPECT_EQ(read.sum, kThreads * kTimes);
}

// Proves that a value belongs to the first bound that is not below it.
TEST(InstrumentsTest, BoundsAreInclusive) {
  Histogram histogram(kBounds);
  for (const double value : {0.0, 0.1, 0.100'1, 2.0, 2.5}) {
    histogram.Observe(value);
  }
  histogram.Observe(std::chrono::milliseconds(100));
  const Distribution read = histogram.Read();
  EXPECT_THAT(read.bounds, ElementsAre(0.1, 2));
  EXPECT_THAT(read.counts, ElementsAre(3, 2, 1));
  EXPECT_NEAR(read.sum, 4.8001, 1e-9);
}

TEST(InstrumentsDeathTest, BoundsAscend) {
  constexpr std::array<double, 2> kEqual = {1, 1};
  EXPECT_DEATH(Histogram{kEqual}, "");
  constexpr std::array<double, Histogram::kBoundsMax + 1> kTooMany{};
  EXPECT_DEATH(Histogram{kTooMany}, "");
}

}  // namespace
}  // namespace tintype::metrics
