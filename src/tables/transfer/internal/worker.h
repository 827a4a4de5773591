#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <thread>

#include "base/mutex.h"

namespace tintype::tables::transfer {

/// One thread that does what it is given, in order. Thread-safe.
class Worker {
 public:
  /// Work looks at `stopping` and then does as little as it can.
  using Work = std::function<void(bool stopping)>;

  explicit Worker(size_t waiting_max) : waiting_max_(waiting_max), thread_([this] { Run(); }) {}
  ~Worker() { Stop(); }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// False when too much is waiting.
  bool Add(Work work);
  bool stopping() const { return stopping_; }
  /// Waits for what is being done. Waiting work is called with `stopping`. Idempotent.
  void Stop();

 private:
  void Run();

  const size_t waiting_max_;
  std::atomic<bool> stopping_ = false;
  Mutex mutex_;
  CondVar arrived_;
  std::deque<Work> waiting_ GUARDED_BY(mutex_);
  std::thread thread_;  // Last, since it uses all of the above.
};

}  // namespace tintype::tables::transfer
