#include "darkroom/internal/child_process.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/descriptor.h"
#include "base/strings.h"
#include "darkroom/failure.h"

namespace tintype::darkroom {
namespace {

// A process that has closed its channel is about to end; one that does not is lying.
constexpr int kLastBreathMs = 2'000;

}  // namespace

Status ChildProcess::Limit(__rlimit_resource resource, rlim_t soft, rlim_t hard) const {
  rlimit limit = {};
  if (::prlimit(pid_, resource, nullptr, &limit) == 0) {
    limit.rlim_max = std::min(limit.rlim_max, hard);
    limit.rlim_cur = std::min(soft, limit.rlim_max);
    if (::prlimit(pid_, resource, &limit, nullptr) == 0) {
      return OkStatus();
    }
  }
  if (errno == ESRCH) {
    return OkStatus();  // The next exchange finds out that it has died.
  }
  return MakeFailure(FailureKind::kNotRunning, "The image helper cannot be limited")
      .WithNote(StrCat("resource ", static_cast<int>(resource), ": ", std::strerror(errno)));
}

void ChildProcess::AwaitEnd() const {
  // By its number, because glibc 2.36 declares pidfd_open for C alone.
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0)));
  pollfd waiting = {process.number(), POLLIN, 0};
  if (process.valid()) {
    ::poll(&waiting, 1, kLastBreathMs);
  }
}

bool ChildProcess::Wait(int options) {
  if (!ended_) {
    pid_t waited = 0;
    do {
      waited = ::waitpid(pid_, &status_, options);
    } while (waited < 0 && errno == EINTR);
    ended_ = waited != 0;
  }
  return ended_;
}

std::optional<int> ChildProcess::OwnEnd() {
  return Wait(WNOHANG) && !killed_ ? std::optional(status_) : std::nullopt;
}

int ChildProcess::End() {
  if (!Wait(WNOHANG)) {
    killed_ = true;
    ::kill(pid_, SIGKILL);
    Wait(0);
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
