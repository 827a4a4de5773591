#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "base/testing/eventually.h"
#include "base/testing/temporary_directory.h"
#include "http/server/server.h"
#include "http/server/testing/client.h"
#include "http/server/testing/streaming_handler.h"
#include "http/server/testing/tls.h"

// Bodies that come piece by piece from elsewhere.

namespace tintype::http {
namespace {

using testing::Client;
using testing::FormatRequest;
using testing::Pattern;

constexpr size_t kBytes = 3 * 1024 * 1024 + 5;

/// Gives a pattern in pieces, at once or from another thread; from `broken_at` on nothing.
class PatternSource : public BodySource, public std::enable_shared_from_this<PatternSource> {
 public:
  struct Behaviour {
    size_t piece_bytes = 100'000;
    bool later = false;
    size_t broken_at = kBytes;
    bool dropping = false;  // Then it forgets to say so.
  };
  PatternSource(const Behaviour& behaviour, std::atomic<int>& alive, std::atomic<size_t>& given)
      : behaviour_(behaviour), alive_(alive), given_(given) {
    ++alive_;
  }
  ~PatternSource() override {
    if (thread_.joinable()) {
      if (thread_.get_id() == std::this_thread::get_id()) {
        thread_.detach();
      } else {
        thread_.join();
      }
    }
    --alive_;
  }

  void Read(OnceCallback<std::optional<std::string>> next) override {
    if (!behaviour_.later) {
      return Give(std::move(next));
    }
    if (thread_.joinable()) {
      thread_.join();
    }
    thread_ = std::thread([self = shared_from_this(), next = std::move(next)]() mutable {
      self->Give(std::move(next));
    });
  }

 private:
  void Give(OnceCallback<std::optional<std::string>> next) {
    static const std::string pattern = Pattern(kBytes);
    if (offset_ >= behaviour_.broken_at) {
      if (!behaviour_.dropping) {
        next(std::nullopt);
      }
      return;
    }
    std::string piece = pattern.substr(offset_, behaviour_.piece_bytes);
    offset_ += piece.size();
    given_ += piece.size();
    next(std::move(piece));
  }

  const Behaviour behaviour_;
  std::atomic<int>& alive_;
  std::atomic<size_t>& given_;
  size_t offset_ = 0;
  std::thread thread_;
};

// Answers with sources that behave as the target says.
class SourceHandler : public Handler {
 public:
  void Handle(Request request, Respond respond) override {
    PatternSource::Behaviour behaviour;
    behaviour.later = request.target.starts_with("/later");
    if (request.target.ends_with("broken")) {
      behaviour.broken_at = kBytes / 2;
    }
    if (request.target.ends_with("dropping")) {
      behaviour.broken_at = kBytes / 2;
      behaviour.dropping = true;
    }
    if (request.target.ends_with("small")) {
      behaviour.piece_bytes = 777;
    }
    Response response;
    response.source = SourceBody{std::make_shared<PatternSource>(behaviour, alive, given), kBytes};
    respond(std::move(response));
  }

  std::atomic<int> alive = 0;
  std::atomic<size_t> given = 0;
};

class BodySourceTest : public ::testing::Test {
 protected:
  void Start(ServerConfig config = {}) { server_ = *Server::Start(std::move(config), handler_); }

  SourceHandler handler_;
  std::unique_ptr<Server> server_;
};

// Proves that a body arrives whole however it comes, and that the connection goes on after it.
TEST_F(BodySourceTest, ArrivesWhole) {
  Start();
  Client client(server_->port());
  for (const std::string target : {"/now", "/later", "/now-small", "/now"}) {
    ASSERT_TRUE(client.Send(FormatRequest(server_->port(), "GET", target, {}, "")));
    const auto response = client.Read();
    ASSERT_TRUE(response) << target;
    EXPECT_EQ(response->body, Pattern(kBytes)) << target;
  }
  ASSERT_TRUE(client.Send(FormatRequest(server_->port(), "HEAD", "/now", {}, "")));
  const auto head = client.Read(/*head=*/true);
  ASSERT_TRUE(head);
  EXPECT_TRUE(Eventually([&] { return handler_.alive == 0; }));
}

// Proves the same of pipelined requests: answers keep their order, and none is between the pieces
// of another.
TEST_F(BodySourceTest, KeepsTheOrderOfAnswers) {
  Start();
  Client client(server_->port());
  std::string requests;
  for (int i = 0; i < 3; ++i) {
    requests += FormatRequest(server_->port(), "GET", "/later", {}, "");
  }
  ASSERT_TRUE(client.Send(requests));
  for (int i = 0; i < 3; ++i) {
    const auto response = client.Read();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->body, Pattern(kBytes));
  }
}

// Proves the same over TLS.
TEST_F(BodySourceTest, ArrivesOverTls) {
  const TemporaryDirectory directory;
  ServerConfig config;
  config.tls_certificate_file = directory.path() + "/certificate.pem";
  config.tls_key_file = directory.path() + "/key.pem";
  testing::WriteCertificate(config.tls_certificate_file, config.tls_key_file, 1);
  Start(config);
  testing::TlsClient client(server_->port());
  ASSERT_TRUE(client.Send(FormatRequest(server_->port(), "GET", "/later", {}, "")));
  const auto response = client.Read();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body, Pattern(kBytes));
}

// Proves that a source that ends early cuts its client off, which sees that something is missing.
TEST_F(BodySourceTest, EndsWithItsSource) {
  Start();
  for (const std::string target : {"/now-broken", "/later-broken", "/now-dropping"}) {
    Client client(server_->port());
    ASSERT_TRUE(client.Send(FormatRequest(server_->port(), "GET", target, {}, "")));
    EXPECT_FALSE(client.Read()) << target;
  }
  EXPECT_TRUE(Eventually([&] { return handler_.alive == 0; }));
}

// Proves that nothing is read ahead of a client that does not read, so that memory stays flat, and
// that a source goes with its client.
TEST_F(BodySourceTest, WaitsForItsClient) {
  Start();
  {
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 4; ++i) {
      clients.push_back(std::make_unique<Client>(server_->port()));
      std::string requests;
      for (int n = 0; n < 20; ++n) {
        requests += FormatRequest(server_->port(), "GET", "/later", {}, "");
      }
      ASSERT_TRUE(clients.back()->Send(requests));
    }
    size_t before = 0;
    // Until the system's buffers are full, and nothing moves any more.
    EXPECT_TRUE(Eventually([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      return std::exchange(before, handler_.given.load()) == handler_.given && before > 0;
    }));
    EXPECT_LT(handler_.given, 4 * 20 * kBytes);
    EXPECT_EQ(handler_.alive, 4);
  }
  EXPECT_TRUE(Eventually([&] { return handler_.alive == 0; }));
}

// Proves that the server stops in the middle of a body.
TEST_F(BodySourceTest, StopsInTheMiddle) {
  ServerConfig config;
  config.shutdown_grace = std::chrono::milliseconds(50);
  Start(config);
  Client client(server_->port());
  ASSERT_TRUE(client.Send(FormatRequest(server_->port(), "GET", "/later-small", {}, "")));
  EXPECT_TRUE(Eventually([&] { return handler_.given > 0; }));
  server_->Stop();
  EXPECT_TRUE(Eventually([&] { return handler_.alive == 0; }));
}

}  // namespace
}  // namespace tintype::http
