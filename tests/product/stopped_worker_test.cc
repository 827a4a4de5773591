#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "base/strings.h"
#include "base/testing/eventually.h"
#include "flows/images/edit_image.h"
#include "flows/images/trash.h"
#include "http/dynamodb/endpoint.h"
#include "http/server/server.h"
#include "product_fixture.h"

// M2C-7: a worker that is stopped (SIGSTOP) until its lease is over, and woken when others have
// done its work: it can write nothing any more. It is a process of its own, which reaches the
// tables over HTTP; the work is taken over in this one.

namespace tintype::product {
namespace {

using contexts::backlog::WorkStatus;
using testing::IsEmpty;

/// The worker's process, with pipes to its standard input and output. Killed in the end.
class WorkerProcess {
 public:
  explicit WorkerProcess(std::vector<std::string> arguments) {
    int input[2] = {-1, -1};
    int output[2] = {-1, -1};
    CHECK(::pipe2(input, O_CLOEXEC) == 0 && ::pipe2(output, O_CLOEXEC) == 0);
    posix_spawn_file_actions_t actions;
    CHECK(posix_spawn_file_actions_init(&actions) == 0);
    CHECK(posix_spawn_file_actions_adddup2(&actions, input[0], STDIN_FILENO) == 0);
    CHECK(posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO) == 0);
    std::vector<char*> argv;
    argv.reserve(arguments.size() + 1);
    for (std::string& argument : arguments) {
      argv.push_back(argument.data());
    }
    argv.push_back(nullptr);
    CHECK(posix_spawn(&id_, argv[0], &actions, nullptr, argv.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&actions);
    ::close(input[0]);
    ::close(output[1]);
    input_ = input[1];
    output_ = output[0];
  }
  ~WorkerProcess() {
    ::close(input_);
    ::close(output_);
    if (id_ != 0) {
      ::kill(id_, SIGKILL);
      ::waitpid(id_, nullptr, 0);
    }
  }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  /// Returns when it has stopped.
  void Stop() {
    CHECK(::kill(id_, SIGSTOP) == 0);
    int status = 0;
    CHECK(::waitpid(id_, &status, WUNTRACED) == id_ && WIFSTOPPED(status));
  }
  /// Wakes it, has it end when it is through with what it was at, and returns what it did.
  std::string WakeAndEnd() {
    CHECK(::kill(id_, SIGCONT) == 0);
    ::close(std::exchange(input_, -1));
    std::string told(1000, '\0');
    const ssize_t count = ::read(output_, told.data(), told.size());
    told.resize(count < 0 ? 0 : static_cast<size_t>(count));
    int status = 0;
    CHECK(::waitpid(std::exchange(id_, 0), &status, 0) > 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return told;
  }

 private:
  pid_t id_ = 0;
  int input_ = -1;
  int output_ = -1;
};

class StoppedWorkerTest : public ProductTest {
 protected:
  void SetUp() override {
    // The worker has the machine's clock.
    clock_.AdvanceMs(SystemClock().NowMs() - clock_.NowMs());
    ProductTest::SetUp();
    account_ = SignUp("ada");
    const http::dynamodb::Services services{*database_, nullptr, nullptr, nullptr};
    endpoint_ = std::make_unique<http::dynamodb::DynamoDbEndpoint>(
        services, http::dynamodb::EndpointConfig{}, metrics_, clock_);
    server_ = http::Server::Start({}, *endpoint_).value();
  }
  void TearDown() override { server_->Stop(); }

  std::string BlobRoot() const { return directory_.path() + "/blobs"; }
  std::string Gate() const { return directory_.path() + "/gate"; }
  /// What keeps whoever develops or edits it until the gate is open.
  std::string WaitingPicture() const { return StrCat("wait for ", Gate()); }
  void OpenGate() { std::ofstream(Gate()).put('\n'); }
  void CloseGate() {
    std::filesystem::remove(Gate());
    std::filesystem::remove(Gate() + ".waiting");
  }

