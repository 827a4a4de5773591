#include "cli/console/interruption.h"

#include <csignal>

namespace tintype::cli {
namespace {

volatile std::sig_atomic_t g_interrupted = 0;

extern "C" void Interrupt(int /*signal*/) { g_interrupted = 1; }

void SetHandler(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  // Once: somebody in a hurry signals again.
  action.sa_flags = handler == SIG_DFL ? 0 : static_cast<int>(SA_RESETHAND);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

Interruption::Interruption() {
  g_interrupted = 0;
  SetHandler(SIGINT, Interrupt);
  SetHandler(SIGTERM, Interrupt);
}

Interruption::~Interruption() {
  SetHandler(SIGINT, SIG_DFL);
  SetHandler(SIGTERM, SIG_DFL);
}

bool Interruption::requested() { return g_interrupted != 0; }

}  // namespace tintype::cli
