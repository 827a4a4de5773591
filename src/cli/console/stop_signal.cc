#include "cli/console/stop_signal.h"

#include <pthread.h>
#include <unistd.h>

#include "base/check.h"

namespace tintype::cli {
namespace {

extern "C" void ExitAtOnce(int signal) { ::_exit(128 + signal); }

}  // namespace

StopSignal::StopSignal() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  CHECK(::pthread_sigmask(SIG_BLOCK, &signals_, nullptr) == 0);
  std::signal(SIGPIPE, SIG_IGN);
  // A parent may have ignored it, as programs inherit: then nobody could tell how a child ended.
  std::signal(SIGCHLD, SIG_DFL);
  // So that a limit on the size of files is an error of the write, which names the file.
  std::signal(SIGXFSZ, SIG_IGN);
}

int StopSignal::Wait() {
  int signal = 0;
  CHECK(::sigwait(&signals_, &signal) == 0);
  std::signal(SIGINT, ExitAtOnce);
  std::signal(SIGTERM, ExitAtOnce);
  // Only this thread lets them through, so the others stay undisturbed while they finish.
  CHECK(::pthread_sigmask(SIG_UNBLOCK, &signals_, nullptr) == 0);
  return signal;
}

}  // namespace tintype::cli
