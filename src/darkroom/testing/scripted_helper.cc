// A helper for tests that does, in place of any work, what the first word of its input says. So
// every way in which a helper can fail its server is there at will.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "darkroom/protocol/channel.h"
#include "darkroom/protocol/messages.h"

namespace tintype::darkroom {
namespace {

constexpr int kChannel = 3;
constexpr size_t kMegabyte = 1024 * 1024;

void Send(std::string_view bytes, std::span<const int> descriptors = {}) {
  SendMessage(kChannel, bytes, descriptors).PermitUncheckedError();
}

void SendWell() { Send(EncodeReply(Original{"image/png", 3, 2, 1, false, false})); }

void SendTooMuch() {
  const std::string bytes(kMessageBytesMax + 1, 'x');
  if (::write(kChannel, bytes.data(), bytes.size()) < 0) {
    ::_exit(1);
  }
}

void SendDeveloped(int64_t bytes) {
  Developed developed;
  developed.original = {"image/png", 3, 2, 1, false, false};
  developed.renditions = {{"", 3, 2, bytes}};
  Send(EncodeReply(developed));
}

void WriteThreeBytes(const ReceivedMessage& message) {
  if (::pwrite(message.descriptors.at(1).number(), "abc", 3, 0) != 3) {
    ::_exit(1);
  }
}

// Past the limit on outputs the kernel sends a signal.
void WriteWithoutEnd(const ReceivedMessage& message) {
  const std::string chunk(kMegabyte, 'x');
  while (::write(message.descriptors.at(1).number(), chunk.data(), chunk.size()) > 0) {
  }
}

void TakeMemory(size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    Send(EncodeReply(Failure{FailureKind::kOutOfMemory, "no more memory"}));
    return;
  }
  // Only what is touched counts as resident.
  std::memset(memory, 1, bytes <= 64 * kMegabyte ? bytes : 1);
  SendWell();
}

[[noreturn]] void Hang() {
  while (true) {
    ::pause();
  }
}

[[noreturn]] void Spin() {
  volatile int64_t turns = 0;
  while (true) {
    turns = turns + 1;
  }
}

using Action = void (*)(const ReceivedMessage&);
const std::map<std::string, Action>& Actions() {
  static const std::map<std::string, Action> actions = {
      {"well", [](const ReceivedMessage&) { SendWell(); }},
      {"abort", [](const ReceivedMessage&) { std::abort(); }},
      {"exit", [](const ReceivedMessage&) { ::_exit(3); }},
      {"hang", [](const ReceivedMessage&) { Hang(); }},
      {"spin", [](const ReceivedMessage&) { Spin(); }},
      {"close-and-hang",
       [](const ReceivedMessage&) {
         ::close(kChannel);
         Hang();
       }},
      {"garbage", [](const ReceivedMessage&) { Send("garbage"); }},
      {"too-much", [](const ReceivedMessage&) { SendTooMuch(); }},
      {"well-with-files",
       [](const ReceivedMessage& message) {
         const int input = message.descriptors.at(0).number();
         Send(EncodeReply(Original{"image/png", 3, 2, 1, false, false}), {&input, 1});
       }},
      {"wrong-type",
       [](const ReceivedMessage&) {
         Send(EncodeReply(Original{"text/html", 3, 2, 1, false, false}));
       }},
      {"wrong-answer",
       [](const ReceivedMessage&) {
         Send(EncodeReply(Edited{3, 2, OutputFormat::kWebp, 9}));
       }},
      {"refuse",
       [](const ReceivedMessage&) {
         Send(EncodeReply(Failure{FailureKind::kCorrupt, "refused"}));
       }},
      {"write",
       [](const ReceivedMessage& message) {
         WriteThreeBytes(message);
         SendDeveloped(3);
       }},
      {"write-less-than-it-says",
       [](const ReceivedMessage& message) {
         WriteThreeBytes(message);
         SendDeveloped(4);
       }},
      {"write-without-end", [](const ReceivedMessage& message) { WriteWithoutEnd(message); }},
      {"grow", [](const ReceivedMessage&) { TakeMemory(64 * kMegabyte); }},
      {"take-two-gigabytes", [](const ReceivedMessage&) { TakeMemory(2048 * kMegabyte); }},
  };
  return actions;
}

}  // namespace
}  // namespace tintype::darkroom

int main() {
  using namespace tintype::darkroom;
  Send(EncodeReply(Ready{}));
  while (true) {
    const auto message = ReceiveMessage(kChannel);
    if (!message.ok()) {
      return 0;
    }
    char word[64] = {};
    if (::pread(message->descriptors.at(0).number(), word, sizeof(word) - 1, 0) < 0) {
      return 1;
    }
    Actions().at(word)(*message);
  }
}
