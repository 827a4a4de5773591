#include "http/rest/protocol/pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <future>

namespace tintype::http::rest {
namespace {

using namespace std::chrono_literals;

/// A pool of one thread, which is kept busy until Release.
class BusyPool {
 public:
  explicit BusyPool(const Pool::Config& config) : pool_(config) {
    Occupy();
    begun_.get_future().wait();
  }
  ~BusyPool() { pool_.Stop(); }

  void Release() { release_.set_value(); }
  void Submit() {
    pool_.Submit([this] { ++run; }, [this] { ++refused; });
  }
  Pool& pool() { return pool_; }

  std::atomic<int> run = 0;
  std::atomic<int> refused = 0;

 private:
  void Occupy() {
    pool_.Submit(
        [this] {
          begun_.set_value();
          release_.get_future().wait();
        },
        [this] { Occupy(); });  // With little patience it may come late itself.
  }

  std::promise<void> begun_;
  std::promise<void> release_;
  Pool pool_;
};

// Work that finds too much before it is refused at once; waiting work is done, by Stop at the
// latest.
TEST(PoolTest, RefusesWhatIsTooMuch) {
  BusyPool busy({.threads = 1, .waiting_max = 2});
  for (int i = 0; i < 3; ++i) {
    busy.Submit();
  }
  EXPECT_EQ(busy.refused, 1);
  busy.Release();
  busy.pool().Stop();
  EXPECT_EQ(busy.run, 2);
  busy.Submit();
  EXPECT_EQ(busy.refused, 2);
}

// A pool whose tasks may hang refuses what only waits when it stops.
TEST(PoolTest, RefusesWhatWaitsWhenItStops) {
  BusyPool busy({.threads = 1, .waiting_max = 100'000, .patience = 1h});
  busy.Submit();
  auto stopped = std::async(std::launch::async, [&] { busy.pool().Stop(); });
  // Once it takes nothing more, it is stopping.
  while (busy.refused == 0) {
    busy.Submit();
    std::this_thread::yield();
  }
  busy.Release();
  stopped.wait();
  EXPECT_EQ(busy.run, 0);
  EXPECT_GE(busy.refused, 2);
}

// Work that no thread had time for in time is refused, not done late.
TEST(PoolTest, RefusesWhatHasWaitedForLong) {
  BusyPool busy({.threads = 1, .patience = 1ms});
  busy.Submit();
  std::this_thread::sleep_for(2ms);
  busy.Release();
  while (busy.refused == 0 && busy.run == 0) {
    std::this_thread::yield();
  }
  EXPECT_EQ(busy.run, 0);
  EXPECT_EQ(busy.refused, 1);
}

}  // namespace
}  // namespace tintype::http::rest
