#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <vector>

#include "base/strings.h"
#include "base/testing/temporary_directory.h"
#include "http/server/server.h"
#include "http/server/testing/client.h"
#include "http/server/testing/tls.h"

namespace tintype::http {
namespace {

using std::chrono::milliseconds;
using testing::FormatRequest;
using testing::TlsClient;

constexpr int kTls11 = 0x0302;
constexpr int kTls12 = 0x0303;

// Answers with the request's target and body; `/large` with 8 MB.
class EchoHandler : public Handler {
 public:
  void Handle(Request request, Respond respond) override {
    respond({.status = 200,
             .headers = {},
             .body = request.target == "/large" ? std::string(8 * 1024 * 1024, 'x')
                                                : StrCat(request.target, " ", request.body)});
  }
};

class TlsTest : public ::testing::Test {
 protected:
  TlsTest() { testing::WriteCertificate(certificate_, key_, 1); }

  void Start(ServerConfig config = {}) {
    config.tls_certificate_file = certificate_;
    config.tls_key_file = key_;
    config.tls_check_interval = milliseconds(5);
    auto started = Server::Start(std::move(config), handler_);
    ASSERT_TRUE(started.ok()) << started.error().message();
    server_ = *std::move(started);
  }
  uint16_t port() const { return server_->port(); }

  // The serial number of the certificate that a new connection gets, once it is that one.
  bool WaitForSerial(int64_t serial) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
    while (std::chrono::steady_clock::now() < deadline) {
      if (TlsClient(port()).serial() == serial) {
        return true;
      }
    }
    return false;
  }

