#pragma once

#include <cstddef>
#include <deque>
#include <thread>
#include <vector>

#include "base/callback.h"
#include "base/mutex.h"

namespace tintype::http::rest {

/// Threads for what may block, so that the server's own never do. A queue of bounded length before
/// them. Thread-safe.
class Pool {
 public:
  struct Config {
    /// Default 0: four for each core, since most of them wait for a disk.
    size_t threads = 0;
    /// Tasks that wait for a thread. Default 1024.
    size_t waiting_max = 1024;
  };

  explicit Pool(Config config);
  /// Stops, if Stop was not called.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// False, with the task untouched, when too many wait or the pool has stopped.
  bool Submit(OnceCallback<>& task);

  /// Does what was submitted, takes nothing more, and joins the threads.
  void Stop();

 private:
  void Run();

  const size_t waiting_max_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<OnceCallback<>> tasks_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

}  // namespace tintype::http::rest
