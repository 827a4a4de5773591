#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/result.h"
#include "darkroom/failure.h"
#include "darkroom/limits.h"
#include "darkroom/protocol/messages.h"
#include "darkroom/requests.h"

namespace tintype::darkroom {

class HelperProcess;
class Starter;

struct Config {
  /// Where the program tintype-darkroom is; absolute.
  std::string helper_path = {};
  /// Helpers at a time. Default 0, which means one for each core; each works with one thread.
  size_t processes_max = 0;
  /// Calls that may wait for a helper; more are refused at once as kOverloaded. Default 256.
  size_t waiting_max = 256;
  /// A helper is replaced after so many items, in case something in it wears out. Default 500.
  int64_t items_per_process = 500;
  /// A helper that has more memory than this in use after an item is replaced, in bytes. Default
  /// 256 MiB.
  int64_t resident_bytes_max = int64_t{256} << 20;
  Limits limits = {};
  /// Whether a helper that the kernel does not keep from files and the network is refused, as one
  /// that does not start. Default false: such a helper is used, and the log says so.
  bool sandbox_required = false;

  /// What is wrong with the settings, if anything is.
  Status Validate() const;
};

/// What the helpers have done since the start, for metrics.
struct DarkroomStats {
  uint64_t running = 0;
  uint64_t busy = 0;     // Of those, at work.
  uint64_t waiting = 0;  // Calls that wait for a helper.
  uint64_t started = 0;
  uint64_t replaced_failed = 0;              // Helpers that died, hung or answered nonsense.
  uint64_t replaced_worn = 0;                // Helpers that had done enough, or had grown.
  std::map<FailureKind, uint64_t> failures;  // Items that failed.
  std::map<Damage, uint64_t> damaged;        // Pictures developed of which a part is missing.
};

/// What the server knows of media files: it has them looked at, developed and edited by helper
/// processes, and never decodes a byte of them itself. Helpers are started when there is work, kept
/// for the next item, and replaced when they die, hang or grow; a file that kills its helper harms
/// no other file.
///
/// One instance is enough for a server; whoever makes it owns it. Thread-safe: calls block, each
/// has a helper for itself, and those beyond Config::processes_max wait for their turn. Nothing is
/// kept on disk, and after a crash of the server its helpers are killed by the kernel.
///
/// Errors are made by MakeFailure: IsPermanent(error) tells whether another attempt makes sense,
/// and the message may be shown to the owner of the file. kOverloaded when too many calls wait
/// already.
class Darkroom {
 public:
  /// REQUIRES: config.Validate().ok(). Starts no helper yet.
  explicit Darkroom(Config config);
  ~Darkroom();

  Result<Developed> Develop(const DevelopRequest& request);
  Result<Edited> Edit(const EditRequest& request);
  Result<Resized> Resize(const ResizeRequest& request);

  /// Starts a helper for the items to come, so that what is wrong with helpers is known before the
  /// first of them: kNotRunning when none can be started.
  Status Prepare();
  /// Whether the helpers have their sandbox, as far as any has started.
  bool sandboxed() const;

  /// Kills every helper; calls in progress and to come fail with kNotRunning. Returns when none is
  /// left.
  void Stop();

  /// The helpers that run, for health reports.
  std::vector<pid_t> process_ids() const;
  DarkroomStats stats() const;

 private:
  // Checks, sends and checks again; returns only what may be the answer to the request.
  Result<Reply> Run(const Request& request);
  Result<Reply> RunOn(HelperProcess& process, const Request& request) const;
  Status CheckInput(int input) const;

  // What a new helper says about its sandbox: logged when it is news, refused when it is missing
  // but required.
  Status NoteSandbox(const HelperProcess& process);
  // A helper that is free, or a new one. Waits.
  Result<std::unique_ptr<HelperProcess>> Acquire();
  // Gives it back if it can be used again; else it ends here. Null stands for one that never
  // started.
  void Release(std::unique_ptr<HelperProcess> process, bool reusable);

  const Config config_;
  const std::unique_ptr<Starter> starter_;
  mutable Mutex mutex_;
  CondVar changed_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  // What the last helper said of its sandbox; nothing before the first one.
  std::optional<std::string> sandbox_missing_ GUARDED_BY(mutex_);
  size_t waiting_ GUARDED_BY(mutex_) = 0;
  DarkroomStats stats_ GUARDED_BY(mutex_);  // But for what is told by the other members.
  // Those in use or being started; the idle ones are not among them.
  size_t busy_count_ GUARDED_BY(mutex_) = 0;
  std::vector<HelperProcess*> busy_ GUARDED_BY(mutex_);
  std::vector<std::unique_ptr<HelperProcess>> idle_ GUARDED_BY(mutex_);
};

}  // namespace tintype::darkroom
