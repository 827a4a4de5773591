#include <fcntl.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <unistd.h>

#include <memory>
#include <thread>
#include <vector>

#include "base/check.h"
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
using testing::Pattern;
using testing::TlsClient;

constexpr size_t kMegabyte = 1024 * 1024;
constexpr size_t kFileBytes = 20 * kMegabyte + 11;

// Answers `/OFFSET/LENGTH` with that part of the file, which it has opened anew, `/text` with a few
// bytes, `/204` and `/304` with a body that they must not have, `/length` with a length alone.
class FileHandler : public Handler {
 public:
  explicit FileHandler(std::string path) : path_(std::move(path)) {}

  void Handle(Request request, Respond respond) override {
    Response response;
    if (request.target == "/text") {
      response.body = "some text";
    } else if (request.target == "/204") {
      response.status = 204;
      response.body = "not to be sent";
    } else if (request.target == "/304") {
      response.status = 304;
      response.file = FileBody{.file = Open(), .offset = 0, .length = 100};
    } else if (request.target == "/length") {
      response.file = FileBody{.file = nullptr, .offset = 0, .length = 123};
    } else {
      const size_t slash = request.target.find('/', 1);
      response.file = FileBody{.file = Open(),
                               .offset = std::stoull(request.target.substr(1, slash - 1)),
                               .length = std::stoull(request.target.substr(slash + 1))};
    }
    respond(std::move(response));
  }

  // As often as it was opened.
  int open() const { return static_cast<int>(opened_.use_count()) - 1; }

 private:
  // The file is closed when its last user is gone, which takes its share of opened_ along.
  std::shared_ptr<const Descriptor> Open() {
    const int descriptor = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
    CHECK(descriptor >= 0);
    struct Counted {
      explicit Counted(int open_file, std::shared_ptr<int> count)
          : file(open_file), opened(std::move(count)) {}
      Descriptor file;
      std::shared_ptr<int> opened;
    };
    auto counted = std::make_shared<const Counted>(descriptor, opened_);
    return {counted, &counted->file};
  }

  const std::string path_;
  const std::shared_ptr<int> opened_ = std::make_shared<int>(0);
};

// A client of either kind.
class AnyClient {
 public:
  AnyClient(uint16_t port, bool tls) : port_(port) {
    if (tls) {
      tls_ = std::make_unique<TlsClient>(port);
    } else {
      plain_ = std::make_unique<Client>(port);
    }
  }
  bool Send(std::string_view bytes) {
    return tls_ != nullptr ? tls_->Send(bytes) : plain_->Send(bytes);
  }
  bool Ask(std::string_view target) { return Send(FormatRequest(port_, "GET", target, {}, "")); }
  std::optional<Response> Read(bool head = false) {
    return tls_ != nullptr ? tls_->Read(head) : plain_->Read(head);
  }
  size_t Receive(char* buffer, size_t size) {
    return tls_ != nullptr ? tls_->Receive(buffer, size) : plain_->Receive(buffer, size);
  }
  std::optional<Response> Get(std::string_view target) {
    EXPECT_TRUE(Ask(target));
    return Read();
  }

 private:
  const uint16_t port_;
  std::unique_ptr<Client> plain_;
  std::unique_ptr<TlsClient> tls_;
};

