#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

#include "base/strings.h"
#include "base/testing/eventually.h"
#include "base/testing/temporary_directory.h"
#include "http/server/server.h"
#include "http/server/testing/client.h"
#include "http/server/testing/streaming_handler.h"
#include "http/server/testing/tls.h"

namespace tintype::http {
namespace {

using std::chrono::milliseconds;
using testing::Client;
using testing::FormatRequest;
using testing::kPeriod;
using testing::kPieceBytesMax;
using testing::Next;
using testing::Pattern;
using testing::StreamingHandler;
using testing::TlsClient;

constexpr size_t kKilobyte = 1024;
constexpr size_t kMegabyte = 1024 * kKilobyte;

std::string Chunked(std::string_view target, std::string_view body, size_t chunk_bytes,
                    std::string_view trailers = "") {
  std::string text =
      StrCat("POST ", target, " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (; !body.empty(); body.remove_prefix(std::min(chunk_bytes, body.size()))) {
    const std::string_view chunk = body.substr(0, chunk_bytes);
    std::array<char, 20> size;
    std::snprintf(size.data(), size.size(), "%zx", chunk.size());
    StrAppend(text, size.data(), ";name=value\r\n", chunk, "\r\n");
  }
  return StrCat(text, "0\r\n", trailers, "\r\n");
}

class StreamingTest : public ::testing::Test {
 protected:
  void Start(ServerConfig config = {}) {
    auto started = Server::Start(std::move(config), handler_);
    ASSERT_TRUE(started.ok()) << started.error().message();
    server_ = *std::move(started);
  }
  uint16_t port() const { return server_->port(); }
  std::string Post(std::string_view target, std::string_view body) {
    return FormatRequest(port(), "POST", target, {}, body);
  }
  // The head of a request with so large a body, which asks before it sends that.
  static std::string Asking(std::string_view target, size_t bytes) {
    return StrCat("POST ", target, " HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n",
                  "Content-Length: ", bytes, "\r\n\r\n");
  }
  bool NoSinks() {
    return Eventually([this] { return handler_.sinks == 0; });
  }

