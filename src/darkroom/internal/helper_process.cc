#include "darkroom/internal/helper_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>

#include "base/check.h"
#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/internal/ready.h"
#include "darkroom/protocol/channel.h"

namespace tintype::darkroom {
namespace {

Error Died(FailureKind kind, std::string message, std::string note) {
  return MakeFailure(kind, std::move(message)).WithNote(std::move(note));
}

Error DiedOf(int status) {
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  std::string note = DescribeEnd(status);
  if (signal == SIGXCPU) {
    return Died(FailureKind::kOutOfTime, "The file took too much processor time", std::move(note));
  }
  if (signal == SIGXFSZ) {
    return Died(FailureKind::kOutput, "What is made of the file is larger than is allowed",
                std::move(note));
  }
  if (signal == SIGSYS) {
    return Died(FailureKind::kDied, "The file made its helper do something forbidden",
                std::move(note));
  }
  return Died(FailureKind::kDied, "The helper died of this file", std::move(note));
}

}  // namespace

Status HelperProcess::AwaitReady() {
  ASSIGN_OR_RETURN(Ready ready, darkroom::AwaitReady(process_, channel_.number()));
  sandbox_missing_ = std::move(ready.sandbox_missing);
  return OkStatus();
}

Status HelperProcess::ArmCpuLimit(int64_t cpu_seconds) const {
  // The kernel counts from the start of the process, an item from now. Only the soft limit is set:
  // a hard one could not be raised again for the next item.
  clockid_t clock = 0;
  timespec used = {};
  if (::clock_getcpuclockid(pid(), &clock) == 0 && ::clock_gettime(clock, &used) == 0) {
    const auto limit = static_cast<rlim_t>(used.tv_sec + 1 + cpu_seconds);
    return process_.Limit(RLIMIT_CPU, limit, RLIM_INFINITY);
  }
  return OkStatus();
}

bool HelperProcess::CanServe(std::string_view account) const {
  return account_.empty() || account_ == account;
}

Result<std::string> HelperProcess::Exchange(std::string_view account, std::string_view order,
                                            std::span<const int> descriptors, ItemTime time) {
  CHECK(!account.empty() && CanServe(account));
  account_ = account;
  RETURN_IF_ERROR(ArmCpuLimit(time.cpu_seconds));
  const int64_t deadline_ms = SteadyNowMs() + time.wall_ms;
  if (!SendMessage(channel_.number(), order, descriptors).ok()) {
    return Bury(std::nullopt);
  }
  auto bytes = ReceiveBytes(channel_.number(), deadline_ms);
  if (!bytes.ok()) {
    const bool out_of_time = bytes.error().kind() == ErrorKind::kLimitExceeded;
    return Bury(out_of_time ? std::optional(time.wall_ms) : std::nullopt);
  }
  ++items_;
  return bytes;
}

Error HelperProcess::Bury(std::optional<int64_t> waited_ms) {
  out_of_time_ = waited_ms.has_value();
  if (!out_of_time_ && !abandoned_) {
    process_.AwaitEnd();
  }
  const int status = process_.End();
  if (waited_ms) {
    return Died(FailureKind::kOutOfTime, "The file took too long",
                StrCat("killed after ", *waited_ms, " ms"));
  }
  return DiedOf(status);
}

bool HelperProcess::IsSuspect() {
  if (out_of_time_) {
    return false;
  }
  // One that runs on without being of use has not kept to what was agreed.
  const std::optional<int> status = process_.OwnEnd();
  if (!status || !WIFSIGNALED(*status)) {
    return true;
  }
  const int signal = WTERMSIG(*status);
  return signal != SIGXCPU && signal != SIGXFSZ && signal != SIGKILL;
}

void HelperProcess::Abandon() {
  abandoned_ = true;
  ::shutdown(channel_.number(), SHUT_RDWR);
}

bool HelperProcess::IsWaiting() const {
  // Anything to be read is wrong here as well: it owes us no answer.
  return IsQuiet(channel_.number());
}

int64_t HelperProcess::ResidentBytes() const {
  const std::string path = StrCat("/proc/", pid(), "/statm");
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  char text[128] = {};
  if (!file.valid() || ::read(file.number(), text, sizeof(text) - 1) <= 0) {
    return 0;
  }
  long total = 0;
  long resident = 0;
  return std::sscanf(text, "%ld %ld", &total, &resident) == 2 ? resident * ::sysconf(_SC_PAGESIZE)
                                                              : 0;
}

}  // namespace tintype::darkroom