// Each test runs on a plain and on a TLS server.
class FileBodyTest : public ::testing::TestWithParam<bool> {
 protected:
  FileBodyTest() : content_(Pattern(kFileBytes)) {
    const int file = ::open(path_.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
    CHECK(::write(file, content_.data(), content_.size()) == static_cast<ssize_t>(content_.size()));
    CHECK(::close(file) == 0);
    testing::WriteCertificate(certificate_, key_, 1);
  }

  void Start(ServerConfig config = {}) {
    if (tls()) {
      config.tls_certificate_file = certificate_;
      config.tls_key_file = key_;
    }
    auto started = Server::Start(std::move(config), handler_);
    ASSERT_TRUE(started.ok()) << started.error().message();
    server_ = *std::move(started);
  }
  static bool tls() { return GetParam(); }
  uint16_t port() const { return server_->port(); }
  AnyClient Connect() const { return {port(), tls()}; }
  bool NoFiles() {
    return Eventually([this] { return handler_.open() == 0; });
  }
  static std::string Part(size_t offset, size_t length) { return StrCat("/", offset, "/", length); }

  TemporaryDirectory folder_;
  const std::string path_ = folder_.path() + "/file";
  const std::string certificate_ = folder_.path() + "/server.pem";
  const std::string key_ = folder_.path() + "/server.key";
  const std::string content_;
  FileHandler handler_{path_};
  std::unique_ptr<Server> server_;
};

INSTANTIATE_TEST_SUITE_P(Plain, FileBodyTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Tls, FileBodyTest, ::testing::Values(true));

// Proves that a file and every part of it arrive as they are, with their length, between ordinary
// answers on one connection.
TEST_P(FileBodyTest, SendsFilesAndParts) {
  Start({.threads = 1});
  AnyClient client = Connect();
  const std::vector<std::pair<size_t, size_t>> parts = {
      {0, kFileBytes}, {0, 1}, {kFileBytes - 1, 1}, {1000, 12345}, {7, 0}, {123, 3 * kMegabyte}};
  for (const auto& [offset, length] : parts) {
    const auto response = client.Get(Part(offset, length));
    ASSERT_TRUE(response) << offset << " " << length;
    EXPECT_EQ(response->status, 200);
    EXPECT_EQ(testing::Header(*response, "Content-Length"), std::to_string(length));
    EXPECT_TRUE(response->body == content_.substr(offset, length)) << offset << " " << length;
    EXPECT_EQ(client.Get("/text")->body, "some text");
  }
  EXPECT_TRUE(NoFiles());
}

// Proves that files and texts that were asked for at once come in their order.
TEST_P(FileBodyTest, KeepsOrderWhenPipelined) {
  Start({.threads = 1});
  AnyClient client = Connect();
  std::string requests;
  for (size_t i = 0; i < 30; ++i) {
    requests += FormatRequest(port(), "GET", Part(i, i * 30'000), {}, "") +
                FormatRequest(port(), "GET", "/text", {}, "");
  }
  ASSERT_TRUE(client.Send(requests));
  for (size_t i = 0; i < 30; ++i) {
    const auto response = client.Read();
    ASSERT_TRUE(response) << i;
    EXPECT_TRUE(response->body == content_.substr(i, i * 30'000)) << i;
    EXPECT_EQ(client.Read()->body, "some text");
  }
}

// Proves that a client which reads late gets all of its file, that others are served meanwhile, and
// that the file does not come into memory.
TEST_P(FileBodyTest, WaitsForSlowReaders) {
  Start({.threads = 1});
  AnyClient other = Connect();
  EXPECT_EQ(other.Get("/text")->body, "some text");
  const auto heap = [] { return mallinfo2().uordblks + mallinfo2().hblkhd; };
  AnyClient slow = Connect();
  const size_t heap_before = heap();
  ASSERT_TRUE(slow.Ask(Part(0, kFileBytes)));
  ASSERT_TRUE(Eventually([this] { return handler_.open() == 1; }));
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(other.Get("/text")->body, "some text");
    EXPECT_LT(heap(), heap_before + kMegabyte);
  }
  EXPECT_EQ(handler_.open(), 1);
  EXPECT_TRUE(slow.Read()->body == content_);
  EXPECT_TRUE(NoFiles());
}

// Proves that a client which takes nothing of its file for too long is given up.
TEST_P(FileBodyTest, GivesUpClientsThatDoNotRead) {
  Start({.threads = 1, .write_timeout = milliseconds(50)});
  AnyClient client = Connect();
  ASSERT_TRUE(client.Ask(Part(0, kFileBytes)));
  ASSERT_TRUE(Eventually([this] { return handler_.open() == 1; }));
  EXPECT_TRUE(NoFiles());
  EXPECT_TRUE(Eventually([this] { return server_->stats().connections_open == 0; }));
  EXPECT_FALSE(client.Read());
}

// Proves that clients which go away while their file is sent leave nothing open, and the server
// unharmed.
TEST_P(FileBodyTest, ForgetsClientsThatGoAway) {
  Start({.threads = 1});
  for (int i = 0; i < 20; ++i) {
    AnyClient client = Connect();
    ASSERT_TRUE(client.Ask(Part(0, kFileBytes)));
    if (i % 2 == 0) {
      ASSERT_TRUE(Eventually([this] { return handler_.open() > 0; }));
    }
  }
  EXPECT_TRUE(NoFiles());
  EXPECT_EQ(Connect().Get("/text")->body, "some text");
}

// Proves that a file which is shorter than promised ends the connection early, so that the client
// notices.
TEST_P(FileBodyTest, EndsTheConnectionWhenTheFileIsShort) {
  Start({.threads = 1});
  const std::vector<std::pair<size_t, size_t>> parts = {
      {0, kFileBytes + 1}, {kFileBytes - 10, 20}, {kFileBytes + 100, 5}};
  for (const auto& [offset, length] : parts) {
    AnyClient client = Connect();
    EXPECT_FALSE(client.Get(Part(offset, length))) << offset;
    EXPECT_TRUE(NoFiles());
  }
  EXPECT_TRUE(Eventually([this] { return server_->stats().connections_open == 0; }));
}

// Proves that HEAD gets the length of the file and no byte of it.
TEST_P(FileBodyTest, AnswersHeadWithTheLengthAlone) {
  Start({.threads = 1});
  AnyClient client = Connect();
  for (const auto& [target, length] : std::vector<std::pair<std::string, std::string>>{
           {Part(0, kFileBytes), std::to_string(kFileBytes)}, {"/length", "123"}}) {
    // The next answer comes at once behind it.
    ASSERT_TRUE(client.Send(StrCat("HEAD ", target, " HTTP/1.1\r\nHost: x\r\n\r\n",
                                   "GET /204 HTTP/1.1\r\nHost: x\r\n\r\n")));
    const auto response = client.Read(true);
    ASSERT_TRUE(response);
    EXPECT_EQ(testing::Header(*response, "Content-Length"), length);
    EXPECT_EQ(client.Read()->status, 204);
  }
  EXPECT_TRUE(NoFiles());
}

// Proves that statuses without a body get none, whatever the handler gives them.
TEST_P(FileBodyTest, SendsNoBodyWhereNoneMayBe) {
  Start({.threads = 1});
  AnyClient client = Connect();
  for (const int status : {204, 304}) {
    ASSERT_TRUE(client.Ask(StrCat("/", status)));
    ASSERT_TRUE(client.Ask("/text"));
    const auto response = client.Read();
    ASSERT_TRUE(response);
    EXPECT_EQ(response->status, status);
    EXPECT_FALSE(testing::Header(*response, "Content-Length"));
    const auto next = client.Read();
    ASSERT_TRUE(next);
    EXPECT_EQ(next->status, 200);
    EXPECT_EQ(next->body, "some text");
  }
  EXPECT_TRUE(NoFiles());
}

// Proves that many clients at once each get their part.
TEST_P(FileBodyTest, ServesManyClientsAtOnce) {
  Start({.threads = 2});
  constexpr size_t kClients = 64;
  std::vector<AnyClient> clients;
  for (size_t i = 0; i < kClients; ++i) {
    clients.push_back(Connect());
    ASSERT_TRUE(clients.back().Ask(Part(i * 1000, kMegabyte + i)));
  }
  for (size_t i = 0; i < kClients; ++i) {
    const auto response = clients[i].Read();
    ASSERT_TRUE(response) << i;
    EXPECT_TRUE(response->body == content_.substr(i * 1000, kMegabyte + i)) << i;
  }
  EXPECT_TRUE(NoFiles());
}

// Proves that Stop cuts a file off that nobody reads.
TEST_P(FileBodyTest, StopsWhileSending) {
  Start({.threads = 1, .shutdown_grace = milliseconds(20)});
  AnyClient client = Connect();
  ASSERT_TRUE(client.Ask(Part(0, kFileBytes)));
  ASSERT_TRUE(Eventually([this] { return handler_.open() == 1; }));
  server_->Stop();
  EXPECT_EQ(handler_.open(), 0);
}

// Proves that a client which reads slowly, but reads, is not given up however long it takes.
TEST_P(FileBodyTest, DoesNotTimeOutSlowReaders) {
  // More than the operating system takes off the server's hands in the time.
  constexpr size_t kLongBytes = 128 * kMegabyte;
  constexpr size_t kReadBytes = kMegabyte / 4;
  constexpr milliseconds kDuration{2500};
  ASSERT_EQ(::truncate(path_.c_str(), kLongBytes), 0);
  Start({.threads = 1, .write_timeout = milliseconds(1000)});
  AnyClient client = Connect();
  ASSERT_TRUE(client.Ask(Part(0, kLongBytes)));
  const auto begin = std::chrono::steady_clock::now();
  std::vector<char> buffer(kReadBytes);
  size_t received = 0;
  for (size_t read = 1; received < kLongBytes && read > 0; received += read) {
    const auto due = begin + kDuration * (received / kReadBytes) / (kLongBytes / kReadBytes);
    while (std::chrono::steady_clock::now() < due) {
      std::this_thread::yield();
    }
    read = client.Receive(buffer.data(), buffer.size());
  }
  EXPECT_GE(received, kLongBytes);
}

}  // namespace
}  // namespace tintype::http
