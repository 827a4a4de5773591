#pragma once

#include <atomic>
#include <cstdint>

namespace tintype {

/// Where time comes from. Injected, so that tests can turn the hands. Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Milliseconds since the Unix epoch. May go back when the operator corrects the system's clock.
  virtual int64_t NowMs() const = 0;
};

/// The system's wall clock; one instance serves the whole process.
const Clock& SystemClock();

/// A clock that stands still until it is told otherwise. For tests.
class FakeClock : public Clock {
 public:
  explicit FakeClock(int64_t now_ms) : now_ms_(now_ms) {}
  int64_t NowMs() const override { return now_ms_; }
  void AdvanceMs(int64_t ms) { now_ms_ += ms; }

 private:
  std::atomic<int64_t> now_ms_;
};

}  // namespace tintype
