// A helper for tests that does, in place of any work, what the first word of its input says. So
// every way in which a helper can fail its server is there at will.

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "darkroom/protocol/channel.h"
#include "darkroom/protocol/messages.h"
#include "darkroom/protocol/template.h"
#include "darkroom/sandbox/sandbox.h"

namespace tintype::darkroom {
namespace {

constexpr size_t kMegabyte = 1024 * 1024;

void Send(std::string_view bytes, std::span<const int> descriptors = {}) {
  SendMessage(kHelperChannel, bytes, descriptors).PermitUncheckedError();
}

void SendTooMuch() {
  const std::string bytes(kMessageBytesMax + 1, 'x');
  if (::write(kHelperChannel, bytes.data(), bytes.size()) < 0) {
    ::_exit(1);
  }
}

void SendDeveloped(int64_t bytes, const std::string& media_type = "image/png",
                   std::span<const int> descriptors = {}) {
  Developed developed;
  developed.original = {media_type, 3, 2};
  developed.renditions = {{"", 3, 2, bytes}};
  Send(EncodeReply(developed), descriptors);
}

void WriteThreeBytes(const ReceivedMessage& message) {
  if (::pwrite(message.descriptors.at(1).number(), "abc", 3, 0) != 3) {
    ::_exit(1);
  }
}

void DoWell(const ReceivedMessage& message) {
  WriteThreeBytes(message);
  SendDeveloped(3);
}

// One word, of a recording that is longer by so many milliseconds than the input.
void Hear(const ReceivedMessage& message, int64_t more_ms) {
  const auto bytes = static_cast<int64_t>(::lseek(message.descriptors.at(0).number(), 0, SEEK_END));
  Transcript transcript;
  transcript.language = "en";
  transcript.duration_ms = bytes / kBytesPerSample * 1000 / kSamplesPerSecond + more_ms;
  transcript.segments = {{0, transcript.duration_ms, "Well.", 1, {}}};
  const std::string written = EncodeTranscript(transcript);
  if (::pwrite(message.descriptors.at(1).number(), written.data(), written.size(), 0) < 0) {
    ::_exit(1);
  }
  Send(EncodeReply(Transcribed{static_cast<int64_t>(written.size())}));
}

// Past the limit on outputs the kernel sends a signal.
void WriteWithoutEnd(const ReceivedMessage& message) {
  const std::string chunk(kMegabyte, 'x');
  while (::write(message.descriptors.at(1).number(), chunk.data(), chunk.size()) > 0) {
  }
}

void TakeMemory(const ReceivedMessage& message, size_t bytes) {
  void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    Send(EncodeReply(Failure{FailureKind::kOutOfMemory, "no more memory"}));
    return;
  }
  // Only what is touched counts as resident.
  std::memset(memory, 1, bytes <= 64 * kMegabyte ? bytes : 1);
  DoWell(message);
}

[[noreturn]] void Hang() {
  while (true) {
    const timespec hour = {3600, 0};
    ::nanosleep(&hour, nullptr);
  }
}

[[noreturn]] void Spin() {
  volatile int64_t turns = 0;
  while (true) {
    turns = turns + 1;
  }
}

// What a file that has taken the helper over might try. The answer says how that ended, if there
// still is one who can say it.
void Tell(bool done) {
  const std::string result = done ? "done" : std::strerror(errno);
  Send(EncodeReply(Failure{FailureKind::kCorrupt, result}));
}

void OpenFile() { Tell(::open("/etc/passwd", O_RDONLY) >= 0); }
void CreateFile() { Tell(::open("/tmp/left-behind", O_WRONLY | O_CREAT, 0600) >= 0); }
void LookAtFile() {
  struct stat status = {};
  Tell(::stat("/etc/passwd", &status) == 0);
}
void ReopenInput(const ReceivedMessage& message) {
  const std::string path = "/proc/self/fd/" + std::to_string(message.descriptors.at(0).number());
  Tell(::open(path.c_str(), O_RDWR) >= 0);
}
void MakeSocket(int family) { Tell(::socket(family, SOCK_STREAM, 0) >= 0); }
void Connect() {
  // With a socket that it was sent, if it had any: the call itself is refused.
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_port = htons(9);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  Tell(::connect(kHelperChannel, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) ==
       0);
}
void SendElsewhere(const ReceivedMessage& message) {
  msghdr header = {};
  Tell(::sendmsg(message.descriptors.at(0).number(), &header, 0) >= 0);
}
void Execute() {
  char name[] = "/bin/true";
  char* arguments[] = {name, nullptr};
  ::execve(name, arguments, nullptr);
  Tell(false);
}
void Fork() {
  const pid_t child = ::fork();
  if (child == 0) {
    ::_exit(0);
  }
  Tell(child > 0);
}
void ForkByClone3() {
  // clone_args of the kernel: flags, ..., exit_signal, ...; zeros else, which is a fork.
  uint64_t arguments[8] = {};
  arguments[4] = SIGCHLD;
  const long child = ::syscall(SYS_clone3, arguments, sizeof(arguments));
  if (child == 0) {
    ::_exit(0);
  }
  Tell(child > 0);
}
void Trace() { Tell(::ptrace(PTRACE_ATTACH, ::syscall(SYS_getpid), nullptr, nullptr) == 0); }
void ReadParent() {
  char byte = 0;
  iovec here = {&byte, 1};
  iovec there = {&byte, 1};
  Tell(::process_vm_readv(1, &here, 1, &there, 1, 0) == 1);
}
// Signal 0 harms nobody, should it come through.
void SignalAll() { Tell(::kill(-1, 0) == 0); }
void SignalThread() { Tell(::syscall(SYS_tgkill, 1, 1, 0) == 0); }
void RaiseLimit() {
  const rlimit limit = {RLIM_INFINITY, RLIM_INFINITY};
  Tell(::setrlimit(RLIMIT_CPU, &limit) == 0);
}
// Which helper this is, and the second words of all inputs that it has had.
void NameAll(const ReceivedMessage& message) {
  static std::string names;
  char text[64] = {};
  if (::pread(message.descriptors.at(0).number(), text, sizeof(text) - 1, 0) < 0) {
    ::_exit(1);
  }
  names += std::strchr(text, ' ');
  Send(EncodeReply(Failure{FailureKind::kCorrupt, std::to_string(::getpid()) + names}));
}

// Goes on when the input has become another.
/// Until something stands behind the word: whether the helper reads it before or after.
void Wait(const ReceivedMessage& message) {
  constexpr off_t kBehindTheWord = 4;
  char letter = 0;
  while (::pread(message.descriptors.at(0).number(), &letter, 1, kBehindTheWord) == 0) {
    const timespec moment = {0, 1'000'000};
    ::nanosleep(&moment, nullptr);
  }
  DoWell(message);
}

void GainRights() { Tell(::setuid(0) == 0); }
void LeaveDeathSignal() { Tell(::prctl(PR_SET_PDEATHSIG, 0) == 0); }

using Action = void (*)(const ReceivedMessage&);
const std::map<std::string, Action>& Actions() {
  static const std::map<std::string, Action> actions = {
      {"well", DoWell},
      {"abort", [](const ReceivedMessage&) { std::abort(); }},
      {"exit", [](const ReceivedMessage&) { ::_exit(3); }},
      {"hang", [](const ReceivedMessage&) { Hang(); }},
      {"spin", [](const ReceivedMessage&) { Spin(); }},
      {"close-and-hang",
       [](const ReceivedMessage&) {
         ::close(kHelperChannel);
         Hang();
       }},
      {"name-all", NameAll},
      {"wait", Wait},
      {"garbage", [](const ReceivedMessage&) { Send("garbage"); }},
      {"too-much", [](const ReceivedMessage&) { SendTooMuch(); }},
      {"well-with-files",
       [](const ReceivedMessage& message) {
         const int input = message.descriptors.at(0).number();
         WriteThreeBytes(message);
         SendDeveloped(3, "image/png", {&input, 1});
       }},
      {"wrong-type",
       [](const ReceivedMessage& message) {
         WriteThreeBytes(message);
         SendDeveloped(3, "text/html");
       }},
      {"wrong-answer",
       [](const ReceivedMessage&) {
         Send(EncodeReply(Edited{3, 2, OutputFormat::kWebp, 9}));
       }},
      {"hear", [](const ReceivedMessage& message) { Hear(message, 0); }},
      {"hear-more-than-there-is", [](const ReceivedMessage& message) { Hear(message, 1); }},
      {"refuse",
       [](const ReceivedMessage&) {
         Send(EncodeReply(Failure{FailureKind::kCorrupt, "refused"}));
       }},
      {"write-less-than-it-says",
       [](const ReceivedMessage& message) {
         WriteThreeBytes(message);
         SendDeveloped(4);
       }},
      {"draw-something-else",
       [](const ReceivedMessage& message) {
         WriteThreeBytes(message);
         Send(EncodeReply(DocumentPage{2048, 1024, 3}));
       }},
      {"read-less-than-it-says",
       [](const ReceivedMessage& message) {
         WriteThreeBytes(message);
         Send(EncodeReply(DocumentText{4, 1, true}));
       }},
      {"read-fewer-pages-than-it-says",
       [](const ReceivedMessage& message) {
         WriteThreeBytes(message);
         Send(EncodeReply(DocumentText{3, 2, true}));
       }},
      {"read-well",
       [](const ReceivedMessage& message) {
         WriteThreeBytes(message);
         Send(EncodeReply(DocumentText{3, 1, true}));
       }},
      {"write-without-end", [](const ReceivedMessage& message) { WriteWithoutEnd(message); }},
      {"grow", [](const ReceivedMessage& message) { TakeMemory(message, 64 * kMegabyte); }},
      {"take-two-gigabytes",
       [](const ReceivedMessage& message) { TakeMemory(message, 2048 * kMegabyte); }},
      {"open-file", [](const ReceivedMessage&) { OpenFile(); }},
      {"create-file", [](const ReceivedMessage&) { CreateFile(); }},
      {"look-at-file", [](const ReceivedMessage&) { LookAtFile(); }},
      {"reopen-input", ReopenInput},
      {"make-internet-socket", [](const ReceivedMessage&) { MakeSocket(AF_INET); }},
      {"make-local-socket", [](const ReceivedMessage&) { MakeSocket(AF_UNIX); }},
      {"connect", [](const ReceivedMessage&) { Connect(); }},
      {"send-elsewhere", SendElsewhere},
      {"execute", [](const ReceivedMessage&) { Execute(); }},
      {"fork", [](const ReceivedMessage&) { Fork(); }},
      {"fork-by-clone3", [](const ReceivedMessage&) { ForkByClone3(); }},
      {"trace", [](const ReceivedMessage&) { Trace(); }},
      {"read-parent", [](const ReceivedMessage&) { ReadParent(); }},
      {"signal-all", [](const ReceivedMessage&) { SignalAll(); }},
      {"signal-thread", [](const ReceivedMessage&) { SignalThread(); }},
      {"raise-limit", [](const ReceivedMessage&) { RaiseLimit(); }},
      {"gain-rights", [](const ReceivedMessage&) { GainRights(); }},
      {"leave-death-signal", [](const ReceivedMessage&) { LeaveDeathSignal(); }},
  };
  return actions;
}

}  // namespace
}  // namespace tintype::darkroom

int main(int argc, char** argv) {
  using namespace tintype::darkroom;
  BecomeTemplate();
  Ready ready;
  ready.sandbox_missing = "it is switched off";
  if (ReadHelperArguments(argc, argv).sandbox) {
    const auto entered = EnterSandbox(kHelperChannel);
    ready.sandbox_missing = entered.ok() ? "" : entered.error().message();
  }
  Send(EncodeReply(ready));
  while (true) {
    const auto message = ReceiveMessage(kHelperChannel);
    if (!message.ok()) {
      return 0;
    }
    char word[64] = {};
    if (::pread(message->descriptors.at(0).number(), word, sizeof(word) - 1, 0) < 0) {
      return 1;
    }
    Actions().at(std::string(word, std::strcspn(word, " ")))(*message);
  }
}
