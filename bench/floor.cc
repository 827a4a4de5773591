// The floor under every measurement: our HTTP server with an answer that costs nothing, of the size
// of an item. It says where it listens as `tintype serve` does, and ends on SIGTERM.

#include <csignal>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

#include "http/server/server.h"

namespace tintype::bench {
namespace {

class ConstantHandler : public http::Handler {
 public:
  void Handle(http::Request /*request*/, http::Respond respond) override {
    respond({.status = 200,
             .headers = {{"Content-Type", "application/x-amz-json-1.0"}},
             .body = std::string(600, ' ')});
  }
};

int Main() {
  // Blocked before any thread starts, so that all of them leave the signal to sigwait.
  sigset_t stop;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &stop, nullptr);

  ConstantHandler handler;
  const Result<std::unique_ptr<http::Server>> server = http::Server::Start({}, handler);
  if (!server.ok()) {
    std::fprintf(stderr, "%s\n", server.error().message().c_str());
    return 1;
  }
  std::printf("dynamodb 127.0.0.1:%d\nready\n", (*server)->port());
  std::fflush(stdout);
  int signal = 0;
  sigwait(&stop, &signal);
  return 0;
}

}  // namespace
}  // namespace tintype::bench

int main() { return tintype::bench::Main(); }
