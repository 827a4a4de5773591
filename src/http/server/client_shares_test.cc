#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/strings.h"
#include "http/server/internal/client_shares.h"
#include "http/server/server.h"
#include "http/server/testing/client.h"

namespace tintype::http {
namespace {

using internal::ClientShares;
using testing::Client;
using testing::FormatRequest;
using testing::ReadResponse;

constexpr size_t kMegabyte = 1024 * 1024;

IpAddress Ip(std::string_view text) { return *IpAddress::Parse(text); }

// Answers with where the request came from.
class OriginHandler : public Handler {
 public:
  void Handle(Request request, Respond respond) override {
    respond({.status = 200,
             .headers = {},
             .body = StrCat(request.address, request.https ? " https" : " http")});
  }
};

std::unique_ptr<Server> StartServer(Handler& handler, ServerConfig config) {
  auto server = Server::Start(std::move(config), handler);
  EXPECT_TRUE(server.ok());
  return std::move(server).value();
}

// A connection from another address of this machine than the usual one.
class OtherClient {
 public:
  OtherClient(uint16_t port, const char* from) : port_(port) {
    sockaddr_in own{};
    own.sin_family = AF_INET;
    ::inet_pton(AF_INET, from, &own.sin_addr);
    sockaddr_in server{};
    server.sin_family = AF_INET;
    server.sin_port = htons(port);
    server.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(::bind(socket_, reinterpret_cast<const sockaddr*>(&own), sizeof own), 0);
    EXPECT_EQ(::connect(socket_, reinterpret_cast<const sockaddr*>(&server), sizeof server), 0);
  }
  ~OtherClient() { ::close(socket_); }
  OtherClient(const OtherClient&) = delete;
  OtherClient& operator=(const OtherClient&) = delete;

  std::optional<Response> Call(const Headers& headers = {}) {
    const std::string request = FormatRequest(port_, "GET", "/", headers, "");
    EXPECT_EQ(::send(socket_, request.data(), request.size(), MSG_NOSIGNAL),
              static_cast<ssize_t>(request.size()));
    std::string received;
    return ReadResponse(received, [this](char* buffer, size_t size) {
      return static_cast<size_t>(std::max<ssize_t>(0, ::recv(socket_, buffer, size, 0)));
    });
  }

