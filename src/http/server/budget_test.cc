#include <gtest/gtest.h>
#include <malloc.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ctime>
#include <thread>
#include <vector>

#include "base/strings.h"
#include "http/server/server.h"
#include "http/server/testing/client.h"

namespace tintype::http {
namespace {

using std::chrono::milliseconds;
using testing::Client;
using testing::FormatRequest;

constexpr size_t kMegabyte = 1024 * 1024;
// More than the operating system takes off the server's hands.
constexpr size_t kLargeBytes = 32 * kMegabyte;

// Answers `/large` with kLargeBytes, and anything else with a few.
class SizedHandler : public Handler {
 public:
  void Handle(Request request, Respond respond) override {
    const size_t size = request.target == "/large" ? kLargeBytes : 100;
    respond({.status = 200, .headers = {}, .body = std::string(size, 'a')});
  }
};

std::unique_ptr<Server> StartServer(Handler& handler, ServerConfig config) {
  auto server = Server::Start(std::move(config), handler);
  EXPECT_TRUE(server.ok());
  return std::move(server).value();
}

// Clients that ask for a large answer and do not read it.
std::vector<std::unique_ptr<Client>> Unread(const Server& server, size_t count) {
  std::vector<std::unique_ptr<Client>> clients;
  for (size_t i = 0; i < count; ++i) {
    clients.push_back(std::make_unique<Client>(server.port()));
    EXPECT_TRUE(clients.back()->Send(FormatRequest(server.port(), "GET", "/large", {}, "")));
  }
  return clients;
}

void WaitForUnread(const Server& server, size_t bytes_min) {
  while (server.stats().unread_answer_bytes < bytes_min) {
    std::this_thread::yield();
  }
}

// Proves that unread answers stay within their budget however many clients leave them unread, that
// a further large one is refused, and that small ones go out.
TEST(BudgetTest, RefusesLargeAnswersWhenTooManyAreUnread) {
  SizedHandler handler;
  const auto server = StartServer(handler, {.threads = 2,
                                            .unread_answer_bytes_max = 2 * kLargeBytes,
                                            .unread_answer_patience = std::chrono::minutes(1)});
  const auto unread = Unread(*server, 2);
  WaitForUnread(*server, kLargeBytes);
  const auto more = Unread(*server, 5);
  Client client(server->port());
  int refused = 0;
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(client.Call("GET", "/small")->status, 200);
    refused += client.Call("GET", "/large")->status == 503 ? 1 : 0;
    ASSERT_LE(server->stats().unread_answer_bytes, 2 * kLargeBytes);
  }
  EXPECT_EQ(refused, 10);
}

// Proves that clients which do not read are given up when others need the room, but not before.
TEST(BudgetTest, GivesUpClientsThatDoNotReadWhenRoomIsShort) {
  SizedHandler handler;
  const auto server = StartServer(handler, {.threads = 2,
                                            .unread_answer_bytes_max = 2 * kLargeBytes,
                                            .unread_answer_patience = milliseconds(50)});
  const auto unread = Unread(*server, 2);
  WaitForUnread(*server, kLargeBytes);
  Client client(server->port());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  int status = 503;
  while (status == 503 && std::chrono::steady_clock::now() < deadline) {
    status = client.Call("GET", "/large")->status;
  }
  EXPECT_EQ(status, 200);
  // One had to go. The other has not been in the way.
  EXPECT_FALSE(unread[0]->Read() && unread[1]->Read());
}

// Proves that an answer larger than the whole budget goes out when no other waits, and that all of
// the budget comes back.
TEST(BudgetTest, AllowsOneAnswerOfAnySize) {
  SizedHandler handler;
  const auto server = StartServer(handler, {.threads = 1, .unread_answer_bytes_max = kMegabyte});
  for (int i = 0; i < 3; ++i) {
    Client client(server->port());
    EXPECT_EQ(client.Call("GET", "/large")->body.size(), kLargeBytes);
  }
  {
    const auto unread = Unread(*server, 1);
    WaitForUnread(*server, kMegabyte);
  }
  while (server->stats().unread_answer_bytes > 0) {
    std::this_thread::yield();
  }
}

// Proves that a connection costs little while it is idle, also after large requests and answers.
TEST(BudgetTest, IdleConnectionsAreSmall) {
  class EchoHandler : public Handler {
   public:
    void Handle(Request request, Respond respond) override {
      respond({.status = 200, .headers = {}, .body = std::move(request.body)});
    }
  } handler;
  const auto server = StartServer(handler, {.threads = 1});
  constexpr size_t kConnections = 200;
  std::vector<std::unique_ptr<Client>> clients(kConnections);
  const auto use = [&](Client& client) {
    const auto large =
        client.Call("POST", "/", {{"X-Filler", std::string(8000, 'x')}}, std::string(300'000, 'b'));
    EXPECT_EQ(large->status, 200);
    // Half of a header first, which needs a buffer for a while.
    EXPECT_TRUE(client.Send("GET / HTTP/1.1\r\nHo"));
    EXPECT_TRUE(client.Send("st: x\r\n\r\n"));
    EXPECT_EQ(client.Read()->status, 200);
  };
  {
    Client first(server->port());
    use(first);  // Anything shared is there before we count.
  }
  const size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
  if (before == 0) {
    GTEST_SKIP() << "This allocator does not tell what is in use.";
  }
  for (auto& client : clients) {
    client = std::make_unique<Client>(server->port());
    use(*client);
  }
  const size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
  const size_t each = (after - before) / kConnections;
  EXPECT_LT(each, 8U * 1024);
}

// Proves that a process which is out of file descriptors does not spin, and serves those who waited
// once there are some.
TEST(BudgetTest, WaitsWhenOutOfFileDescriptors) {
  SizedHandler handler;
  const auto server = StartServer(handler, {.threads = 1});
  // The sockets are made first: connecting then takes none of what is left.
  std::vector<int> sockets;
  sockets.reserve(4);
  for (int i = 0; i < 4; ++i) {
    sockets.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  }
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  rlimit low = limit;
  low.rlim_cur = static_cast<rlim_t>(sockets.back()) + 1;
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &low), 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server->port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (const int fd : sockets) {
    ASSERT_EQ(::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const std::string request = FormatRequest(server->port(), "GET", "/", {}, "");
    ASSERT_EQ(::send(fd, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
  }
  const std::clock_t cpu = std::clock();
  char byte = 0;
  const timeval wait{.tv_sec = 0, .tv_usec = 500'000};
  ::setsockopt(sockets[0], SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
  EXPECT_EQ(::recv(sockets[0], &byte, 1, 0),
            -1);  // Half a second in which nothing can be accepted.
  EXPECT_LT(std::clock() - cpu, CLOCKS_PER_SEC / 10);
  EXPECT_EQ(server->stats().connections_accepted, 0U);

  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &limit), 0);
  const timeval long_wait{.tv_sec = 10, .tv_usec = 0};
  for (const int fd : sockets) {
    ::setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &long_wait, sizeof long_wait);
    EXPECT_EQ(::recv(fd, &byte, 1, 0), 1);
    ::close(fd);
  }
}

}  // namespace
}  // namespace tintype::http
