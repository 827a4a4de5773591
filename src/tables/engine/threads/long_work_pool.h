#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace tintype::tables::engine {

/// Threads for long work beside the commit thread: making backups, restoring tables, giving back
/// the space of those that are gone. All their changes go through the commit thread. Each piece of
/// work looks at stopping() before each of its steps; work left undone is found and begun again at
/// the next start. Owned by Core. Thread-safe.
class LongWorkPool {
 public:
  ~LongWorkPool() { Stop(); }

  void Start();
  /// Tells all work to end. Work that has not begun is called nonetheless, to say that it does not.
  void RequestStop();
  /// RequestStop, and waits for the threads. Idempotent.
  void Stop();

  void Add(std::function<void()> work);
  bool stopping() const { return stopping_; }
  /// True from RequestStop on, for what is to be interrupted by it.
  std::atomic<bool>& stop_flag() { return stopping_; }

 private:
  void Run();

  std::atomic<bool> stopping_ = false;
  Mutex mutex_;
  CondVar arrived_;
  std::deque<std::function<void()>> waiting_ GUARDED_BY(mutex_);
  std::vector<std::thread> threads_;
};

}  // namespace tintype::tables::engine