  StreamingHandler handler_;
  std::unique_ptr<Server> server_;
};

// Proves that a body of any size arrives whole and in order, with a length or in chunks, that
// pieces are neither too large nor needlessly small, and that the connection goes on.
TEST_F(StreamingTest, TakesBodiesInPieces) {
  Start();
  Client client(port());
  for (const std::string target : {"/now", "/later"}) {
    for (const size_t size :
         {size_t{1}, 1000 * kKilobyte / 4, kPieceBytesMax, kPieceBytesMax + 1, 5 * kMegabyte + 7}) {
      const std::string body = Pattern(size);
      const std::vector<std::string> requests = {Post(target, body), Chunked(target, body, 1000),
                                                 Chunked(target, body, 3 * kMegabyte)};
      for (const std::string& request : requests) {
        handler_.pieces = 0;
        ASSERT_TRUE(client.Send(request));
        const auto response = client.Read();
        ASSERT_TRUE(response) << target << " " << size;
        EXPECT_EQ(response->body, StrCat("streamed ", size)) << target;
        EXPECT_LE(handler_.pieces, static_cast<int>(size / (200 * kKilobyte)) + 1) << size;
      }
    }
  }
  EXPECT_LE(handler_.piece_bytes_max, kPieceBytesMax);
  EXPECT_EQ(client.Call("POST", "/whole", {}, "abc")->body, "whole 3");
  EXPECT_TRUE(NoSinks());
  EXPECT_EQ(server_->stats().connections_accepted, 1U);
}

// Proves that a sink gets an empty body too when it comes in chunks, and that a request which says
// that it has none is not asked about.
TEST_F(StreamingTest, TakesEmptyBodies) {
  Start();
  Client client(port());
  ASSERT_TRUE(client.Send(Chunked("/now", "", 1)));
  EXPECT_EQ(client.Read()->body, "streamed 0");
  EXPECT_EQ(handler_.asked, 1);
  EXPECT_EQ(client.Call("POST", "/now")->body, "whole 0");
  EXPECT_EQ(handler_.asked, 1);
}

// Proves that it does not matter how a chunked body with extensions and trailers is cut into
// packets: large ones, and single bytes, which end nearly every read inside a chunk's header.
TEST_F(StreamingTest, ReadsChunksAndTrailersInPieces) {
  Start();
  struct Case {
    size_t body;
    size_t chunk;
    size_t packet;
  };
  for (const Case& cut : {Case{300 * kKilobyte, 4321, 997},
                          {300 * kKilobyte, 4321, 5000},
                          {700, 7, 1},
                          {700, 7, 3}}) {
    const std::string request =
        Chunked("/later", Pattern(cut.body), cut.chunk, "X-Trailer: t\r\nX-Other: u\r\n");
    Client client(port());
    for (size_t begin = 0; begin < request.size(); begin += cut.packet) {
      ASSERT_TRUE(client.Send(std::string_view(request).substr(begin, cut.packet)));
    }
    const auto response = client.Read();
    ASSERT_TRUE(response) << cut.packet;
    EXPECT_EQ(response->body, StrCat("streamed ", cut.body)) << cut.packet;
  }
}

// Proves that requests behind a streamed one, streamed or not, are answered in their order.
TEST_F(StreamingTest, AnswersPipelinedRequests) {
  Start();
  Client client(port());
  std::string requests;
  for (size_t i = 0; i < 20; ++i) {
    StrAppend(requests, Post(i % 3 == 0 ? "/now" : "/later", Pattern(70'000 + i)),
              Post("/whole", "abc"), Chunked("/later", Pattern(100 + i), 30));
  }
  std::thread sender([&] { EXPECT_TRUE(client.Send(requests)); });
  for (size_t i = 0; i < 20; ++i) {
    EXPECT_EQ(client.Read()->body, StrCat("streamed ", 70'000 + i));
    EXPECT_EQ(client.Read()->body, "whole 3");
    EXPECT_EQ(client.Read()->body, StrCat("streamed ", 100 + i));
  }
  sender.join();
}

// Proves that a sink which takes its time holds its client back: what the client is ahead by stays
// within the operating system's buffers, and what the server needs does not grow with the body.
TEST_F(StreamingTest, HoldsClientsBack) {
  constexpr size_t kBytes = 200 * kMegabyte;
  Start({.threads = 1});
  const std::string block = Pattern(kPeriod * 4096);
  std::atomic<size_t> sent = 0;
  Client client(port());
  ASSERT_TRUE(client.Send(
      StrCat("POST /held HTTP/1.1\r\nHost: x\r\nContent-Length: ", kBytes, "\r\n\r\n")));
  std::thread sender([&] {
    while (sent < kBytes) {
      ASSERT_TRUE(client.Send(std::string_view(block).substr(0, kBytes - sent)));
      sent += std::min(block.size(), kBytes - sent);
    }
  });
  Next first = handler_.NextHeld();
  const auto heap = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  const size_t heap_before = heap();
  // Others are served while it waits, which also gives the client all the time it needs to run
  // ahead.
  Client other(port());
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(other.Call("POST", "/whole", {}, "abc")->status, 200);
  }
  int64_t ahead_max = static_cast<int64_t>(sent);
  size_t heap_max = heap();
  for (Next next = std::move(first);; next = handler_.NextHeld()) {
    next(std::nullopt);
    ahead_max =
        std::max(ahead_max, static_cast<int64_t>(sent) - static_cast<int64_t>(handler_.bytes));
    heap_max = std::max<size_t>(heap_max, heap());
    if (handler_.bytes == kBytes) {
      break;
    }
  }
  EXPECT_EQ(client.Read()->body, StrCat("streamed ", kBytes));
  sender.join();
  EXPECT_LT(ahead_max, int64_t{64 * kMegabyte});
  EXPECT_LT(heap_max, heap_before + kMegabyte);
}

// Proves that a client which goes away in the middle of its body leaves nothing behind, also when
// the sink is busy at that moment.
TEST_F(StreamingTest, ForgetsClientsThatGoAway) {
  Start();
  for (const std::string target : {"/now", "/later", "/held"}) {
    for (const size_t size : {size_t{0}, size_t{1000}, kMegabyte}) {
      auto client = std::make_unique<Client>(port());
      ASSERT_TRUE(client->Send(Asking(target, 2 * kMegabyte) + Pattern(size)));
      EXPECT_TRUE(Eventually([this] { return handler_.sinks == 1; }));
      std::optional<Next> next;
      if (target == "/held" && size == kMegabyte) {
        next = handler_.NextHeld();
      }
      client.reset();
      while (next && handler_.sinks > 0) {
        (*next)(std::nullopt);
        // Bytes that had arrived before are still taken, piece by piece.
        next.reset();
        if (!Eventually([&] { return handler_.sinks == 0 || handler_.held() > 0; })) {
          break;
        }
        if (handler_.held() > 0) {
          next = handler_.NextHeld();
        }
      }
      EXPECT_TRUE(NoSinks()) << target << " " << size;
    }
  }
  EXPECT_TRUE(Eventually([this] { return server_->stats().connections_open == 0; }));
}

// Proves that a sink which has use for a part gets every byte that arrived before its client went
// away or fell silent, and one that has none is not bothered.
TEST_F(StreamingTest, KeepsWhatArrivedBeforeTheEnd) {
  Start({.threads = 1, .body_timeout = milliseconds(60)});
  for (const size_t size : {size_t{1}, size_t{1000}, kMegabyte + 1}) {
    for (const bool silent : {false, true}) {
      handler_.bytes = 0;
      auto client = std::make_unique<Client>(port());
      ASSERT_TRUE(client->Send(Asking("/kept", 2 * kMegabyte) + Pattern(size)));
      EXPECT_EQ(client->Read()->status, 100);
      if (silent) {
        EXPECT_EQ(client->Read()->status, 408);
      }
      client.reset();
      EXPECT_TRUE(Eventually([&] { return handler_.bytes == size; })) << size << " " << silent;
      EXPECT_TRUE(NoSinks());
    }
  }
  handler_.bytes = 0;
  auto client = std::make_unique<Client>(port());
  ASSERT_TRUE(client->Send(Asking("/now", 2 * kMegabyte) + Pattern(1000)));
  EXPECT_EQ(client->Read()->status, 100);
  client.reset();
  EXPECT_TRUE(NoSinks());
  EXPECT_EQ(handler_.bytes, 0U);
}

// Proves that a body can be refused before it is sent, with no word to continue, and that one which
// is welcome gets that.
TEST_F(StreamingTest, AnswersExpectContinue) {
  Start();
  {
    Client client(port());
    ASSERT_TRUE(client.Send(Asking("/refused", 5)));
    const auto response = client.Read();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, 401);
    EXPECT_EQ(response->body, "no");
    EXPECT_EQ(testing::Header(*response, "Connection"), "close");
    EXPECT_TRUE(client.ReadEnd());
  }
  Client client(port());
  for (const std::string target : {"/now", "/held"}) {
    const std::string body = Pattern(kMegabyte);
    ASSERT_TRUE(client.Send(Asking(target, body.size())));
    ASSERT_EQ(client.Read()->status, 100);
    ASSERT_TRUE(client.Send(body));
    while (target == "/held" && handler_.bytes < 2 * body.size()) {
      handler_.NextHeld()(std::nullopt);
    }
    EXPECT_EQ(client.Read()->body, StrCat("streamed ", body.size()));
  }
}

// Proves that a client which sends all of its body before it reads sees why it was refused, be it
// before the body or in the middle of it, and that the connection ends.
TEST_F(StreamingTest, RefusesBodies) {
  Start();
  struct Case {
    std::string target;
    int status;
  };
  for (const Case& refused : {Case{"/refused", 401}, {"/second", 422}, {"/drop", 500}}) {
    for (const bool chunked : {false, true}) {
      Client client(port());
      const std::string body = Pattern(4 * kMegabyte);
      ASSERT_TRUE(client.Send(chunked ? Chunked(refused.target, body, 100'000)
                                      : Post(refused.target, body)));
      const auto response = client.Read();
      ASSERT_TRUE(response) << refused.target;
      EXPECT_EQ(response->status, refused.status);
      EXPECT_EQ(testing::Header(*response, "Connection"), "close");
      EXPECT_TRUE(client.ReadEnd()) << refused.target;
      EXPECT_TRUE(NoSinks()) << refused.target;
    }
  }
}

// Proves that a malformed body is refused in the middle too, and its sink given up.
TEST_F(StreamingTest, RefusesMalformedChunks) {
  Start();
  Client client(port());
  const std::string good = Chunked("/now", Pattern(kMegabyte), 50'000);
  ASSERT_TRUE(client.Send(good.substr(0, good.size() - 5) + "xyz\r\n"));
  EXPECT_EQ(client.Read()->status, 400);
  EXPECT_TRUE(NoSinks());
}

// Proves that streamed bodies have a limit of their own, with a length and in chunks, and that the
// limit of whole ones stays.
TEST_F(StreamingTest, LimitsBodies) {
  Start({.threads = 1, .body_bytes_max = 1000, .streamed_body_bytes_max = kMegabyte});
  struct Case {
    std::string request;
    int status;
  };
  const std::vector<Case> cases = {
      {Post("/now", Pattern(kMegabyte)), 200},
      {Chunked("/now", Pattern(kMegabyte), 100'000), 200},
      {Post("/now", Pattern(kMegabyte + 1)), 413},
      {Chunked("/now", Pattern(kMegabyte + 1), 100'000), 413},
      {Asking("/now", kMegabyte + 1), 413},
      {Post("/whole", Pattern(1000)), 200},
      {Post("/whole", Pattern(1001)), 413},
      {Chunked("/whole", Pattern(1001), 100), 413},
      {Asking("/whole", 1001), 413},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    Client client(port());
    ASSERT_TRUE(client.Send(cases[i].request)) << i;
    const auto response = client.Read();
    ASSERT_TRUE(response) << i;
    EXPECT_EQ(response->status, cases[i].status) << i;
    EXPECT_TRUE(NoSinks()) << i;
  }
}

// Proves that the buffers of all streams together are bounded, and that there is room again when
// one ends, be it well or not.
TEST_F(StreamingTest, LimitsBuffersInFlight) {
  Start({.threads = 2, .body_bytes_in_flight_max = 2 * kPieceBytesMax});
  for (int round = 0; round < 3; ++round) {
    Client first(port());
    auto second = std::make_unique<Client>(port());
    for (Client* client : {&first, second.get()}) {
      ASSERT_TRUE(client->Send(Asking("/now", 10)));
      ASSERT_EQ(client->Read()->status, 100);
    }
    {
      Client third(port());
      ASSERT_TRUE(third.Send(Asking("/now", 10)));
      EXPECT_EQ(third.Read()->status, 503);
    }
    ASSERT_TRUE(first.Send(Pattern(10)));
    EXPECT_EQ(first.Read()->status, 200);
    second.reset();
    EXPECT_TRUE(NoSinks());
    EXPECT_TRUE(Eventually([this] { return server_->stats().connections_open == 1; }));
  }
}

// Proves that a client which sends nothing for too long is told so, whatever it sent before.
TEST_F(StreamingTest, TimesOutSilentClients) {
  Start({.threads = 1, .body_timeout = milliseconds(60)});
  for (const size_t size : {size_t{0}, size_t{10}, kMegabyte}) {
    Client client(port());
    ASSERT_TRUE(client.Send(Asking("/now", 2 * kMegabyte) + Pattern(size)));
    EXPECT_EQ(client.Read()->status, 100);
    EXPECT_EQ(client.Read()->status, 408) << size;
    EXPECT_TRUE(client.ReadEnd());
    EXPECT_TRUE(NoSinks());
  }
}

// Proves that the time-out is for each read: a body may take much longer as long as it comes.
TEST_F(StreamingTest, DoesNotTimeOutSlowBodies) {
  Start({.threads = 1, .body_timeout = milliseconds(800), .streamed_body_rate_min = 0});
  Client client(port());
  ASSERT_TRUE(client.Send("POST /now HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"));
  const auto end = std::chrono::steady_clock::now() + milliseconds(2000);
  size_t bytes = 0;
  for (; std::chrono::steady_clock::now() < end; ++bytes) {
    ASSERT_TRUE(
        client.Send(StrCat("1\r\n", std::string(1, static_cast<char>(bytes % kPeriod)), "\r\n")));
    std::this_thread::yield();
  }
  ASSERT_TRUE(client.Send("0\r\n\r\n"));
  EXPECT_EQ(client.Read()->body, StrCat("streamed ", bytes));
}

// Proves that a body which comes, but too slowly, is refused when its grace is over, and that one
// which comes faster than that is taken however long it takes.
TEST_F(StreamingTest, RefusesTrickles) {
  Start({.threads = 1,
         .body_timeout = milliseconds(5000),
         .streamed_body_rate_min = 10 * kKilobyte,
         .streamed_body_grace = milliseconds(200)});
  const auto start = std::chrono::steady_clock::now();
  Client slow(port());
  ASSERT_TRUE(slow.Send("POST /now HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"));
  std::thread sender([&] {
    // It comes to an end: the server closes the connection, or the body does.
    for (int i = 0; i < 1000 && slow.Send("a"); ++i) {
      std::this_thread::sleep_for(milliseconds(5));
    }
  });
  EXPECT_EQ(slow.Read()->status, 408);
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(200));
  sender.join();
  EXPECT_TRUE(NoSinks());

  Client quick(port());
  const std::string body = Pattern(100 * kKilobyte);
  // In one piece, because what comes along with the head counts as well.
  ASSERT_TRUE(quick.Send(StrCat("POST /now HTTP/1.1\r\nHost: x\r\nContent-Length: ", body.size(),
                                "\r\n\r\n", std::string_view(body).substr(0, 90 * kKilobyte))));
  // Another one that is refused meanwhile shows that more than the grace has passed.
  Client other(port());
  ASSERT_TRUE(other.Send(Asking("/now", 10)));
  EXPECT_EQ(other.Read()->status, 100);
  EXPECT_EQ(other.Read()->status, 408);
  ASSERT_TRUE(quick.Send(std::string_view(body).substr(90 * kKilobyte)));
  EXPECT_EQ(quick.Read()->body, StrCat("streamed ", body.size()));
}

// Proves that the time-out does not run while the sink is at work.
TEST_F(StreamingTest, DoesNotTimeOutWhileTheSinkIsBusy) {
  Start({.threads = 1, .header_timeout = milliseconds(60), .body_timeout = milliseconds(60)});
  Client client(port());
  ASSERT_TRUE(client.Send(Post("/held", Pattern(1000))));
  Next next = handler_.NextHeld();
  // Others being timed out after it show that the time has passed.
  for (int i = 0; i < 3; ++i) {
    Client silent(port());
    ASSERT_TRUE(silent.ReadEnd());
  }
  next(std::nullopt);
  EXPECT_EQ(client.Read()->body, "streamed 1000");
}

// Proves that Stop lets a stream in progress finish and be answered, be it that its client is still
// sending or that the sink is busy with a body that came all at once.
TEST_F(StreamingTest, StopFinishesStreams) {
  Start({.threads = 1});
  Client sending(port());
  Client busy(port());
  Client idle(port());
  const std::string request = Post("/later", Pattern(3 * kMegabyte));
  ASSERT_TRUE(sending.Send(request.substr(0, kMegabyte)));
  ASSERT_TRUE(Eventually([this] { return handler_.pieces > 0; }));
  ASSERT_TRUE(busy.Send(Post("/held", Pattern(1000))));
  Next next = handler_.NextHeld();
  std::thread stopper([this] { server_->Stop(); });
  EXPECT_TRUE(idle.ReadEnd());
  ASSERT_TRUE(sending.Send(request.substr(kMegabyte)));
  next(std::nullopt);
  for (const auto& [client, bytes] : {std::pair(&sending, 3 * kMegabyte), {&busy, size_t{1000}}}) {
    const auto response = client->Read();
    ASSERT_TRUE(response) << bytes;
    EXPECT_EQ(response->body, StrCat("streamed ", bytes));
    EXPECT_EQ(testing::Header(*response, "Connection"), "close");
  }
  stopper.join();
  EXPECT_EQ(handler_.sinks, 0);
}

// Proves that Stop cuts what does not finish in time: a stream that waits for its client is given
// up, one whose sink is busy keeps its piece until the sink is done, which is harmless then.
TEST_F(StreamingTest, StopCutsStreamsAfterItsGrace) {
  Start({.shutdown_grace = milliseconds(20)});
  Client waiting(port());
  ASSERT_TRUE(waiting.Send(Asking("/now", 2 * kMegabyte) + Pattern(kMegabyte)));
  Client busy(port());
  ASSERT_TRUE(busy.Send(Asking("/held", 2 * kMegabyte) + Pattern(kMegabyte)));
  Next next = handler_.NextHeld();
  ASSERT_TRUE(Eventually([this] { return handler_.sinks == 2; }));
  server_->Stop();
  EXPECT_EQ(handler_.sinks, 1);
  server_.reset();
  next(std::nullopt);  // The sink looks at its piece here.
  EXPECT_EQ(handler_.sinks, 0);
}

// Proves that all of this is the same over TLS: pieces, chunks, pipelining, refusals.
TEST_F(StreamingTest, WorksOverTls) {
  const TemporaryDirectory folder;
  const std::string certificate = folder.path() + "/server.pem";
  const std::string key = folder.path() + "/server.key";
  testing::WriteCertificate(certificate, key, 1);
  Start({.threads = 1, .tls_certificate_file = certificate, .tls_key_file = key});
  TlsClient client(port());
  for (const std::string target : {"/now", "/later"}) {
    for (const size_t size : {size_t{1}, kPieceBytesMax, 5 * kMegabyte + 7}) {
      const std::string body = Pattern(size);
      for (const std::string& request : {Post(target, body), Chunked(target, body, 9000)}) {
        ASSERT_TRUE(client.Send(request + Post("/whole", "abc")));
        EXPECT_EQ(client.Read()->body, StrCat("streamed ", size));
        EXPECT_EQ(client.Read()->body, "whole 3");
      }
    }
  }
  EXPECT_LE(handler_.piece_bytes_max, kPieceBytesMax);
  ASSERT_TRUE(client.Send(Post("/second", Pattern(2 * kMegabyte))));
  EXPECT_EQ(client.Read()->status, 422);
  EXPECT_TRUE(client.ReadEnd());
  EXPECT_TRUE(NoSinks());
}

}  // namespace
}  // namespace tintype::http
