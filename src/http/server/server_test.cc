#include "http/server/server.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/mutex.h"
#include "base/strings.h"
#include "base/testing/eventually.h"
#include "http/server/testing/client.h"

namespace tintype::http {
namespace {

using std::chrono::milliseconds;
using testing::Client;
using testing::FormatRequest;

// Answers at once with the request's method, target and body.
class EchoHandler : public Handler {
 public:
  void Handle(Request request, Respond respond) override {
    respond({.status = 200,
             .headers = {{"X-Echo", std::string(request.Header("x-say").value_or("nothing"))}},
             .body = StrCat(request.method, " ", request.target, " ", request.body)});
  }
};

// Keeps requests until the test answers them, from the test's thread.
class DeferringHandler : public Handler {
 public:
  void Handle(Request request, Respond respond) override {
    MutexLock lock(mutex_);
    pending_.emplace_back(std::move(request), std::move(respond));
    arrived_.SignalAll();
  }

  std::pair<Request, Respond> Next() {
    MutexLock lock(mutex_);
    while (pending_.empty()) {
      arrived_.Wait(mutex_);
    }
    auto next = std::move(pending_.front());
    pending_.erase(pending_.begin());
    return next;
  }

  size_t pending() {
    MutexLock lock(mutex_);
    return pending_.size();
  }

