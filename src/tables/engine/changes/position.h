#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

#include "base/clock.h"
#include "base/mutex.h"

namespace tintype::tables::engine {

/// A place in the change log. Positions rise in commit order, are never given out twice, and tell
/// the time of their change: milliseconds above, a count of the changes within one below. A clock
/// that goes back, or more than a million changes in a millisecond, make positions run ahead of the
/// clock, never the other way.
using Position = uint64_t;

inline constexpr int kPositionCountBits = 20;

constexpr Position FirstPositionAt(int64_t ms) {
  return static_cast<Position>(std::max<int64_t>(ms, 0)) << kPositionCountBits;
}
constexpr int64_t TimeOf(Position position) {
  return static_cast<int64_t>(position >> kPositionCountBits);
}

/// Gives out positions. For the commit thread alone, but for `committed`.
class Positions {
 public:
  /// The time for a group of writes: the clock's, or that of the last position if that is later.
  int64_t Now(const Clock& clock) const { return std::max(clock.NowMs(), TimeOf(last_)); }

  Position Next(int64_t now_ms) {
    last_ = std::max(last_ + 1, FirstPositionAt(now_ms));
    return last_;
  }
  /// The first position of a millisecond that nothing happened in yet: what is named after its time
  /// has a name of its own.
  Position NextMoment(int64_t now_ms) {
    last_ = FirstPositionAt(std::max(now_ms, TimeOf(last_) + 1));
    return last_;
  }

  Position last() const { return last_; }
  /// After opening: nothing up to `last` is given out again.
  void Resume(Position last) {
    last_ = last;
    committed_ = last;
  }

  /// Everything up to this position is on disk and can be read. Thread-safe.
  Position committed() const { return committed_.load(std::memory_order_acquire); }
  void SetCommitted() {
    committed_.store(last_, std::memory_order_seq_cst);
    if (waiting_.load(std::memory_order_seq_cst) > 0) {
      const MutexLock lock(mutex_);
      committed_more_.SignalAll();
    }
  }

  /// Waits until more than `position` is committed; false if it was not within the time.
  /// Thread-safe.
  bool WaitBeyond(Position position, std::chrono::milliseconds at_most) {
    const auto deadline = std::chrono::steady_clock::now() + at_most;
    const MutexLock lock(mutex_);
    waiting_.fetch_add(1, std::memory_order_seq_cst);
    while (committed_.load(std::memory_order_seq_cst) <= position &&
           std::chrono::steady_clock::now() < deadline) {
      committed_more_.WaitFor(mutex_, deadline - std::chrono::steady_clock::now());
    }
    waiting_.fetch_sub(1, std::memory_order_seq_cst);
    return committed_.load(std::memory_order_seq_cst) > position;
  }

 private:
  Position last_ = 0;
  std::atomic<Position> committed_ = 0;
  std::atomic<int> waiting_ = 0;
  Mutex mutex_;
  CondVar committed_more_;
};

}  // namespace tintype::tables::engine
