#include "darkroom/internal/child_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/descriptor.h"
#include "base/logging.h"
#include "base/strings.h"

namespace tintype::darkroom {
namespace {

// A process that has closed its channel is about to end; one that does not is lying.
constexpr int kLastBreathMs = 2'000;

}  // namespace

void ChildProcess::Limit(__rlimit_resource resource, rlim_t soft, rlim_t hard) const {
  const rlimit limit = {soft, hard};
  if (::prlimit(pid_, resource, &limit, nullptr) != 0) {
    // It may just have died, which the next exchange will find out.
    LogWarning("image helper cannot be limited",
               {{"pid", pid_}, {"resource", static_cast<int>(resource)}, {"error", errno}});
  }
}

void ChildProcess::AwaitEnd() const {
  // By its number, because glibc 2.36 declares pidfd_open for C alone.
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  pollfd waiting = {process.number(), POLLIN, 0};
  if (process.valid()) {
    ::poll(&waiting, 1, kLastBreathMs);
  }
}

int ChildProcess::End() {
  if (!ended_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, &status_, 0);
    ended_ = true;
  }
  return status_;
}

std::string DescribeEnd(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return StrCat("ended by signal ", signal, " (", ::sigabbrev_np(signal), ")");
  }
  return StrCat("ended with status ", WEXITSTATUS(status));
}

}  // namespace tintype::darkroom