  /// A worker that was stopped in the midst of the work that is due, whose lease is over now, and
  /// whose helper is through meanwhile.
  std::unique_ptr<WorkerProcess> StoppedWorker(const std::string& work_id) {
    auto worker = std::make_unique<WorkerProcess>(std::vector<std::string>{
        TINTYPE_WORKER_PROCESS, StrCat("http://127.0.0.1:", server_->port()), BlobRoot(),
        TINTYPE_QUICK_HELPER});
    EXPECT_TRUE(Eventually([&] { return std::filesystem::exists(Gate() + ".waiting"); }));
    worker->Stop();
    const auto work = product().backlog.Find(work_id);
    EXPECT_TRUE(work.ok() && *work && (*work)->status == WorkStatus::kLeased);
    OpenGate();
    EXPECT_EQ(Drain(), 0) << "the lease is not over yet";
    clock_.AdvanceMs(61 * kSecondMs);
    return worker;
  }

  /// Everything that there is, tables and blobs.
  std::vector<std::string> Everything() {
    std::vector<std::string> all;
    for (const contexts::ProductTable& table : flows::ProductTables(Config())) {
      for (const tables::Item& item : Items(table.definition.name)) {
        all.push_back(StrCat(table.definition.name, ": ", item.payload()));
      }
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(BlobRoot())) {
      // The worker may have the temporary files in its hands.
      if (entry.is_regular_file() && entry.path().string().find("/.tmp/") == std::string::npos) {
        std::ifstream file(entry.path());
        const std::string content{std::istreambuf_iterator<char>(file), {}};
        all.push_back(StrCat(entry.path().string(), ": ", content));
      }
    }
    std::ranges::sort(all);
    return all;
  }
  bool HasUnfinishedBlobs() { return !std::filesystem::is_empty(BlobRoot() + "/.tmp"); }

  flows::Account account_;
  metrics::Registry registry_;
  http::dynamodb::RequestMetrics metrics_{registry_};
  std::unique_ptr<http::dynamodb::DynamoDbEndpoint> endpoint_;
  std::unique_ptr<http::Server> server_;
};

constexpr char kLostIt[] = "completed 0, failed 0, dead 0, lost 1\n";

// Proves it for an image that another worker has developed meanwhile.
TEST_F(StoppedWorkerTest, CannotDevelop) {
  const std::string id = Upload(account_, WaitingPicture()).id;
  const auto worker = StoppedWorker(StrCat("develop-", id));
  EXPECT_EQ(Drain(), 1);
  EXPECT_EQ(TextOf(ImageItem(id), "processingStatus"), "completed");
  const std::vector<std::string> before = Everything();
  EXPECT_EQ(worker->WakeAndEnd(), kLostIt);
  EXPECT_EQ(Everything(), before);
  EXPECT_FALSE(HasUnfinishedBlobs());
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves it for an edit that another worker has made meanwhile, of an image that was then edited
// once more.
TEST_F(StoppedWorkerTest, CannotEdit) {
  OpenGate();
  const std::string image = UploadDeveloped(account_, WaitingPicture()).id;
  CloseGate();
  const auto job = flows::CreateJob(product(), account_, {image, "stub", "[]"});
  ASSERT_TRUE(job.ok());
  const auto worker = StoppedWorker(StrCat("edit-", job->id));
  EXPECT_EQ(Drain(), 1);
  ASSERT_TRUE(flows::CreateJob(product(), account_, {image, "stub", "[]"}).ok());
  EXPECT_EQ(Drain(), 1);
  EXPECT_EQ(product().catalog.Find(image).value()->revision, 2);
  const std::vector<std::string> before = Everything();
  EXPECT_EQ(worker->WakeAndEnd(), kLostIt);
  EXPECT_EQ(Everything(), before);
  EXPECT_FALSE(HasUnfinishedBlobs());
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that a deleted image does not come back by the blobs of a worker that was still at it.
TEST_F(StoppedWorkerTest, BringsNothingBack) {
  const std::string id = Upload(account_, WaitingPicture()).id;
  const auto worker = StoppedWorker(StrCat("develop-", id));
  ASSERT_TRUE(flows::DeleteImageNow(product(), account_, id).ok());
  Drain();
  EXPECT_THAT(TracesOf(id), IsEmpty());
  const std::vector<std::string> before = Everything();
  EXPECT_EQ(worker->WakeAndEnd(), kLostIt);
  EXPECT_EQ(Everything(), before);
  EXPECT_FALSE(HasUnfinishedBlobs());
  EXPECT_THAT(Findings(), IsEmpty());
}

}  // namespace
}  // namespace tintype::product
