#include "darkroom/internal/helper_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/check.h"
#include "base/logging.h"
#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/protocol/channel.h"
#include "darkroom/protocol/messages.h"

namespace tintype::darkroom {
namespace {

// Loading a hundred libraries takes a tenth of a second, or many on a machine that is starved.
constexpr int64_t kReadyMsMax = 60'000;
// A process that has closed its channel is about to end; one that does not is lying.
constexpr int kLastBreathMs = 2'000;
constexpr int kHelperChannel = 3;  // As the helper's main.cc has it.
constexpr rlim_t kDescriptorsOpenMax = 64;

/// The file actions and attributes of posix_spawn, freed in the end.
class SpawnPlan {
 public:
  explicit SpawnPlan(int channel) {
    int failed = posix_spawn_file_actions_init(&actions_) | posix_spawnattr_init(&attributes_);
    failed |= posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    failed |= posix_spawn_file_actions_addopen(&actions_, 1, "/dev/null", O_WRONLY, 0);
    failed |= posix_spawn_file_actions_adddup2(&actions_, channel, kHelperChannel);
    failed |= posix_spawn_file_actions_addclosefrom_np(&actions_, kHelperChannel + 1);
    failed |= posix_spawn_file_actions_addchdir_np(&actions_, "/");
    // What the server blocks or ignores is not for the helper; and a Ctrl-C in the server's
    // terminal is for the server alone, which finishes the items in progress.
    sigset_t none;
    sigset_t all;
    sigemptyset(&none);
    sigfillset(&all);
    failed |= posix_spawnattr_setsigmask(&attributes_, &none);
    failed |= posix_spawnattr_setsigdefault(&attributes_, &all);
    failed |= posix_spawnattr_setpgroup(&attributes_, 0);
    failed |= posix_spawnattr_setflags(
        &attributes_, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
    CHECK(failed == 0);
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions_);
    posix_spawnattr_destroy(&attributes_);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;

  /// The number of the error, or 0.
  int Run(const std::string& path, pid_t& pid) const {
    std::string name = "tintype-darkroom";
    char* arguments[] = {name.data(), nullptr};
    char* environment[] = {nullptr};
    return posix_spawn(&pid, path.c_str(), &actions_, &attributes_, arguments, environment);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

void Limit(pid_t pid, __rlimit_resource resource, rlim_t soft, rlim_t hard) {
  const rlimit limit = {soft, hard};
  if (::prlimit(pid, resource, &limit, nullptr) != 0) {
    // It may just have died, which the next exchange will find out.
    LogWarning("image helper cannot be limited",
               {{"pid", pid}, {"resource", static_cast<int>(resource)}, {"error", errno}});
  }
}

// Waits a moment for the process to end by itself, so that what it died of can be told.
void AwaitEnd(pid_t pid) {
  // By its number, because glibc 2.36 declares pidfd_open for C alone.
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  pollfd waiting = {process.number(), POLLIN, 0};
  if (process.valid()) {
    ::poll(&waiting, 1, kLastBreathMs);
  }
}

Error Died(FailureKind kind, std::string message, std::string note) {
  return MakeFailure(kind, std::move(message)).WithNote(std::move(note));
}

Error DiedOf(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    std::string note = StrCat("ended by signal ", signal, " (", ::sigabbrev_np(signal), ")");
    if (signal == SIGXCPU) {
      return Died(FailureKind::kOutOfTime, "The image took too much processor time",
                  std::move(note));
    }
    if (signal == SIGXFSZ) {
      return Died(FailureKind::kOutput, "A rendition is larger than is allowed", std::move(note));
    }
    if (signal == SIGSYS) {
      return Died(FailureKind::kDied, "The file made the image helper do what it may not",
                  std::move(note));
    }
    return Died(FailureKind::kDied, "The image helper died of this file", std::move(note));
  }
  return Died(FailureKind::kDied, "The image helper died of this file",
              StrCat("ended with status ", WEXITSTATUS(status)));
}

}  // namespace

Result<std::unique_ptr<HelperProcess>> HelperProcess::Start(const std::string& path,
                                                            const Limits& limits) {
  auto channel = MakeChannel();
  if (!channel.ok()) {
    return MakeFailure(FailureKind::kNotRunning, channel.error().message());
  }
  pid_t pid = -1;
  const int failed = SpawnPlan(channel->helper.number()).Run(path, pid);
  if (failed != 0) {
    return MakeFailure(FailureKind::kNotRunning, "The image helper cannot be started")
        .WithNote(StrCat(path, ": ", std::strerror(failed)));
  }
  std::unique_ptr<HelperProcess> process(new HelperProcess(
      pid, std::move(channel->server), limits));  // NOLINT: the constructor is private.
  process->LimitOnce();
  return process;
}

HelperProcess::~HelperProcess() {
  if (!buried_) {
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
  }
}

void HelperProcess::LimitOnce() const {
  // AddressSanitizer and ThreadSanitizer reserve terabytes of address space and use little of it.
  // They forbid core files themselves, and end the process if that was done meanwhile.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const auto address_space = static_cast<rlim_t>(limits_.address_space_bytes);
  Limit(pid_, RLIMIT_AS, address_space, address_space);
  Limit(pid_, RLIMIT_CORE, 0, 0);
#endif
  const auto output = static_cast<rlim_t>(limits_.output_bytes);
  Limit(pid_, RLIMIT_FSIZE, output, output);
  Limit(pid_, RLIMIT_NOFILE, kDescriptorsOpenMax, kDescriptorsOpenMax);
}

void HelperProcess::ArmCpuLimit() const {
  // The kernel counts from the start of the process, an item from now. Only the soft limit is set:
  // a hard one could not be raised again for the next item.
  clockid_t clock = 0;
  timespec used = {};
  if (::clock_getcpuclockid(pid_, &clock) == 0 && ::clock_gettime(clock, &used) == 0) {
    const auto limit = static_cast<rlim_t>(used.tv_sec + 1 + limits_.cpu_seconds);
    Limit(pid_, RLIMIT_CPU, limit, RLIM_INFINITY);
  }
}

Status HelperProcess::AwaitReady() {
  const auto bytes = ReceiveBytes(channel_.number(), SteadyNowMs() + kReadyMsMax);
  if (!bytes.ok()) {
    const Error end = Bury(/*out_of_time=*/false);
    return Died(FailureKind::kNotRunning, "The image helper does not start", end.note());
  }
  const auto reply = DecodeReply(*bytes);
  const Ready* ready = reply.ok() ? std::get_if<Ready>(&reply.value()) : nullptr;
  if (ready == nullptr || ready->version != kProtocolVersion) {
    return Died(FailureKind::kNotRunning, "The image helper is of another version", "");
  }
  sandbox_missing_ = ready->sandbox_missing;
  return OkStatus();
}

Result<std::string> HelperProcess::Exchange(std::string_view order,
                                            std::span<const int> descriptors) {
  ArmCpuLimit();
  const int64_t deadline_ms = SteadyNowMs() + limits_.wall_ms;
  if (!SendMessage(channel_.number(), order, descriptors).ok()) {
    return Bury(/*out_of_time=*/false);
  }
  auto bytes = ReceiveBytes(channel_.number(), deadline_ms);
  if (!bytes.ok()) {
    return Bury(bytes.error().kind() == ErrorKind::kLimitExceeded);
  }
  ++items_;
  return bytes;
}

Error HelperProcess::Bury(bool out_of_time) {
  if (!out_of_time && !abandoned_) {
    AwaitEnd(pid_);
  }
  ::kill(pid_, SIGKILL);
  int status = 0;
  ::waitpid(pid_, &status, 0);
  buried_ = true;
  if (out_of_time) {
    return Died(FailureKind::kOutOfTime, "The image took too long",
                StrCat("killed after ", limits_.wall_ms, " ms"));
  }
  return DiedOf(status);
}

void HelperProcess::Abandon() {
  abandoned_ = true;
  ::shutdown(channel_.number(), SHUT_RDWR);
}

bool HelperProcess::IsWaiting() const {
  pollfd waiting = {channel_.number(), POLLIN, 0};
  // Anything to be read is wrong here as well: it owes us no answer.
  return ::poll(&waiting, 1, 0) == 0;
}

int64_t HelperProcess::ResidentBytes() const {
  const std::string path = StrCat("/proc/", pid_, "/statm");
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
