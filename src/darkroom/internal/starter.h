#pragma once

#include <deque>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "base/mutex.h"
#include "base/result.h"
#include "darkroom/internal/helper_process.h"
#include "darkroom/limits.h"

namespace tintype::darkroom {

/// Starts helpers, all of them on one thread that lives until Stop. A helper asks the kernel to be
/// killed with its parent, and the kernel takes that to be the thread that started it: were it one
/// of the pipeline's, the helper would die with that thread, in the midst of another's work.
/// Thread-safe.
class Starter {
 public:
  Starter(std::string path, const Limits& limits);
  ~Starter() { Stop(); }

  /// Starts one helper and waits until it is ready.
  Result<std::unique_ptr<HelperProcess>> Start();

  /// Ends the thread, and with it every helper that still runs.
  void Stop();

 private:
  using Started = Result<std::unique_ptr<HelperProcess>>;

  void Run();

  const std::string path_;
  const Limits limits_;
  Mutex mutex_;
  CondVar changed_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::deque<std::promise<Started>> wanted_ GUARDED_BY(mutex_);
  std::thread thread_;
};

}  // namespace tintype::darkroom
