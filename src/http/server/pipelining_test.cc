#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/strings.h"
#include "http/server/server.h"
#include "http/server/testing/client.h"

namespace tintype::http {
namespace {

using testing::Client;
using testing::FormatRequest;

// Answers targets that end in an odd digit from another thread, as a database answers writes, and
// the others at once. Some answers are large.
class MixedHandler : public Handler {
 public:
  MixedHandler() : worker_([this] { Work(); }) {}
  ~MixedHandler() override {
    {
      MutexLock lock(mutex_);
      stopping_ = true;
      arrived_.SignalAll();
    }
    worker_.join();
  }

  void Handle(Request request, Respond respond) override {
    if ((request.target.back() - '0') % 2 == 0) {
      return Answer(request, std::move(respond));
    }
    MutexLock lock(mutex_);
    pending_.emplace_back(std::move(request), std::move(respond));
    arrived_.SignalAll();
  }

  static std::string BodyFor(std::string_view target, std::string_view body) {
    const size_t filler = target.ends_with("7") || target.ends_with("8") ? 100'000 : 10;
    return StrCat(target, " ", body, std::string(filler, '.'));
  }

 private:
  static void Answer(const Request& request, Respond respond) {
    respond({.status = 200, .headers = {}, .body = BodyFor(request.target, request.body)});
  }

  void Work() {
    for (;;) {
      std::vector<std::pair<Request, Respond>> group;
      {
        MutexLock lock(mutex_);
        while (pending_.empty() && !stopping_) {
          arrived_.Wait(mutex_);
        }
        if (stopping_) {
          return;
        }
        group.swap(pending_);
      }
      for (auto& [request, respond] : group) {
        Answer(request, std::move(respond));
      }
    }
  }

  Mutex mutex_;
  CondVar arrived_;
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::vector<std::pair<Request, Respond>> pending_ GUARDED_BY(mutex_);
  std::thread worker_;
};

// Proves that several connections at once, each with hundreds of requests sent before the first
// answer is read, get every answer in its place, be it given at once or later, small or large.
TEST(PipeliningTest, KeepsOrderOnManyConnectionsAtOnce) {
  MixedHandler handler;
  auto server = Server::Start({.threads = 2}, handler);
  ASSERT_TRUE(server.ok());
  const uint16_t port = (*server)->port();
  constexpr int kClients = 6;
  constexpr int kRequests = 400;
  std::vector<std::thread> clients;
  clients.reserve(kClients);
  for (int c = 0; c < kClients; ++c) {
    clients.emplace_back([port, c] {
      Client client(port);
      // Sent by a thread of its own: the answers are more than the buffers hold.
      std::thread sender([&client, port, c] {
        for (int i = 0; i < kRequests; ++i) {
          ASSERT_TRUE(client.Send(FormatRequest(port, "POST", StrCat("/", c, "/", i), {},
                                                std::string(static_cast<size_t>(i), 'b'))));
        }
      });
      for (int i = 0; i < kRequests; ++i) {
        const auto response = client.Read();
        ASSERT_TRUE(response) << c << " " << i;
        EXPECT_EQ(response->body, MixedHandler::BodyFor(StrCat("/", c, "/", i),
                                                        std::string(static_cast<size_t>(i), 'b')));
      }
      sender.join();
    });
  }
  for (std::thread& client : clients) {
    client.join();
  }
}

// Proves that a client which pipelines without end and never reads is held back by its own unread
// answers, while another is served.
TEST(PipeliningTest, HoldsBackClientsThatDoNotRead) {
  MixedHandler handler;
  auto server =
      Server::Start({.threads = 1, .shutdown_grace = std::chrono::milliseconds(20)}, handler);
  ASSERT_TRUE(server.ok());
  const uint16_t port = (*server)->port();
  Client endless(port);
  std::thread sender([&endless, port] {
    const std::string request = FormatRequest(port, "POST", "/8", {}, std::string(10'000, 'b'));
    while (endless.Send(request)) {
    }
  });
  while ((*server)->stats().unread_answer_bytes == 0) {
    std::this_thread::yield();
  }
  Client other(port);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(other.Call("GET", "/2")->status, 200);
    ASSERT_LE((*server)->stats().unread_answer_bytes, 512U * 1024);
  }
  (*server).reset();  // Ends the connection, and with it the sender.
  sender.join();
}

}  // namespace
}  // namespace tintype::http
