#include "cli/admin/socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <future>
#include <string>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "base/testing/eventually.h"
#include "base/testing/temporary_directory.h"
#include "cli/admin/client.h"

namespace tintype::cli {
namespace {

using ::testing::HasSubstr;

/// A client that says exactly what is on the wire.
class RawClient {
 public:
  explicit RawClient(const std::string& data_dir)
      : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const auto refused = WithAdminSocketPath(data_dir, [this](const std::string& path) {
      return CallWithAddress(::connect, socket_.number(), path);
    });
    connected_ = refused.ok() && *refused == 0;
  }
  bool connected() const { return connected_; }
  void Send(const std::string& text) {
    const ssize_t sent = ::send(socket_.number(), text.data(), text.size(), MSG_NOSIGNAL);
    // A server that refuses a client may have answered and closed before it says anything.
    ASSERT_TRUE(sent == static_cast<ssize_t>(text.size()) || errno == EPIPE);
  }
  /// Everything until the server closes.
  std::string ReadAll() {
    std::string all;
    char buffer[4096];
    ssize_t count = 0;
    while ((count = ::recv(socket_.number(), buffer, sizeof buffer, 0)) > 0) {
      all.append(buffer, static_cast<size_t>(count));
    }
    return all;
  }
  void EndSending() { ::shutdown(socket_.number(), SHUT_WR); }
  void Close() { socket_ = Descriptor(); }

 private:
  Descriptor socket_;
  bool connected_ = false;
};

class AdminSocketTest : public ::testing::Test {
 protected:
  std::unique_ptr<AdminSocket> Start(AdminSocket::Config config, AdminCommands commands = {}) {
    config.data_dir = folder_;
    commands["echo"] = [](const AdminFields& arguments, const ProgressReport& report) {
      EXPECT_TRUE(report({"echoing", 1, 2}));
      return Result<AdminFields>(arguments);
    };
    commands["fail"] = [](const AdminFields&, const ProgressReport&) {
      return Result<AdminFields>(Error::Io("the disk is on fire"));
    };
    // Goes on until it is told to give up.
    commands["wait"] = [this](const AdminFields&, const ProgressReport& report) {
      ++waiting_;
      while (report({"waiting", 0, 1})) {
        std::this_thread::yield();
      }
      --waiting_;
      return Result<AdminFields>(Error(ErrorKind::kUnavailable, "cancelled"));
    };
    auto started = AdminSocket::Start(std::move(config), std::move(commands));
    EXPECT_TRUE(started.ok()) << started.error().message();
    return *std::move(started);
  }

  std::string Ask(const std::string& line) {
    RawClient client(folder_);
    client.Send(line);
    return client.ReadAll();
  }