 private:
  const uint16_t port_;
  const int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
};

// Proves that an IPv6 subscriber is one client whatever address of the network it uses, and IPv4
// addresses are each their own.
TEST(ClientSharesTest, CountsByAddressOrNetwork) {
  ServerConfig config;
  config.client_limits.connections_max = 2;
  ClientShares shares(config);
  EXPECT_TRUE(shares.AddConnection(Ip("2001:db8:0:1::1")));
  EXPECT_TRUE(shares.AddConnection(Ip("2001:db8:0:1:ffff::2")));
  EXPECT_FALSE(shares.AddConnection(Ip("2001:db8:0:1::3")));
  EXPECT_TRUE(shares.AddConnection(Ip("2001:db8:0:2::1")));
  EXPECT_TRUE(shares.AddConnection(Ip("192.0.2.1")));
  EXPECT_TRUE(shares.AddConnection(Ip("::ffff:192.0.2.1")));
  EXPECT_FALSE(shares.AddConnection(Ip("192.0.2.1")));
  EXPECT_TRUE(shares.AddConnection(Ip("192.0.2.2")));
  shares.RemoveConnection(Ip("2001:db8:0:1::1"));
  EXPECT_TRUE(shares.AddConnection(Ip("2001:db8:0:1::4")));
  EXPECT_EQ(shares.connections_refused(), 2U);
}

// Proves that this machine has limits of its own, and trusted proxies none.
TEST(ClientSharesTest, LoopbackAndProxiesHaveOtherLimits) {
  ServerConfig config;
  config.client_limits = {1, kMegabyte};
  config.loopback_limits = {2, 2 * kMegabyte};
  config.proxies.networks = {*IpNetwork::Parse("10.0.0.0/8")};
  ClientShares shares(config);
  EXPECT_TRUE(shares.AddConnection(Ip("127.0.0.1")));
  EXPECT_TRUE(shares.AddConnection(Ip("127.0.0.1")));
  EXPECT_FALSE(shares.AddConnection(Ip("127.0.0.1")));
  for (int i = 0; i < 10; ++i) {
    EXPECT_TRUE(shares.AddConnection(Ip("10.0.0.1")));
    EXPECT_TRUE(shares.AddBody(Ip("10.0.0.1"), kMegabyte));
  }
  EXPECT_TRUE(shares.AddBody(Ip("192.0.2.1"), kMegabyte));
  EXPECT_FALSE(shares.AddBody(Ip("192.0.2.1"), 1));
  EXPECT_TRUE(shares.AddBody(Ip("127.0.0.1"), kMegabyte));
  EXPECT_TRUE(shares.AddBody(Ip("127.0.0.1"), kMegabyte));
  EXPECT_FALSE(shares.AddBody(Ip("127.0.0.1"), 1));
  shares.RemoveBody(Ip("192.0.2.1"), 1);
  shares.RemoveBody(Ip("192.0.2.1"), kMegabyte);
  // A body that is larger than its share is taken while it is the only one.
  EXPECT_TRUE(shares.AddBody(Ip("192.0.2.1"), 3 * kMegabyte));
  EXPECT_EQ(shares.bodies_refused(), 2U);
}

// Proves that a client with as many idle connections as it may have is told so, that others get in,
// and that a place that it gives up is its own again.
TEST(ClientSharesTest, OneClientCannotHaveAllConnections) {
  OriginHandler handler;
  ServerConfig config{.threads = 2};
  config.connections_max = 20;
  config.loopback_limits.connections_max = 10;
  const auto server = StartServer(handler, config);
  std::vector<std::unique_ptr<Client>> idle;
  for (int i = 0; i < 10; ++i) {
    idle.push_back(std::make_unique<Client>(server->port()));
    ASSERT_EQ(idle.back()->Call("GET", "/")->status, 200);
  }
  Client one_more(server->port());
  const auto refused = one_more.Call("GET", "/");
  ASSERT_TRUE(refused);
  EXPECT_EQ(refused->status, 503);
  EXPECT_NE(refused->body.find("your address"), std::string::npos) << refused->body;
  EXPECT_TRUE(testing::Header(*refused, "Retry-After"));
  EXPECT_EQ(OtherClient(server->port(), "127.0.0.2").Call()->body, "127.0.0.2 http");
  EXPECT_EQ(server->stats().client_connections_refused, 1U);
  EXPECT_EQ(server->stats().connections_refused, 1U);

  idle.pop_back();
  while (server->stats().connections_open >= 10) {
    std::this_thread::yield();
  }
  EXPECT_EQ(Client(server->port()).Call("GET", "/")->status, 200);
}

// Proves that half-read bodies of one client are kept to its share, and that this leaves others
// theirs; what was refused counts no more.
TEST(ClientSharesTest, OneClientCannotHaveAllMemoryForBodies) {
  OriginHandler handler;
  ServerConfig config{.threads = 1};
  config.body_bytes_in_flight_max = 16 * kMegabyte;
  config.loopback_limits.body_bytes_max = 4 * kMegabyte;
  const auto server = StartServer(handler, config);
  // The whole of a body but its last byte; two of them fit.
  const std::string body(2 * kMegabyte, 'a');
  const std::string unfinished = FormatRequest(server->port(), "POST", "/", {}, body);
  std::vector<std::unique_ptr<Client>> clients;
  for (int i = 0; i < 3; ++i) {
    clients.push_back(std::make_unique<Client>(server->port()));
    clients.back()->Send(std::string_view(unfinished).substr(0, unfinished.size() - 1));
  }
  // Whichever came to its limit first: at least one was refused, at least one can be finished.
  while (server->stats().client_bodies_refused == 0) {
    std::this_thread::yield();
  }
  int served = 0;
  for (const auto& client : clients) {
    client->Send("a");
    const auto answer = client->Read();
    ASSERT_TRUE(answer);
    EXPECT_TRUE(answer->status == 200 || answer->status == 503);
    served += answer->status == 200 ? 1 : 0;
  }
  EXPECT_GE(served, 1);
  EXPECT_LE(served, 2);
  Client again(server->port());
  EXPECT_EQ(again.Call("POST", "/", {}, body)->status, 200);
}

// Proves that handlers see the address that a trusted proxy names, and not what a stranger claims.
TEST(ClientSharesTest, RequestsHaveTheirClientsAddress) {
  OriginHandler handler;
  const Headers claim = {{"X-Forwarded-For", "192.0.2.7, 127.0.0.9"},
                         {"X-Forwarded-Proto", "https"}};
  const auto plain = StartServer(handler, {.threads = 1});
  EXPECT_EQ(Client(plain->port()).Call("GET", "/", claim)->body, "127.0.0.1 http");

  ServerConfig config{.threads = 1};
  config.proxies.networks = {*IpNetwork::Parse("127.0.0.1"), *IpNetwork::Parse("127.0.0.9")};
  const auto behind = StartServer(handler, config);
  EXPECT_EQ(Client(behind->port()).Call("GET", "/", claim)->body, "192.0.2.7 https");
  EXPECT_EQ(Client(behind->port()).Call("POST", "/", claim, "body")->body, "192.0.2.7 https");
  EXPECT_EQ(OtherClient(behind->port(), "127.0.0.2").Call(claim)->body, "127.0.0.2 http");
}

}  // namespace
}  // namespace tintype::http
