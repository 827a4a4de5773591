// tintype-darkroom: loads its libraries and is a template from then on, which forks helpers. A
// helper waits on descriptor 3 for orders with files, works on one at a time, answers, and ends
// when the server closes its side. It opens no file itself. See darkroom/README.md.

#include <malloc.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include "darkroom/imaging/answer.h"
#include "darkroom/protocol/channel.h"
#include "darkroom/protocol/clean_text.h"
#include "darkroom/protocol/messages.h"
#include "darkroom/protocol/template.h"
#include "darkroom/sandbox/sandbox.h"

namespace tintype::darkroom {
namespace {

// Bytes that stay with the process while orders come one after the other.
constexpr size_t kMemoryKept = size_t{32} << 20;

// The limit of core files does not count where they are piped to a program, and no other process
// of the same user is to look at photos here. Those who switch the sandbox off want to look.
bool Confine(bool sandbox) {
  ::umask(077);
  if (sandbox && ::prctl(PR_SET_DUMPABLE, 0) != 0) {
    return false;
  }
  return ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

void SetUpMemory() {
  // One arena is enough for the two threads that libvips has for an image, and each would reserve a
  // part of the address space.
  ::mallopt(M_ARENA_MAX, 1);
  // Large blocks come out of the same memory as small ones, which is kept for the next order.
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(2 * kMemoryKept));
}

Reply Answer(const ReceivedMessage& message) {
  std::vector<int> descriptors;
  for (const Descriptor& descriptor : message.descriptors) {
    descriptors.push_back(descriptor.number());
  }
  return AnswerOrder(message.bytes, descriptors);
}

// Memory that was given back has to be cleared by the kernel when it is needed again, for every
// photo: a tenth of the time of some. So the helper keeps a little between two orders that follow
// each other at once.
void GiveMemoryBackWhenIdle() {
  constexpr int kIdleMs = 1000;
  pollfd waiting = {kHelperChannel, POLLIN, 0};
  if (::poll(&waiting, 1, kIdleMs) == 0) {
    ::malloc_trim(0);
  }
}

std::string EnterSandboxIf(bool wanted) {
  if (!wanted) {
    return "it is switched off";
  }
  const Status entered = EnterSandbox(kHelperChannel);
  return entered.ok() ? "" : CleanText(entered.error().message(), kSandboxTextBytesMax);
}

int Serve(bool sandbox) {
  SetUpMemory();
  if (!Confine(sandbox) || !StartLibraries()) {
    return EXIT_FAILURE;
  }
  // Until here the server's standard error was of use, to say that a library is missing. From now
  // on what would be written there may come from a file.
  ::dup2(STDOUT_FILENO, STDERR_FILENO);
  BecomeTemplate();
  // From here on this is a helper, one of many.
  Ready ready;
  ready.sandbox_missing = EnterSandboxIf(sandbox);
  if (!SendMessage(kHelperChannel, EncodeReply(ready)).ok()) {
    return EXIT_FAILURE;
  }
  while (true) {
    GiveMemoryBackWhenIdle();
    auto message = ReceiveMessage(kHelperChannel);
    if (!message.ok()) {
      return EXIT_SUCCESS;
    }
    const Reply reply = Answer(*message);
    // Before the answer, after which the server may take the files for its own and the memory for
    // given back.
    message->descriptors.clear();
    ::malloc_trim(kMemoryKept);
    if (!SendMessage(kHelperChannel, EncodeReply(reply)).ok()) {
      return EXIT_SUCCESS;
    }
  }
}

}  // namespace
}  // namespace tintype::darkroom

int main(int argc, char** argv) {
  // Without the libraries' own farewells, which nobody waits for.
  ::_exit(tintype::darkroom::Serve(tintype::darkroom::WantsSandbox(argc, argv)));
}
