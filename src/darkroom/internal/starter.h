#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "darkroom/internal/helper_process.h"
#include "darkroom/internal/template_process.h"
#include "darkroom/limits.h"

namespace tintype::darkroom {

/// Starts helpers: keeps a template for them, and another when that one has died or is distrusted.
/// All of it is done on one thread that lives until Stop. Helpers and templates ask the kernel to
/// be killed with their parent, and the kernel takes that to be the thread that started the
/// template: were it one of the pipeline's, helpers would die with that thread, in the midst of
/// another's work. Thread-safe.
class Starter {
 public:
  Starter(HelperProgram program, const Limits& limits);
  ~Starter() { Stop(); }

  /// Has one helper forked and waits until it is ready. Errors are of the failure kind kNotRunning.
  Result<std::unique_ptr<HelperProcess>> Start();

  /// Helpers to come are from another template than that one or those before it. Anything that a
  /// file learnt of the memory of the helper that it killed is of no use in the next.
  void Distrust(int64_t generation);
  bool IsDistrusted(int64_t generation) const;

  /// Starts nothing any more, and gives up what is being started. Helpers that are at work go on.
  void Interrupt();
  /// Ends the thread, and with it every helper that still runs.
  void Stop();

  /// Helpers that are being started: forked, or waited for until they are ready.
  size_t starting() const;

  /// The template; 0 when there is none.
  pid_t template_id() const;
  uint64_t templates_started() const;

 private:
  using Started = Result<std::unique_ptr<HelperProcess>>;

  // Also fails when the helper's template became distrusted meanwhile.
  Started StartOnce();
  void Run();
  Started Fork();
  Status PrepareTemplate();
  void EndTemplate();

  const HelperProgram program_;
  const Limits limits_;
  mutable Mutex mutex_;
  CondVar changed_;
  bool stopping_ GUARDED_BY(mutex_) = false;  // Nothing is started any more.
  bool ending_ GUARDED_BY(mutex_) = false;    // The thread is to end.
  std::deque<std::promise<Started>> wanted_ GUARDED_BY(mutex_);
  bool forking_ GUARDED_BY(mutex_) = false;  // The thread makes a helper, or a template for it.
  std::vector<HelperProcess*> starting_ GUARDED_BY(mutex_);  // Forked and not ready yet.
  int64_t distrusted_ GUARDED_BY(mutex_) = 0;
  int64_t generation_ GUARDED_BY(mutex_) = 0;  // Of the last template, or the number of them.
  std::unique_ptr<TemplateProcess> template_;  // The thread's.
  TemplateProcess* running_ GUARDED_BY(mutex_) = nullptr;  // The same, for others to look at.
  std::thread thread_;
};

}  // namespace tintype::darkroom
