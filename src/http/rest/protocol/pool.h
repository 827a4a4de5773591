#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <optional>
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
    /// How long a task waits for a thread before it is refused, as it is when the pool stops: for
    /// tasks that may hang. Default none: as long as it takes, and what waits when the pool stops
    /// is done.
    std::optional<std::chrono::milliseconds> patience{};
  };

  explicit Pool(Config config);
  /// Stops, if Stop was not called.
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// Calls one of both, once: `run` on a thread of the pool; `refuse`, on any, when too many wait
  /// (at once), no thread was free for too long, or the pool stops. An empty `refuse` is not
  /// called.
  void Submit(OnceCallback<> run, OnceCallback<> refuse);

  /// Ends what was begun, takes nothing more, and joins the threads.
  void Stop();

 private:
  struct Task {
    OnceCallback<> run;
    OnceCallback<> refuse;
    std::chrono::steady_clock::time_point since;
  };
  void Run();
  bool IsLate(const Task& task) const REQUIRES_LOCK(mutex_);

  const Config config_;
  Mutex mutex_;
  CondVar changed_;
  std::deque<Task> tasks_ GUARDED_BY(mutex_);
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_;
};

/// Where the work of requests is done. A storage that hangs holds up what waits for it, and nothing
/// else.
struct Pools {
  Pool& local;    // What this machine does by itself: tables, and the bytes of resumable uploads.
  Pool& storage;  // What may have to wait for the blob store.
};

}  // namespace tintype::http::rest
