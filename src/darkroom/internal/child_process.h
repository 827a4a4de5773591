#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <string>

namespace tintype::darkroom {

/// A child of this process, which ends it and waits for its end. Used by one thread at a time.
class ChildProcess {
 public:
  explicit ChildProcess(pid_t pid) : pid_(pid) {}
  ~ChildProcess() { End(); }
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  pid_t pid() const { return pid_; }
  void Limit(__rlimit_resource resource, rlim_t soft, rlim_t hard) const;
  /// Gives it a moment to end by itself, so that what it died of can be told.
  void AwaitEnd() const;
  /// Kills it if it still runs, and waits for its end. The status is as waitpid has it; another
  /// call gives the same.
  int End();

 private:
  pid_t pid_;
  int status_ = 0;
  bool ended_ = false;
};

/// A status as waitpid has it, in words.
std::string DescribeEnd(int status);

}  // namespace tintype::darkroom
