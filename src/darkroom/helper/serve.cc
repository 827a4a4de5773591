#include "darkroom/helper/serve.h"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <vector>

#include "darkroom/protocol/channel.h"
#include "darkroom/protocol/clean_text.h"
#include "darkroom/protocol/template.h"
#include "darkroom/sandbox/sandbox.h"

namespace tintype::darkroom {
namespace {

// The limit of core files does not count where they are piped to a program, and no other process
// of the same user is to look at photos here. Those who switch the sandbox off want to look.
bool Confine(bool sandbox) {
  ::umask(077);
  if (sandbox && ::prctl(PR_SET_DUMPABLE, 0) != 0) {
    return false;
  }
  return ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
}

Reply Answer(const Trade& trade, const ReceivedMessage& message) {
  std::vector<int> descriptors;
  for (const Descriptor& descriptor : message.descriptors) {
    descriptors.push_back(descriptor.number());
  }
  return trade.answer(message.bytes, descriptors);
}

void RestWhileIdle(const Trade& trade) {
  pollfd waiting = {kHelperChannel, POLLIN, 0};
  if (::poll(&waiting, 1, trade.idle_ms) == 0) {
    trade.idle();
  }
}

std::string EnterSandboxIf(bool wanted) {
  if (!wanted) {
    return "it is switched off";
  }
  const Status entered = EnterSandbox(kHelperChannel);
  return entered.ok() ? "" : CleanText(entered.error().message(), kSandboxTextBytesMax);
}

}  // namespace

int ServeOrders(int argc, char** argv, const Trade& trade) {
  const HelperArguments arguments = ReadHelperArguments(argc, argv);
  if (!Confine(arguments.sandbox)) {
    return EXIT_FAILURE;
  }
  if (const Status started = trade.start(arguments.library); !started.ok()) {
    const Failure failure{FailureKind::kNotRunning,
                          CleanText(started.error().message(), kFailureMessageBytesMax)};
    SendMessage(kHelperChannel, EncodeReply(failure)).PermitUncheckedError();
    return EXIT_FAILURE;
  }
  // Until here the server's standard error was of use, to say that a library is missing. From now
  // on what would be written there may come from a file.
  ::dup2(STDOUT_FILENO, STDERR_FILENO);
  BecomeTemplate();
  // From here on this is a helper, one of many.
  Ready ready;
  ready.sandbox_missing = EnterSandboxIf(arguments.sandbox);
  if (!SendMessage(kHelperChannel, EncodeReply(ready)).ok()) {
    return EXIT_FAILURE;
  }
  while (true) {
    RestWhileIdle(trade);
    auto message = ReceiveMessage(kHelperChannel);
    if (!message.ok()) {
      return EXIT_SUCCESS;
    }
    const Reply reply = Answer(trade, *message);
    // Before the answer, after which the server may take the files for its own and the memory for
    // given back.
    message->descriptors.clear();
    trade.finish_order();
    if (!SendMessage(kHelperChannel, EncodeReply(reply)).ok()) {
      return EXIT_SUCCESS;
    }
  }
}

}  // namespace tintype::darkroom
