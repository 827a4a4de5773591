#pragma once

#include <chrono>
#include <thread>

#include "base/mutex.h"
#include "tables/engine/commit/core.h"

namespace tintype::tables::engine {

/// What has to be done because time passes: items that expire, records, streams and backups that
/// become too old. A thread that looks for such work and hands it to the commit thread in small
/// pieces. Owned by RocksDatabase; gone before the core is.
class Housekeeping {
 public:
  explicit Housekeeping(Core& core) : core_(core) {}
  ~Housekeeping() { Stop(); }

  void Start();
  void RequestStop();
  /// RequestStop, and joins the thread. Idempotent.
  void Stop();

 private:
  void Run();
  /// False when it was told to stop.
  bool Wait(std::chrono::steady_clock::duration duration);
  /// Removes all that is due, at a pace that leaves most of the commit thread's time to others.
  void RemoveExpired();
  /// Removes what has become too old. Rarely needed, and not urgent.
  void RemoveOld();

  Core& core_;
  int64_t next_removal_ms_ = 0;
  Mutex mutex_;
  CondVar stop_arrived_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::thread thread_;
};

}  // namespace tintype::tables::engine
