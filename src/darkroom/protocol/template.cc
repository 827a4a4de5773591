#include "darkroom/protocol/template.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/descriptor.h"
#include "base/strings.h"
#include "darkroom/protocol/channel.h"
#include "darkroom/protocol/fields.h"
#include "darkroom/protocol/messages.h"

namespace tintype::darkroom {
namespace {

constexpr std::string_view kForkOrder = "fork";

// The answer to kForkOrder: the process, or a negative error.
void ForkFields(auto& fields, auto& result) {
  fields.Number(result, -4096, std::numeric_limits<pid_t>::max());
}

// How many threads this process has, those that libraries have started included.
ptrdiff_t CountThreads() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return 1;  // But for a sanitizer's own, which know about forks.
#else
  std::error_code unknown;
  const std::filesystem::directory_iterator threads("/proc/self/task", unknown);
  // Where there is no /proc, nobody can tell.
  return unknown ? 1 : std::distance(begin(threads), end(threads));
#endif
}

// Forks a child of this process's parent. The C library has no name for that, so it does not know
// that the thread in the child has another number, by which locks know their owner: the kernel
// tells where that is kept, and writes it there as it does for fork(). The rest of what fork() sees
// to is for processes with several threads.
pid_t ForkSibling() {
  unsigned long flags = CLONE_PARENT | SIGCHLD;
  void* thread_number = nullptr;
  if (::prctl(PR_GET_TID_ADDRESS, &thread_number, 0, 0, 0) == 0) {
    flags |= CLONE_CHILD_SETTID | CLONE_CHILD_CLEARTID;
  }
  // The last two arguments come in either order, by machine; the one that is not meant is not used.
  const long pid = ::syscall(SYS_clone, flags, nullptr, nullptr, thread_number, thread_number);
  return static_cast<pid_t>(pid < 0 ? -errno : pid);
}

// The rest of the fork, in the helper.
void BecomeHelper(int channel) {
  // With the template's end of its channel this closes the way to it.
  if (::dup2(channel, kHelperChannel) < 0 || ::prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 ||
      ::prctl(PR_SET_NAME, kHelperName) != 0) {
    ::_exit(EXIT_FAILURE);
  }
}

}  // namespace

HelperArguments ReadHelperArguments(int argc, char** argv) {
  HelperArguments arguments;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == kWithoutSandbox) {
      arguments.sandbox = false;
    } else if (word.starts_with(kWithLibrary)) {
      arguments.library = word.substr(std::string_view(kWithLibrary).size());
    }
  }
  return arguments;
}

void BecomeTemplate() {
  ::prctl(PR_SET_NAME, kTemplateName);
  if (const ptrdiff_t threads = CountThreads(); threads != 1) {
    const std::string reason = StrCat("Its libraries have started threads: it has ", threads);
    SendMessage(kHelperChannel, EncodeReply(Failure{FailureKind::kNotRunning, reason}))
        .PermitUncheckedError();
    ::_exit(EXIT_FAILURE);
  }
  Status sent = SendMessage(kHelperChannel, EncodeReply(Ready{}));
  while (sent.ok()) {
    const auto order = ReceiveMessage(kHelperChannel);
    if (!order.ok() || order->bytes != kForkOrder || order->descriptors.size() != 1) {
      break;
    }
    int64_t result = ForkSibling();
    if (result == 0) {
      BecomeHelper(order->descriptors.front().number());
      return;
    }
    FieldWriter answer;
    ForkFields(answer, result);
    sent = SendMessage(kHelperChannel, std::move(answer).Take());
  }
  // Without the libraries' own farewells, which nobody waits for.
  ::_exit(EXIT_SUCCESS);
}

Result<pid_t> AskTemplate(int channel, int helper_end, int64_t deadline_ms) {
  RETURN_IF_ERROR(SendMessage(channel, kForkOrder, {&helper_end, 1}));
  ASSIGN_OR_RETURN(const std::string bytes, ReceiveBytes(channel, deadline_ms));
  FieldReader answer(bytes);
  int64_t result = 0;
  ForkFields(answer, result);
  if (!answer.Finished() || result == 0) {
    return Error::Io("The template of image helpers answered nonsense");
  }
  if (result < 0) {
    return Error(kCannotFork, StrCat("The template of image helpers cannot fork: ",
                                     std::strerror(static_cast<int>(-result))));
  }
  const auto pid = static_cast<pid_t>(result);
  // A process that is to be killed one day has to be ours.
  siginfo_t ignored = {};
  if (::waitid(P_PID, static_cast<id_t>(pid), &ignored, WEXITED | WNOHANG | WNOWAIT) != 0) {
    return Error::Io("The template of image helpers named a process that is not ours");
  }
  return pid;
}

}  // namespace tintype::darkroom
