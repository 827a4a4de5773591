#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <optional>
#include <string>

#include "base/result.h"

namespace tintype::darkroom {

/// A child of this process, which ends it and waits for its end. Used by one thread at a time.
class ChildProcess {
 public:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}
  ~ChildProcess() { End(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  /// Sets a limit, no higher than the hard one that the process was started with: the operator may
  /// have chosen that. A process that has just ended needs none. Errors are of the kind
  /// kNotRunning; then it must get no work.
  Status Limit(__rlimit_resource resource, rlim_t soft, rlim_t hard) const;
  /// Gives it a moment to end by itself, so that what it died of can be told.
  void AwaitEnd() const;
  /// How it ended by itself, or by another's hand than ours: a status as waitpid has it. Nothing
  /// while it runs, and when End had to kill it.
  std::optional<int> OwnEnd();
  /// Kills it if it still runs, and waits for its end. The status is as waitpid has it; another
  /// call gives the same.
  int End();

 private:
  // Whether it has ended; its status is known then. `options` are those of waitpid.
  bool Wait(int options);

  pid_t pid_;
  int status_ = 0;
  bool ended_ = false;
  bool killed_ = false;  // By End.
};

/// A status as waitpid has it, in words.
std::string DescribeEnd(int status);

}  // namespace tintype::darkroom
