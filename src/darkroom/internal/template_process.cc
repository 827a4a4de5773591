#include "darkroom/internal/template_process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>

#include <cstring>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/internal/ready.h"
#include "darkroom/protocol/channel.h"
#include "darkroom/protocol/template.h"

namespace tintype::darkroom {
namespace {

constexpr rlim_t kDescriptorsOpenMax = 64;
// A fork takes a millisecond, or many seconds on a machine that is starved.
constexpr int64_t kForkMsMax = 60'000;

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
    // The helper does not inherit what the server blocks or ignores; and a Ctrl-C in the server's
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
  int Run(const HelperProgram& program, pid_t& pid) const {
    std::vector<std::string> words = {"tintype-darkroom"};
    if (!program.sandbox) {
      words.emplace_back(kWithoutSandbox);
    }
    if (!program.library.empty()) {
      words.push_back(StrCat(kWithLibrary, program.library));
    }
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) {
      arguments.push_back(word.data());
    }
    arguments.push_back(nullptr);
    char* environment[] = {nullptr};
    return posix_spawn(&pid, program.path.c_str(), &actions_, &attributes_, arguments.data(),
                       environment);
  }

 private:
  posix_spawn_file_actions_t actions_;
  posix_spawnattr_t attributes_;
};

Error NotRunning(std::string note) {
  return MakeFailure(FailureKind::kNotRunning, "The image helper cannot be started")
      .WithNote(std::move(note));
}

}  // namespace

Result<std::unique_ptr<TemplateProcess>> TemplateProcess::Start(const HelperProgram& program,
                                                                const Limits& limits,
                                                                int64_t generation) {
  auto channel = MakeChannel();
  if (!channel.ok()) {
    return NotRunning(channel.error().message());
  }
  pid_t pid = -1;
  const int failed = SpawnPlan(channel->helper.number()).Run(program, pid);
  if (failed != 0) {
    return NotRunning(StrCat(program.path, ": ", std::strerror(failed)));
  }
  std::unique_ptr<TemplateProcess> process(
      new TemplateProcess(pid, std::move(channel->server), limits,
                          generation));  // NOLINT: the constructor is private.
  RETURN_IF_ERROR(process->Limit());
  return process;
}

Status TemplateProcess::Limit() const {
  // AddressSanitizer and ThreadSanitizer reserve terabytes of address space and use little of it.
  // They forbid core files themselves, and end the process if that was done meanwhile.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
  const auto address_space = static_cast<rlim_t>(limits_.address_space_bytes);
  RETURN_IF_ERROR(process_.Limit(RLIMIT_AS, address_space, address_space));
  RETURN_IF_ERROR(process_.Limit(RLIMIT_CORE, 0, 0));
#endif
  const auto output = static_cast<rlim_t>(limits_.output_bytes);
  RETURN_IF_ERROR(process_.Limit(RLIMIT_FSIZE, output, output));
  return process_.Limit(RLIMIT_NOFILE, kDescriptorsOpenMax, kDescriptorsOpenMax);
}

Status TemplateProcess::AwaitReady() {
  RETURN_IF_ERROR(darkroom::AwaitReady(process_, channel_.number()));
  return OkStatus();
}

Result<std::unique_ptr<HelperProcess>> TemplateProcess::Fork() {
  auto channel = MakeChannel();
  if (!channel.ok()) {
    return NotRunning(channel.error().message()).WithReason(kCannotFork);
  }
  const auto forked =
      AskTemplate(channel_.number(), channel->helper.number(), SteadyNowMs() + kForkMsMax);
  if (!forked.ok()) {
    Error error = NotRunning(forked.error().message());
    return forked.error().Is(kCannotFork) ? std::move(error).WithReason(kCannotFork) : error;
  }
  return std::make_unique<HelperProcess>(*forked, std::move(channel->server), generation_);
}

void TemplateProcess::Abandon() { ::shutdown(channel_.number(), SHUT_RDWR); }

bool TemplateProcess::IsWaiting() const { return IsQuiet(channel_.number()); }

}  // namespace tintype::darkroom