  TemporaryDirectory temporary_;
  std::string folder_ = temporary_.path();
  std::atomic<int> waiting_ = 0;
};

// Proves that a command gets its arguments and its client the progress and the outcome, and that
// the socket is the owner's alone and gone after the end.
TEST_F(AdminSocketTest, ServesCommands) {
  const auto socket = Start({});
  struct stat status {};
  ASSERT_EQ(::stat((folder_ + "/admin.sock").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0600U);

  auto client = AdminClient::Connect(folder_);
  ASSERT_TRUE(client.ok() && client->has_value());
  std::vector<std::string> stages;
  const auto echoed =
      (*client)->Call({"echo", {{"text", std::string("hi")}}}, [&](const auto& step) {
        stages.push_back(StrCat(step.stage, " ", step.done, "/", step.total));
        return true;
      });
  ASSERT_TRUE(echoed.ok()) << echoed.error().message();
  EXPECT_EQ(*echoed->Text("text"), "hi");
  EXPECT_EQ(stages, std::vector<std::string>{"echoing 1/2"});

  client = AdminClient::Connect(folder_);
  const auto failed = (*client)->Call({"fail", {}}, [](const auto&) { return true; });
  EXPECT_EQ(failed.error().message(), "the disk is on fire");

  socket->Stop();
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/admin.sock"));
  EXPECT_FALSE(AdminClient::Connect(folder_)->has_value());
}

// Proves that requests which are none are answered with the reason, and end nothing but themselves.
TEST_F(AdminSocketTest, RefusesWhatIsNoRequest) {
  const auto socket = Start({.request_bytes_max = 1000});
  EXPECT_THAT(Ask("nonsense\n"), HasSubstr("must be a JSON object"));
  EXPECT_THAT(Ask("{\"dance\": {}}\n"), HasSubstr("no command 'dance'"));
  EXPECT_THAT(Ask(std::string(2000, ' ') + "\n"), HasSubstr("at most 1000 bytes"));
  EXPECT_THAT(Ask(std::string(2000, ' ')), HasSubstr("at most 1000 bytes"));
  EXPECT_THAT(Ask("{\"echo\": {}}\nand more"), HasSubstr("{\"done\": {}}"));
  RawClient half(folder_);
  half.Send("{\"echo\": {");
  half.EndSending();
  EXPECT_THAT(half.ReadAll(), HasSubstr("ended before the request did"));
}

// Proves that a client which only closes its sending side still gets its answer.
TEST_F(AdminSocketTest, AnswersAClientThatHasNothingMoreToSay) {
  const auto socket = Start({});
  RawClient client(folder_);
  client.Send("{\"echo\": {\"a\": 1}}\n");
  client.EndSending();
  EXPECT_THAT(client.ReadAll(), HasSubstr("{\"done\": {\"a\": 1}}"));
}

// Proves that a client which says nothing does not stay for ever.
TEST_F(AdminSocketTest, SilentClientsAreGivenUp) {
  const auto socket = Start({.timeout = std::chrono::milliseconds(50)});
  RawClient client(folder_);
  EXPECT_THAT(client.ReadAll(), HasSubstr("No request arrived in time"));
}

// Proves that a command ends when its client goes away, or does not read what it is told.
TEST_F(AdminSocketTest, ClientsThatGoAwayCancel) {
  const auto socket = Start({.timeout = std::chrono::milliseconds(50)});
  RawClient gone(folder_);
  gone.Send("{\"wait\": {}}\n");
  ASSERT_TRUE(Eventually([&] { return waiting_ == 1; }));
  gone.Close();
  EXPECT_TRUE(Eventually([&] { return waiting_ == 0; }));
}

// Proves that a client whose buffer is full is not waited for beyond the limit.
TEST_F(AdminSocketTest, ClientsThatDoNotReadCancel) {
  std::atomic<bool> ended = false;
  AdminCommands commands;
  commands["talk"] = [&](const AdminFields&, const ProgressReport& report) {
    // Each stage is told at once, so that this fills any buffer.
    for (uint64_t i = 0; report({StrCat(std::string(1000, 'x'), i), 0, 1}); ++i) {
    }
    ended = true;
    return Result<AdminFields>(Error(ErrorKind::kUnavailable, "cancelled"));
  };
  const auto socket = Start({.timeout = std::chrono::milliseconds(50)}, std::move(commands));
  RawClient client(folder_);
  client.Send("{\"talk\": {}}\n");
  EXPECT_TRUE(Eventually([&] { return ended.load(); }));
}

// Proves that there is a limit to the clients at once, that one too many is told, and that a place
// becomes free again.
TEST_F(AdminSocketTest, ClientsAreLimited) {
  const auto socket = Start({.clients_max = 2});
  RawClient first(folder_);
  RawClient second(folder_);
  first.Send("{\"wait\": {}}\n");
  second.Send("{\"wait\": {}}\n");
  ASSERT_TRUE(Eventually([&] { return waiting_ == 2; }));
  RawClient third(folder_);
  EXPECT_THAT(third.ReadAll(), HasSubstr("busy"));
  first.Close();
  EXPECT_TRUE(
      Eventually([&] { return Ask("{\"echo\": {}}\n").find("done") != std::string::npos; }));
}

// Proves that stopping cancels what is being done and waits for it.
TEST_F(AdminSocketTest, StoppingCancels) {
  const auto socket = Start({});
  auto client = AdminClient::Connect(folder_);
  auto answer = std::async(std::launch::async, [&] {
    return (*client)->Call({"wait", {}}, [](const auto&) { return true; });
  });
  RawClient silent(folder_);
  ASSERT_TRUE(Eventually([&] { return waiting_ == 1; }));
  socket->Stop();
  EXPECT_EQ(waiting_, 0);
  EXPECT_FALSE(answer.get().ok());
}

// Proves that the socket of a server that was killed is replaced, and that until then nobody takes
// it for a server.
TEST_F(AdminSocketTest, StaleSocketIsReplaced) {
  {
    const Descriptor killed(::socket(AF_UNIX, SOCK_STREAM, 0));
    const std::string path = folder_ + "/admin.sock";
    ASSERT_EQ(CallWithAddress(::bind, killed.number(), path), 0);
    ASSERT_EQ(::listen(killed.number(), 1), 0);
  }
  ASSERT_TRUE(std::filesystem::exists(folder_ + "/admin.sock"));
  const auto nobody = AdminClient::Connect(folder_);
  ASSERT_TRUE(nobody.ok());
  EXPECT_FALSE(nobody->has_value());
  const auto socket = Start({});
  EXPECT_TRUE(AdminClient::Connect(folder_)->has_value());
}

// Proves that a data directory may have a path that is far too long for a socket's address.
TEST_F(AdminSocketTest, LongPathsWork) {
  folder_ += "/" + std::string(200, 'x');
  std::filesystem::create_directory(folder_);
  const auto socket = Start({});
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/admin.sock"));
  EXPECT_THAT(Ask("{\"echo\": {}}\n"), HasSubstr("done"));
  socket->Stop();
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/admin.sock"));
  EXPECT_EQ(AdminClient::Connect(folder_ + "/none").error().kind(), ErrorKind::kNotFound);
}

}  // namespace
}  // namespace tintype::cli
