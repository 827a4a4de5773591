#include "cli/secrets/run_command.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include "base/descriptor.h"
#include "base/strings.h"

extern char** environ;

namespace tintype::cli {
namespace {

using SteadyClock = std::chrono::steady_clock;

Error Failed(const std::string& command, std::string_view how) {
  return Error::Io(StrCat("The command '", command, "' ", how));
}

/// Starts the shell in a process group of its own, with nothing to read and `output` to write to.
/// Returns its id, or nothing with errno set.
std::optional<pid_t> Spawn(const std::string& command, int output) {
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
  posix_spawnattr_t attributes;
  ::posix_spawnattr_init(&attributes);
  // The server blocks the signals that stop it; the command is to be stoppable.
  sigset_t none;
  sigemptyset(&none);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
  std::string shell = "sh";
  std::string flag = "-c";
  std::string script = command;
  char* arguments[] = {shell.data(), flag.data(), script.data(), nullptr};
  pid_t child = 0;
  const int error = ::posix_spawn(&child, "/bin/sh", &files, &attributes, arguments, environ);
  ::posix_spawn_file_actions_destroy(&files);
  ::posix_spawnattr_destroy(&attributes);
  errno = error;
  return error == 0 ? std::optional(child) : std::nullopt;
}

/// Whether there is something to read, or the end of it, before the deadline.
bool WaitUntilReadable(int descriptor, SteadyClock::time_point deadline) {
  for (;;) {
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - SteadyClock::now()).count();
    pollfd waited{descriptor, POLLIN, 0};
    const int count = ::poll(&waited, 1, static_cast<int>(std::max<int64_t>(left, 0)));
    if (count >= 0 || errno != EINTR) {
      return count > 0;
    }
  }
}

/// Everything up to the end of the pipe; nothing if it does not come in time or there is too much.
std::optional<std::string> ReadOutput(int pipe, size_t bytes_max,
                                      SteadyClock::time_point deadline) {
  std::string output;
  char buffer[1024];
  while (output.size() <= bytes_max && WaitUntilReadable(pipe, deadline)) {
    const ssize_t count = ::read(pipe, buffer, sizeof buffer);
    if (count == 0) {
      return output;
    }
    if (count > 0) {
      output.append(buffer, static_cast<size_t>(count));
    } else if (errno != EINTR) {
      break;
    }
  }
  return std::nullopt;
}

int WaitForEnd(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

Result<std::string> RunCommand(const std::string& command, const CommandLimits& limits) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return Failed(command, StrCat("cannot be run: ", std::strerror(errno)));
  }
  const Descriptor ours(ends[0]);
  std::optional<pid_t> child;
  {
    const Descriptor theirs(ends[1]);
    child = Spawn(command, theirs.number());
  }
  if (!child) {
    return Failed(command, StrCat("cannot be run: ", std::strerror(errno)));
  }
  const auto deadline = SteadyClock::now() + limits.time_max;
  std::optional<std::string> output = ReadOutput(ours.number(), limits.output_bytes_max, deadline);
  // It may have closed its output and still be running.
  const Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, *child, 0)));
  const bool ended = output && process.valid() && WaitUntilReadable(process.number(), deadline);
  if (!ended) {
    ::kill(-*child, SIGKILL);
  }
  const int status = WaitForEnd(*child);
  if (!ended) {
    return Failed(command,
                  StrCat("was killed: it took longer than ", limits.time_max.count() / 1000,
                         " seconds, or wrote more than ", limits.output_bytes_max, " bytes"));
  }
  if (WIFSIGNALED(status)) {
    return Failed(command, StrCat("was ended by signal ", WTERMSIG(status)));
  }
  if (WEXITSTATUS(status) != 0) {
    return Failed(command, StrCat("failed with exit code ", WEXITSTATUS(status)));
  }
  return *std::move(output);
}

}  // namespace tintype::cli