  TemporaryDirectory folder_;
  const std::string certificate_ = folder_.path() + "/server.pem";
  const std::string key_ = folder_.path() + "/server.key";
  EchoHandler handler_;
  std::unique_ptr<Server> server_;
};

// Proves that requests and answers of all sizes pass, on one connection, with HTTP/1.1 agreed on.
TEST_F(TlsTest, ServesRequests) {
  Start();
  for (const int version : {0, kTls12}) {
    TlsClient client(port(), {.version_max = version});
    ASSERT_TRUE(client.connected());
    EXPECT_EQ(client.version(), version == 0 ? "TLSv1.3" : "TLSv1.2");
    EXPECT_EQ(client.protocol(), "http/1.1");
    EXPECT_EQ(client.serial(), 1);
    for (const size_t size : {size_t{0}, size_t{1}, size_t{100'000}, size_t{4} << 20}) {
      const std::string body(size, 'b');
      const auto response = client.Call("POST", "/a", body);
      ASSERT_TRUE(response) << size;
      EXPECT_EQ(response->body, "/a " + body) << size;
    }
    EXPECT_EQ(client.Call("GET", "/large")->body.size(), 8U << 20);
    EXPECT_EQ(client.Call("GET", "/small")->body, "/small ");
  }
}

// Proves that pipelined requests are answered in order, however records cut them.
TEST_F(TlsTest, AnswersPipelinedRequests) {
  Start();
  TlsClient client(port());
  std::string requests;
  for (int i = 0; i < 300; ++i) {
    requests += FormatRequest(port(), "POST", StrCat("/", i), {}, std::string(200, 'x'));
  }
  for (size_t begin = 0; begin < requests.size(); begin += 997) {
    ASSERT_TRUE(client.Send(std::string_view(requests).substr(begin, 997)));
  }
  for (int i = 0; i < 300; ++i) {
    const auto response = client.Read();
    ASSERT_TRUE(response) << i;
    EXPECT_EQ(response->body, StrCat("/", i, " ", std::string(200, 'x')));
  }
}

// Proves that old versions of TLS and clients that want another protocol are refused, and plain
// HTTP too.
TEST_F(TlsTest, RefusesWhatItDoesNotSpeak) {
  Start();
  EXPECT_FALSE(TlsClient(port(), {.version_max = kTls11}).connected());
  EXPECT_FALSE(TlsClient(port(), {.protocol = "h2"}).connected());
  testing::Client plain(port());
  EXPECT_FALSE(plain.Call("GET", "/"));
  EXPECT_TRUE(TlsClient(port()).connected());
}

// Proves that the end of a connection is announced, also after a request that is refused.
TEST_F(TlsTest, EndsSessions) {
  Start({.threads = 1, .body_bytes_max = 1000});
  TlsClient client(port());
  ASSERT_TRUE(client.Send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
  EXPECT_EQ(client.Read()->status, 200);
  EXPECT_TRUE(client.ReadEnd());
  TlsClient refused(port());
  EXPECT_EQ(refused.Call("POST", "/", std::string(100'000, 'x'))->status, 413);
  EXPECT_TRUE(refused.ReadEnd());
}

// Proves that a client which does not finish its handshake is dropped, and that others are served
// meanwhile.
TEST_F(TlsTest, TimesOutHandshakes) {
  Start({.threads = 1, .header_timeout = milliseconds(150)});
  testing::Client silent(port());
  testing::Client halfway(port());
  ASSERT_TRUE(halfway.Send(std::string_view("\x16\x03\x01\x02\x00\x01", 6)));
  EXPECT_EQ(TlsClient(port()).Call("GET", "/x")->body, "/x ");
  EXPECT_TRUE(silent.ReadEnd());
  EXPECT_TRUE(halfway.ReadEnd());
}

// Proves that a new certificate is used for new connections without a restart, that open ones go on
// with the old, and that a pair which does not fit changes nothing.
TEST_F(TlsTest, ReloadsCertificate) {
  Start();
  TlsClient old(port());
  ASSERT_EQ(old.serial(), 1);
  testing::WriteCertificate(certificate_, key_, 2);
  EXPECT_TRUE(WaitForSerial(2));
  EXPECT_EQ(old.Call("GET", "/still")->body, "/still ");

  testing::WriteCertificate(folder_.path() + "/other.pem", key_, 3);  // A key of another one.
  std::ofstream(certificate_, std::ios::app) << "\n";                 // Something changed for sure.
  for (int i = 0; i < 50; ++i) {
    ASSERT_EQ(TlsClient(port()).serial(), 2);
  }
  std::filesystem::rename(folder_.path() + "/other.pem", certificate_);
  EXPECT_TRUE(WaitForSerial(3));
  std::filesystem::remove(certificate_);
  EXPECT_EQ(TlsClient(port()).serial(), 3);
}

// Proves that files which cannot be used are named before anything listens.
TEST_F(TlsTest, NamesUnusableFiles) {
  const std::string missing = folder_.path() + "/missing.pem";
  const std::string garbage = folder_.path() + "/garbage.pem";
  const std::string other_key = folder_.path() + "/other.key";
  std::ofstream(garbage) << "not a certificate\n";
  testing::WriteCertificate(folder_.path() + "/other.pem", other_key, 2);
  const std::vector<std::vector<std::string>> cases = {{missing, key_, missing},
                                                       {certificate_, missing, missing},
                                                       {garbage, key_, garbage},
                                                       {certificate_, garbage, garbage},
                                                       {certificate_, other_key, other_key}};
  for (const auto& files : cases) {
    ServerConfig config;
    config.tls_certificate_file = files[0];
    config.tls_key_file = files[1];
    const auto started = Server::Start(std::move(config), handler_);
    ASSERT_FALSE(started.ok()) << files[2];
    EXPECT_EQ(started.error().kind(), ErrorKind::kValidation);
    EXPECT_NE(started.error().message().find(files[2]), std::string::npos)
        << started.error().message();
  }
}

// Proves that Stop answers what is in progress and ends sessions, handshakes included.
TEST_F(TlsTest, Stops) {
  Start();
  TlsClient idle(port());
  testing::Client silent(port());
  ASSERT_EQ(idle.Call("GET", "/")->status, 200);
  server_->Stop();
  EXPECT_FALSE(idle.Call("GET", "/"));
  EXPECT_FALSE(silent.Read());
}

}  // namespace
}  // namespace tintype::http