 private:
  Mutex mutex_;
  CondVar arrived_;
  std::vector<std::pair<Request, Respond>> pending_ GUARDED_BY(mutex_);
};

Response Text(std::string body) { return {.status = 200, .headers = {}, .body = std::move(body)}; }

std::unique_ptr<Server> StartServer(Handler& handler, ServerConfig config = {}) {
  auto server = Server::Start(std::move(config), handler);
  EXPECT_TRUE(server.ok());
  return std::move(server).value();
}

// Proves that one connection carries several requests, each answered with its own body.
TEST(ServerTest, KeepsConnectionAliveBetweenRequests) {
  EchoHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  for (const std::string body : {"one", "", "three"}) {
    const auto response = client.Call("POST", "/a?b=c", {}, body);
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->body, "POST /a?b=c " + body);
    EXPECT_FALSE(testing::Header(*response, "Connection"));
    EXPECT_TRUE(testing::Header(*response, "Date"));
  }
  EXPECT_EQ(server->stats().connections_accepted, 1U);
}

// Proves that a target may be a whole address, whose host then counts, and that what is no target
// of a server is refused.
TEST(ServerTest, UnderstandsAbsoluteTargets) {
  class HostHandler : public Handler {
   public:
    void Handle(Request request, Respond respond) override {
      respond(Text(StrCat(request.target, " ", request.HeaderList("host"))));
    }
  } handler;
  const auto server = StartServer(handler);
  const struct {
    std::string line;
    std::string body;  // Empty: refused.
  } cases[] = {
      {"GET http://a:80/b?c=http://d/ HTTP/1.1", "/b?c=http://d/ a:80"},
      {"GET HTTPS://a HTTP/1.1", "/ a"},
      {"GET http://a?b HTTP/1.1", "/?b a"},
      {"GET http://a//b HTTP/1.1", "//b a"},
      {"GET /http://a/b HTTP/1.1", "/http://a/b x"},
      {"OPTIONS * HTTP/1.1", "* x"},
      {"GET * HTTP/1.1", ""},
      {"GET a/b HTTP/1.1", ""},
      {"GET ?b HTTP/1.1", ""},
      {"GET ftp://a/b HTTP/1.1", ""},
      {"GET http:///b HTTP/1.1", ""},
      {"GET http://a@b/c HTTP/1.1", ""},
      {"CONNECT a:80 HTTP/1.1", ""},
  };
  for (const auto& test : cases) {
    Client client(server->port());
    ASSERT_TRUE(client.Send(StrCat(test.line, "\r\nHost: x\r\n\r\n"))) << test.line;
    const auto response = client.Read();
    ASSERT_TRUE(response) << test.line;
    EXPECT_EQ(response->status, test.body.empty() ? 400 : 200) << test.line;
    if (!test.body.empty()) {
      EXPECT_EQ(response->body, test.body) << test.line;
    }
  }
  Client old(server->port());
  ASSERT_TRUE(old.Send("GET http://a/b HTTP/1.0\r\n\r\n"));
  EXPECT_EQ(old.Read()->body, "/b a");
}

// Proves that a handler can tell that its client has hung up, also when that had sent more before.
TEST(ServerTest, TellsThatAClientHasGone) {
  DeferringHandler handler;
  const auto server = StartServer(handler);
  for (const std::string more : {"", "GET /2 HTTP/1.1\r\nHost: x\r\n\r\n"}) {
    auto client = std::make_unique<Client>(server->port());
    ASSERT_TRUE(client->Send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\n"));
    auto [request, respond] = handler.Next();
    ASSERT_NE(request.client, nullptr);
    EXPECT_FALSE(request.client->IsGone());
    ASSERT_TRUE(client->Send(more));
    EXPECT_FALSE(request.client->IsGone());
    client.reset();
    EXPECT_TRUE(Eventually([&gone = *request.client] { return gone.IsGone(); }));
    respond(Text("late"));
    EXPECT_TRUE(Eventually([&] {
      // The second request may be handled before it turns out that nobody reads.
      if (handler.pending() > 0) {
        handler.Next().second(Text("later"));
      }
      return server->stats().connections_open == 0;
    }));
    EXPECT_TRUE(request.client->IsGone());
  }
}

// Proves that requests sent in one packet are all answered, in their order.
TEST(ServerTest, AnswersPipelinedRequestsInOrder) {
  EchoHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  std::string requests;
  for (int i = 0; i < 500; ++i) {
    requests += FormatRequest(server->port(), "POST", StrCat("/", i), {}, std::string(100, 'x'));
  }
  ASSERT_TRUE(client.Send(requests));
  for (int i = 0; i < 500; ++i) {
    const auto response = client.Read();
    ASSERT_TRUE(response) << i;
    EXPECT_EQ(response->body, StrCat("POST /", i, " ", std::string(100, 'x')));
  }
}

// Proves that pipelined requests keep their order when they are answered later from another thread,
// and that the second is not handled before the first is answered.
TEST(ServerTest, HandlesPipelinedRequestsOneAfterAnother) {
  DeferringHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  ASSERT_TRUE(client.Send(FormatRequest(server->port(), "GET", "/1", {}, "") +
                          FormatRequest(server->port(), "GET", "/2", {}, "")));
  auto [first, respond_first] = handler.Next();
  EXPECT_EQ(first.target, "/1");
  EXPECT_EQ(handler.pending(), 0U);
  respond_first(Text("first"));
  EXPECT_EQ(client.Read()->body, "first");
  auto [second, respond_second] = handler.Next();
  EXPECT_EQ(second.target, "/2");
  respond_second(Text("second"));
  EXPECT_EQ(client.Read()->body, "second");
}

// Proves that an answer which is ready is sent although the next request still waits for its own.
TEST(ServerTest, SendsReadyAnswersWhileALaterRequestWaits) {
  class MixedHandler : public DeferringHandler {
   public:
    void Handle(Request request, Respond respond) override {
      if (request.target == "/now") {
        respond(Text("now"));
      } else {
        DeferringHandler::Handle(std::move(request), std::move(respond));
      }
    }
  } handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  ASSERT_TRUE(client.Send(FormatRequest(server->port(), "GET", "/now", {}, "") +
                          FormatRequest(server->port(), "GET", "/later", {}, "")));
  EXPECT_EQ(client.Read()->body, "now");
  handler.Next().second(Text("later"));
  EXPECT_EQ(client.Read()->body, "later");
}

// Proves that it does not matter how the bytes of a request are cut into packets.
TEST(ServerTest, AcceptsRequestsInPieces) {
  EchoHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  // With the empty line that some clients send after a body.
  const std::string plain = "\r\n" + FormatRequest(server->port(), "POST", "/plain", {}, "hello");
  const std::string chunked =
      "POST /chunked HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
      "3\r\nhel\r\n2;name=value\r\nlo\r\n0\r\nX-Trailer: t\r\n\r\n";
  for (int round = 0; round < 2; ++round) {
    for (const char c : plain) {
      ASSERT_TRUE(client.Send({&c, 1}));
    }
    EXPECT_EQ(client.Read()->body, "POST /plain hello");
    for (const char c : chunked) {
      ASSERT_TRUE(client.Send({&c, 1}));
    }
    EXPECT_EQ(client.Read()->body, "POST /chunked hello");
  }
}

// Proves that fields after a chunked body do not become headers of the request.
TEST(ServerTest, IgnoresTrailers) {
  EchoHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  ASSERT_TRUE(
      client.Send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                  "0\r\nX-Say: forged\r\n\r\n"));
  const auto response = client.Read();
  ASSERT_TRUE(response);
  EXPECT_EQ(testing::Header(*response, "X-Echo"), "nothing");
}

// Proves that HEAD gets the header of GET and no body, and that the connection goes on.
TEST(ServerTest, AnswersHeadWithoutBody) {
  EchoHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  const auto head = client.Call("HEAD", "/");
  ASSERT_TRUE(head);
  EXPECT_EQ(testing::Header(*head, "Content-Length"), "7");
  EXPECT_EQ(client.Call("GET", "/")->body, "GET / ");
}

// Proves that the connection ends when the client wants it to, or speaks HTTP/1.0.
TEST(ServerTest, ClosesWhenAsked) {
  EchoHandler handler;
  const auto server = StartServer(handler);
  const std::vector<std::string> requests = {
      "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      "GET / HTTP/1.0\r\n\r\n",
      "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
  };
  for (const std::string& request : requests) {
    Client client(server->port());
    ASSERT_TRUE(client.Send(request));
    const auto response = client.Read();
    ASSERT_TRUE(response) << request;
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(testing::Header(*response, "Connection"), "close");
    EXPECT_TRUE(client.ReadEnd()) << request;
  }
}

// Proves that a client which waits for permission to send its body gets it, and that one which does
// not wait is not confused by it.
TEST(ServerTest, AnswersExpectContinue) {
  EchoHandler handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  const std::string head =
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n";
  for (int round = 0; round < 2; ++round) {
    ASSERT_TRUE(client.Send(head));
    ASSERT_EQ(client.Read()->status, 100);
    ASSERT_TRUE(client.Send("body"));
    EXPECT_EQ(client.Read()->body, "POST / body");
  }
  ASSERT_TRUE(client.Send(head + "fast"));
  EXPECT_EQ(client.Read()->body, "POST / fast");
}

struct RefusedCase {
  std::string name;
  std::string request;
  int status = 400;
};

// Proves that whatever another server might read differently, or is not HTTP, is refused, and that
// the connection ends so that the rest is not taken for another request.
TEST(ServerTest, RefusesMalformedRequests) {
  EchoHandler handler;
  const auto server = StartServer(handler);
  const std::string smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
  const std::vector<RefusedCase> cases = {
      {"not HTTP", "hello\r\n\r\n"},
      {"no host", "GET / HTTP/1.1\r\n\r\n"},
      {"two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"},
      {"unknown version", "GET / HTTP/2.0\r\nHost: x\r\n\r\n"},
      {"length and encoding",
       "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
       "0\r\n\r\n"},
      {"encoding and length",
       "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n"
       "0\r\n\r\n"},
      {"unknown encoding",
       "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n" + smuggled},
      {"encoding that ends in chunked",
       "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n" + smuggled},
      {"encoding in HTTP/1.0",
       "POST / HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"},
      {"two lengths",
       "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na"},
      {"repeated length",
       "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na"},
      {"list of lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1, 1\r\n\r\na"},
      {"negative length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"},
      {"signed length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: +1\r\n\r\na"},
      {"folded line", "GET / HTTP/1.1\r\nHost: x\r\nX-Say: a\r\n b\r\n\r\n"},
      {"folded empty line", "GET / HTTP/1.1\r\nHost: x\r\nX-Say:\r\n b\r\n\r\n"},
      {"space before colon", "GET / HTTP/1.1\r\nHost: x\r\nX-Say : a\r\n\r\n"},
      {"line feed alone", "GET / HTTP/1.1\nHost: x\n\n\r\n\r\n"},
      {"carriage return in a value", "GET / HTTP/1.1\r\nHost: x\r\nX-Say: a\rb\r\n\r\n"},
      {"zero byte in a value",
       std::string("GET / HTTP/1.1\r\nHost: x\r\nX-Say: a") + '\0' + "\r\n\r\n"},
      {"bad chunk size",
       "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n\r\n"},
      {"chunk without its end",
       "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n"},
      {"unknown expectation", "POST / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n", 417},
  };
  for (const RefusedCase& refused : cases) {
    Client client(server->port());
    ASSERT_TRUE(client.Send(refused.request));
    const auto response = client.Read();
    ASSERT_TRUE(response) << refused.name;
    EXPECT_EQ(response->status, refused.status) << refused.name;
    EXPECT_EQ(testing::Header(*response, "Connection"), "close") << refused.name;
    EXPECT_TRUE(client.ReadEnd()) << refused.name;
  }
}

// Proves that a header over the limit is refused, sent at once or field by field.
TEST(ServerTest, LimitsHeader) {
  EchoHandler handler;
  const auto server = StartServer(handler, {.threads = 1, .header_bytes_max = 4096});
  {
    Client client(server->port());
    ASSERT_TRUE(client.Send("GET / HTTP/1.1\r\nHost: x\r\nX-Say: " + std::string(5000, 'a')));
    EXPECT_EQ(client.Read()->status, 431);
    EXPECT_TRUE(client.ReadEnd());
  }
  {
    Client client(server->port());
    ASSERT_TRUE(client.Send("GET / HTTP/1.1\r\nHost: x\r\n"));
    for (int i = 0; i < 50; ++i) {
      ASSERT_TRUE(client.Send(StrCat("X-", i, ": ", std::string(100, 'a'), "\r\n")));
    }
    EXPECT_EQ(client.Read()->status, 431);
  }
  {
    Client client(server->port());
    const auto response = client.Call("GET", "/", {{"X-Say", std::string(3900, 'a')}});
    EXPECT_EQ(response->status, 200);
  }
}

// Proves that what stands around the pieces of a chunked body is limited as a header is.
TEST(ServerTest, LimitsChunkHeadersAndTrailers) {
  EchoHandler handler;
  const auto server = StartServer(handler, {.threads = 1, .header_bytes_max = 4096});
  for (const std::string start : {"", "3;a=", "0\r\nX-Trailer: "}) {
    Client client(server->port());
    ASSERT_TRUE(client.Send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n" +
                            start + std::string(100'000, '0')));
    const auto response = client.Read();
    ASSERT_TRUE(response) << start;
    EXPECT_EQ(response->status, 431) << start;
    EXPECT_TRUE(client.ReadEnd()) << start;
  }
}

// Proves that a body over the limit gets 413 although the client sends all of it before it reads,
// and that a body of exactly the limit is accepted.
TEST(ServerTest, LimitsBody) {
  EchoHandler handler;
  constexpr size_t kLimit = 1024 * 1024;
  const auto server = StartServer(handler, {.threads = 1, .body_bytes_max = kLimit});
  {
    Client client(server->port());
    const auto response = client.Call("POST", "/", {}, std::string(kLimit, 'a'));
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(response->body.size(), kLimit + 7);
  }
  {
    Client client(server->port());
    const auto response = client.Call("POST", "/", {}, std::string(8 * kLimit, 'a'));
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 413);
    EXPECT_EQ(testing::Header(*response, "Connection"), "close");
  }
  {
    Client client(server->port());
    std::string chunked = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (int i = 0; i < 17; ++i) {
      StrAppend(chunked, "10000\r\n", std::string(0x10000, 'a'), "\r\n");
    }
    ASSERT_TRUE(client.Send(chunked + "0\r\n\r\n"));
    EXPECT_EQ(client.Read()->status, 413);
  }
  {
    // The client asked first: it is told before it sends.
    Client client(server->port());
    ASSERT_TRUE(client.Send(StrCat("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n",
                                   "Content-Length: ", kLimit + 1, "\r\n\r\n")));
    EXPECT_EQ(client.Read()->status, 413);
  }
}

// Proves that large bodies of all connections together are bounded, and that the budget comes back
// when a request is answered.
TEST(ServerTest, LimitsBodiesInFlight) {
  DeferringHandler handler;
  constexpr size_t kBody = 256 * 1024;
  const auto server =
      StartServer(handler, {.threads = 1, .body_bytes_in_flight_max = kBody * 3 / 2});
  const std::string large = FormatRequest(server->port(), "POST", "/", {}, std::string(kBody, 'a'));
  for (int round = 0; round < 2; ++round) {
    Client first(server->port());
    ASSERT_TRUE(first.Send(large));
    auto [request, respond] = handler.Next();
    {
      Client second(server->port());
      ASSERT_TRUE(second.Send(large));
      EXPECT_EQ(second.Read()->status, 503);
    }
    respond(Text("done"));
    EXPECT_EQ(first.Read()->status, 200);
  }
}

// Proves that connections over the limit are told so, and that there is room again when one ends.
TEST(ServerTest, LimitsConnections) {
  EchoHandler handler;
  const auto server = StartServer(handler, {.connections_max = 2});
  Client first(server->port());
  auto second = std::make_unique<Client>(server->port());
  ASSERT_EQ(first.Call("GET", "/")->status, 200);
  ASSERT_EQ(second->Call("GET", "/")->status, 200);
  {
    Client third(server->port());
    const auto response = third.Call("GET", "/");
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 503);
    EXPECT_TRUE(third.ReadEnd());
  }
  EXPECT_EQ(server->stats().connections_refused, 1U);
  second.reset();
  int status = 503;
  while (status == 503) {
    Client again(server->port());
    status = again.Call("GET", "/")->status;
  }
  EXPECT_EQ(status, 200);
}

ServerConfig ShortTimeouts() {
  return {.threads = 1,
          .header_timeout = milliseconds(60),
          .body_timeout = milliseconds(60),
          .idle_timeout = milliseconds(60)};
}

// Proves that a client which sends its header or body too slowly is told so and dropped, and that
// one which sends nothing is dropped.
TEST(ServerTest, TimesOutSlowClients) {
  EchoHandler handler;
  const auto server = StartServer(handler, ShortTimeouts());
  {
    Client silent(server->port());
    EXPECT_TRUE(silent.ReadEnd());
  }
  {
    Client slow_header(server->port());
    ASSERT_TRUE(slow_header.Send("GET / HTTP/1.1\r\nHost"));
    EXPECT_EQ(slow_header.Read()->status, 408);
    EXPECT_TRUE(slow_header.ReadEnd());
  }
  {
    Client slow_body(server->port());
    ASSERT_TRUE(slow_body.Send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab"));
    EXPECT_EQ(slow_body.Read()->status, 408);
    EXPECT_TRUE(slow_body.ReadEnd());
  }
  {
    Client idle(server->port());
    EXPECT_EQ(idle.Call("GET", "/")->status, 200);
    EXPECT_TRUE(idle.ReadEnd());
  }
}

// Proves that a client which sends its header byte by byte cannot stretch the time for it.
TEST(ServerTest, DoesNotExtendHeaderTimeoutByBytes) {
  EchoHandler handler;
  ServerConfig config = ShortTimeouts();
  config.header_bytes_max = 64 * 1024 * 1024;
  const auto server = StartServer(handler, config);
  Client client(server->port());
  ASSERT_TRUE(client.Send("GET / HTTP/1.1\r\nX-Slow: "));
  const auto begin = std::chrono::steady_clock::now();
  while (client.Send("a") && std::chrono::steady_clock::now() - begin < std::chrono::seconds(5)) {
    std::this_thread::yield();
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

// Proves that time-outs do not run while the handler is at work.
TEST(ServerTest, DoesNotTimeOutWhileHandling) {
  DeferringHandler handler;
  const auto server = StartServer(handler, ShortTimeouts());
  Client client(server->port());
  ASSERT_TRUE(client.Send(FormatRequest(server->port(), "GET", "/", {}, "")));
  auto [request, respond] = handler.Next();
  // Another connection being timed out after it shows that the time has passed.
  Client silent(server->port());
  ASSERT_TRUE(silent.ReadEnd());
  Client silent_again(server->port());
  ASSERT_TRUE(silent_again.ReadEnd());
  respond(Text("late"));
  EXPECT_EQ(client.Read()->body, "late");
}

// Proves that answers larger than the socket's buffers arrive whole when the client reads late.
TEST(ServerTest, WritesLargeAnswersToSlowReaders) {
  class LargeHandler : public Handler {
   public:
    void Handle(Request request, Respond respond) override {
      respond(Text(std::string(8 * 1024 * 1024, request.target[1])));
    }
  } handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  ASSERT_TRUE(client.Send(FormatRequest(server->port(), "GET", "/a", {}, "") +
                          FormatRequest(server->port(), "GET", "/b", {}, "")));
  EXPECT_EQ(client.Read()->body, std::string(8 * 1024 * 1024, 'a'));
  EXPECT_EQ(client.Read()->body, std::string(8 * 1024 * 1024, 'b'));
}

// Proves that a client which never reads is given up: the server stops within its grace although
// the answer cannot be written.
TEST(ServerTest, GivesUpOnClientsThatDoNotRead) {
  class LargeHandler : public Handler {
   public:
    void Handle(Request /*request*/, Respond respond) override {
      respond(Text(std::string(64 * 1024 * 1024, 'a')));
    }
  } handler;
  const auto server = StartServer(handler, {.threads = 1, .write_timeout = milliseconds(50)});
  Client client(server->port());
  ASSERT_TRUE(client.Send(FormatRequest(server->port(), "GET", "/", {}, "")));
  while (server->stats().connections_open == 0) {
    std::this_thread::yield();
  }
  while (server->stats().connections_open > 0) {
    std::this_thread::yield();
  }
}

// Proves that a handler which drops its callback does not leave the client waiting.
TEST(ServerTest, AnswersWhenHandlerDropsTheCallback) {
  class DroppingHandler : public Handler {
   public:
    void Handle(Request /*request*/, Respond /*respond*/) override {}
  } handler;
  const auto server = StartServer(handler);
  Client client(server->port());
  EXPECT_EQ(client.Call("GET", "/")->status, 500);
  EXPECT_EQ(client.Call("GET", "/")->status, 500);
}

// Proves that a response which comes after its client has gone, or after the server has, is safe.
TEST(ServerTest, DropsAnswersThatNobodyWaitsFor) {
  DeferringHandler handler;
  auto server = StartServer(handler, {.shutdown_grace = milliseconds(20)});
  {
    Client client(server->port());
    ASSERT_TRUE(client.Send(FormatRequest(server->port(), "GET", "/", {}, "")));
    auto [request, respond] = handler.Next();
    Respond kept = std::move(respond);
    client.FinishSending();
    kept(Text("to a client that is leaving"));
  }
  Client client(server->port());
  ASSERT_TRUE(client.Send(FormatRequest(server->port(), "GET", "/", {}, "")));
  auto [request, respond] = handler.Next();
  server->Stop();
  EXPECT_TRUE(client.ReadEnd());
  server.reset();
  respond(Text("to nobody"));
}

// Proves that Stop answers what is in progress, closes what is idle and accepts nothing new.
TEST(ServerTest, StopFinishesRequestsInProgress) {
  DeferringHandler handler;
  const auto server = StartServer(handler);
  Client idle(server->port());
  Client busy(server->port());
  ASSERT_TRUE(busy.Send(FormatRequest(server->port(), "GET", "/", {}, "")));
  auto [request, respond] = handler.Next();
  std::thread stopper([&] { server->Stop(); });
  EXPECT_TRUE(idle.ReadEnd());
  respond(Text("finished"));
  const auto response = busy.Read();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->body, "finished");
  EXPECT_EQ(testing::Header(*response, "Connection"), "close");
  EXPECT_TRUE(busy.ReadEnd());
  stopper.join();
  Client late(server->port());
  EXPECT_FALSE(late.connected());
  server->Stop();
}

// Proves that many connections at once, answered from another thread, each get their own answers.
TEST(ServerTest, ServesManyConnectionsFromAnotherThread) {
  DeferringHandler handler;
  const auto server = StartServer(handler, {.threads = 2});
  constexpr int kClients = 8;
  constexpr int kRequests = 200;
  std::thread worker([&] {
    for (int i = 0; i < kClients * kRequests; ++i) {
      auto [request, respond] = handler.Next();
      respond(Text(request.target));
    }
  });
  std::vector<std::thread> clients;
  clients.reserve(kClients);
  for (int c = 0; c < kClients; ++c) {
    clients.emplace_back([&server, c] {
      Client client(server->port());
      for (int i = 0; i < kRequests; ++i) {
        const auto response = client.Call("GET", StrCat("/", c, "/", i));
        ASSERT_TRUE(response);
        EXPECT_EQ(response->body, StrCat("/", c, "/", i));
      }
    });
  }
  for (std::thread& client : clients) {
    client.join();
  }
  worker.join();
}

// Proves that an address that cannot be used is an error that names it.
TEST(ServerTest, ReportsAddressInUse) {
  EchoHandler handler;
  const auto server = StartServer(handler);
  const auto second = Server::Start({.port = server->port()}, handler);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().kind(), ErrorKind::kIo);
  EXPECT_NE(second.error().message().find(StrCat("127.0.0.1:", server->port())), std::string::npos);
  EXPECT_FALSE(Server::Start({.address = "no such host"}, handler).ok());
}

}  // namespace
}  // namespace tintype::http
