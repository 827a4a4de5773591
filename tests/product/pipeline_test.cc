#include "pipeline/workers.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "base/strings.h"
#include "base/testing/eventually.h"
#include "contexts/common/transaction.h"
#include "database_wrapper.h"
#include "flows/images/edit_image.h"
#include "flows/images/trash.h"
#include "metrics/registry.h"
#include "pipeline/steps.h"
#include "pipeline/work_metrics.h"
#include "product_fixture.h"

// Work in the background: workers, leases, and the steps around a helper that decodes nothing.

namespace tintype::product {
namespace {

using contexts::Transaction;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;
using flows::Account;
using pipeline::Step;
using pipeline::Workers;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class PipelineTest : public ProductTest {
 protected:
  static pipeline::WorkersConfig Quick() {
    return {.threads = 2,
            .idle_wait = std::chrono::milliseconds(5),
            .renew_interval = std::chrono::milliseconds(5)};
  }
  void Enqueue(const std::string& id, const std::string& type) {
    Work work;
    work.id = id;
    work.type = type;
    ASSERT_TRUE(Transaction(StrCat("test ", id))
                    .Add(product().backlog.Enqueue(std::move(work)))
                    .Commit(product().database)
                    .ok());
  }
  std::optional<Work> FindWork(const std::string& id) {
    const auto found = product().backlog.Find(id);
    CHECK(found.ok());
    return *found;
  }
  std::string StatusOf(const std::string& id) { return TextOf(ImageItem(id), "processingStatus"); }
};

// Proves that workers develop what is uploaded: every size, and every context says so.
TEST_F(PipelineTest, DevelopsEverySizeAndRecordsIt) {
  const Account account = SignUp("ada");
  Workers workers(Quick(), product(), Steps(product()));
  const std::string id = Upload(account, "pixels").id;
  workers.Wake();
  ASSERT_TRUE(Eventually([&] { return StatusOf(id) == "completed"; }));
  workers.Stop();

  const std::string folder = StrCat("images/", id, "/");
  EXPECT_THAT(Blobs("images"),
              UnorderedElementsAre(StrCat(id, "/image/properties.json"), folder + "LARGE",
                                   folder + "MEDIUM", folder + "ORIGINAL", folder + "SMALL",
                                   folder + "THUMB"));
  EXPECT_THAT(Blobs("uploads"), IsEmpty());
  const auto image = ImageItem(id);
  EXPECT_EQ(IntegerOf(image, "width"), 40);
  EXPECT_EQ(IntegerOf(image, "version"), 1);
  EXPECT_GT(*IntegerOf(image, "processedSize"), 0);
  EXPECT_EQ(contexts::ItemReader(*image).Map("exifData").Text("camera"), "Quick");
  const auto photo = Get("photos", {{"username", "ada"}, {"id", id}});
  EXPECT_THAT(contexts::ItemReader(*photo).TextList("sizes"),
              ElementsAre("ORIGINAL", "LARGE", "MEDIUM", "SMALL", "THUMB"));
  const auto sparks = Get("sparks", {{"PK", id}, {"SK", "UPLOADED_BY#ada@example.com"}});
  EXPECT_EQ(contexts::ItemReader(*sparks).Map("images").Text("large"),
            StrCat("processed/", id, "_large.webp"));
  const auto ingest = Get("so0050-tintype-ingest", {{"uuid", id}});
  EXPECT_EQ(TextOf(ingest, "overallStatus"), "COMPLETED");
  EXPECT_EQ(IntegerOf(ingest, "progress"), 100);
  EXPECT_EQ(TextOf(ingest, "key"), folder + "ORIGINAL");
  const auto analysis = Get("so0050-tintype-analysis", {{"uuid", id}});
  EXPECT_EQ(TextOf(analysis, "overallStatus"), "COMPLETED");
  const contexts::ItemReader data = contexts::ItemReader(*analysis).Map("data");
  EXPECT_EQ(data.Map("rekognition").Map("face").Text("status"), "SKIPPED");
  EXPECT_EQ(data.Map("transcribe").Text("status"), "SKIPPED");
  EXPECT_EQ(data.Map("image").Map("properties").Text("status"), "COMPLETED");
  EXPECT_THAT(Items("so0050-tintype-backlog"), IsEmpty());
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that a file that cannot be developed, or that kills its helper each time, is a failed
// image with a reason and its original, and that others are unharmed.
TEST_F(PipelineTest, KeepsTheOriginalOfWhatCannotBeDeveloped) {
  const Account account = SignUp("ada");
  Workers workers(Quick(), product(), Steps(product()));
  const std::string bad = Upload(account, "bad pixels").id;
  const std::string deadly = Upload(account, "crash").id;
  const std::string good = Upload(account, "pixels").id;
  ASSERT_TRUE(
      Eventually([&] { return StatusOf(bad) == "failed" && StatusOf(good) == "completed"; }));
  ASSERT_TRUE(Eventually([&] {
    clock_.AdvanceMs(kSecondMs);
    return StatusOf(deadly) == "failed";
  }));
  workers.Stop();
  EXPECT_THAT(TextOf(ImageItem(bad), "processingError"), HasSubstr("damaged"));
  EXPECT_NE(TextOf(ImageItem(deadly), "processingError"), "");
  EXPECT_FALSE(FindWork(StrCat("develop-", bad)));
  EXPECT_EQ(FindWork(StrCat("develop-", deadly))->status, WorkStatus::kDead);
  for (const std::string& id : {bad, deadly}) {
    EXPECT_TRUE((*blobs_->Head({"images", StrCat("images/", id, "/ORIGINAL")})).has_value());
    EXPECT_EQ(TextOf(Get("so0050-tintype-ingest", {{"uuid", id}}), "overallStatus"), "ERROR");
    EXPECT_EQ(TextOf(Get("so0050-tintype-analysis", {{"uuid", id}}), "overallStatus"), "ERROR");
  }
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that an outage of the darkroom, however long, makes no failed images and no failed jobs:
// everything is done when it is over.
TEST_F(PipelineTest, OutlivesAnOutage) {
  const Account account = SignUp("ada");
  const std::string edited = UploadDeveloped(account, "pixels").id;
  darkroom::Config missing;
  missing.helper_path = directory_.path() + "/no-such-helper";
  missing.processes_max = 2;
  darkroom::Darkroom nobody(missing);
  const auto job = flows::CreateJob(product(), account, {edited, "stub", "[]"});
  ASSERT_TRUE(job.ok());
  const std::string id = Upload(account, "more pixels").id;
  {
    Workers workers(Quick(), product(),
                    pipeline::AllSteps(product(), {nobody, nobody, nobody}, derived_, analyzers_));
    for (uint64_t attempts = 2; attempts <= 24; attempts += 2) {
      ASSERT_TRUE(Eventually([&] { return workers.stats().failed >= attempts; }));
      clock_.AdvanceMs(30 * kSecondMs);
    }
    workers.Stop();
    EXPECT_EQ(workers.stats().dead, 0U);
  }
  EXPECT_EQ(StatusOf(id), "processing");
  EXPECT_NE(FindWork(StrCat("develop-", id))->last_error, std::nullopt);
  clock_.AdvanceMs(30 * kSecondMs);
  EXPECT_EQ(Drain(), 2);
  EXPECT_EQ(StatusOf(id), "completed");
  EXPECT_EQ(product().catalog.Find(edited).value()->revision, 1);
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that on a nearly full disk nothing is made of photos, though they can be deleted, and that
// everything is done when there is room again.
TEST_F(PipelineTest, WaitsForRoomOnTheDisk) {
  const Account account = SignUp("ada");
  const std::string deleted = UploadDeveloped(account, "pixels").id;
  const std::string waiting = Upload(account, "more pixels").id;
  free_bytes_ = 124;
  ASSERT_TRUE(flows::DeleteImageNow(product(), account, deleted).ok());
  EXPECT_EQ(Drain(), 2);
  EXPECT_THAT(TracesOf(deleted), IsEmpty());
  EXPECT_EQ(StatusOf(waiting), "pending");
  free_bytes_ = 125;
  clock_.AdvanceMs(kHourMs);
  EXPECT_EQ(Drain(), 1);
  EXPECT_EQ(StatusOf(waiting), "completed");
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that work of a type that this version does not know is dead at once and says so.
TEST_F(PipelineTest, LeavesUnknownWorkToAPerson) {
  Enqueue("strange-1", "strange");
  Workers workers(Quick(), product(), Steps(product()));
  ASSERT_TRUE(Eventually([&] { return FindWork("strange-1")->status == WorkStatus::kDead; }));
  workers.Stop();
  EXPECT_THAT(*FindWork("strange-1")->last_error, HasSubstr("strange"));
  EXPECT_EQ(workers.stats().dead, 1U);
}

// Proves that a lease is renewed as long as the worker is at it, so that nobody else begins.
TEST_F(PipelineTest, RenewsLeasesOfLongWork) {
  std::atomic<int> begun = 0;
  std::atomic<bool> may_end = false;
  Step slow;
  slow.run = [&](const Work& work) -> Status {
    ++begun;
    if (!Eventually([&] { return may_end.load(); })) {
      return Error::Internal("never ended");
    }
    return Transaction("slow").Add(product().backlog.Complete(work)).Commit(product().database);
  };
  Enqueue("slow-1", "slow");
  Workers workers(Quick(), product(), {{"slow", slow}});
  ASSERT_TRUE(Eventually([&] { return begun == 1; }));
  for (int i = 0; i < 3; ++i) {
    clock_.AdvanceMs(40 * kSecondMs);
    ASSERT_TRUE(Eventually(
        [&] { return FindWork("slow-1")->lease_until_ms == clock_.NowMs() + 60 * kSecondMs; }));
  }
  may_end = true;
  ASSERT_TRUE(Eventually([&] { return workers.stats().completed == 1; }));
  workers.Stop();
  EXPECT_EQ(begun, 1);
  EXPECT_FALSE(FindWork("slow-1"));
}

// Proves that workers tell the backlog how long an attempt took that failed.
TEST_F(PipelineTest, FailedWorkCostsWhatItTook) {
  constexpr std::chrono::milliseconds kTaken(20);
  Step slow;
  slow.run = [&](const Work&) -> Status {
    const auto until = std::chrono::steady_clock::now() + kTaken;
    while (std::chrono::steady_clock::now() < until) {
      std::this_thread::yield();
    }
    return Error::Internal("broken");
  };
  Enqueue("slow-1", "slow");
  Workers workers(Quick(), product(), {{"slow", slow}});
  ASSERT_TRUE(Eventually([&] { return workers.stats().failed == 1; }));
  workers.Stop();
  EXPECT_GE(FindWork("slow-1")->cost_ms, kTaken.count());
}

// Proves that expensive work, however much of it waits, never has the last worker: cheap work is
// done meanwhile, and nothing else is held back by it. A single worker does both.
TEST_F(PipelineTest, ExpensiveWorkLeavesAWorkerFree) {
  for (const size_t threads : {size_t{1}, size_t{2}, size_t{4}}) {
    const size_t most = std::max<size_t>(1, threads - 1);
    std::atomic<size_t> running = 0;
    std::atomic<size_t> running_most = 0;
    std::atomic<bool> may_end = threads == 1;
    const auto complete = [&](const Work& work) {
      return Transaction(StrCat("done ", work.id, " ", work.token))
          .Add(product().backlog.Complete(work))
          .Commit(product().database);
    };
    Step expensive;
    expensive.run = [&](const Work& work) -> Status {
      const size_t now = ++running;
      size_t before = running_most;
      while (now > before && !running_most.compare_exchange_weak(before, now)) {
      }
      const bool ended = Eventually([&] { return may_end.load(); });
      --running;
      return ended ? complete(work) : Status(Error::Internal("never ended"));
    };
    Step cheap;
    cheap.run = complete;
    const auto enqueue = [&](const std::string& id, const std::string& type,
                             const std::string& account, std::chrono::milliseconds cost) {
      Work work;
      work.id = id;
      work.type = type;
      work = product().backlog.InTurn(std::move(work), account, cost);
      ASSERT_TRUE(Transaction(StrCat("test ", id, " ", threads))
                      .Add(product().backlog.Enqueue(std::move(work)))
                      .Commit(product().database)
                      .ok());
    };
    constexpr int kExpensiveWork = 12;
    for (int i = 0; i < kExpensiveWork; ++i) {
      enqueue(StrCat("expensive-", i), "expensive", StrCat("account ", i),
              2 * contexts::backlog::kExpensive);
    }
    pipeline::WorkersConfig config = Quick();
    config.threads = threads;
    Workers workers(config, product(), {{"expensive", expensive}, {"cheap", cheap}});
    ASSERT_TRUE(Eventually([&] { return running == most || threads == 1; }));
    for (int i = 0; i < 5; ++i) {
      enqueue(StrCat("cheap-", i), "cheap", "other", contexts::backlog::kExpensive);
      workers.Wake();
      ASSERT_TRUE(Eventually([&] { return !FindWork(StrCat("cheap-", i)); })) << threads;
    }
    EXPECT_TRUE(threads == 1 || running == most);
    may_end = true;
    ASSERT_TRUE(Eventually([&] { return Items("so0050-tintype-backlog").empty(); }));
    workers.Stop();
    EXPECT_EQ(running_most, most);
  }
}

// Proves that a worker that was away for longer than its lease cannot write when it is back, and
// that what its successor wrote stays.
TEST_F(PipelineTest, KeepsLateWorkersFromWriting) {
  const Account account = SignUp("ada");
  const std::string id = Upload(account, "pixels").id;
  const auto late = product().backlog.Lease();
  ASSERT_TRUE(late.ok() && *late);
  clock_.AdvanceMs(kHourMs);
  Drain();
  const auto developed = *ImageItem(id);
  const Status done = Steps(product()).at("develop").run(**late);
  EXPECT_EQ(KindOf(done), ErrorKind::kConditionFailed);
  EXPECT_EQ(*ImageItem(id), developed);
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that what a late worker stores of an image that others have deleted meanwhile goes, though
// the tables do not tell it what became of the image and the work is not its own to repeat.
TEST_F(PipelineTest, ALateWorkerClearsUpAfterItself) {
  const Account account = SignUp("ada");
  const std::string id = Upload(account, "pixels").id;
  Drain();
  for (const std::string type : {"develop", "edit", "rebuild-image"}) {
    const std::string image = Upload(account, StrCat("pixels of ", type)).id;
    if (type == "edit") {
      Drain();
      ASSERT_TRUE(
          flows::CreateJob(product(), account, {image, "local", R"([{"op":"auto_levels"}])"}).ok());
    } else if (type == "rebuild-image") {
      Drain();
      Work rebuild;
      rebuild.id = StrCat("late-", image);
      rebuild.type = type;
      rebuild.uuid = image;
      ASSERT_TRUE(Transaction(rebuild.id)
                      .Add(product().backlog.Enqueue(rebuild))
                      .Commit(product().database)
                      .ok());
    }
    std::map<std::string, Step> steps = Steps(product());
    steps.at(type).run = [&](const Work& work) -> Status {
      clock_.AdvanceMs(kHourMs);
      EXPECT_TRUE(flows::DeleteImageNow(product(), account, image).ok());
      Drain();
      EXPECT_FALSE(FindWork(work.id)) << type;
      const auto late =
          blobs_->Create({Config().images_bucket, StrCat("images/", image, "/THUMB")});
      EXPECT_TRUE(late.ok() && (*late)->Write("late").ok() && (*late)->Commit().ok());
      return Error(ErrorKind::kOverloaded, "the tables did not answer");
    };
    Workers workers({.threads = 1, .idle_wait = std::chrono::milliseconds(5)}, product(), steps);
    ASSERT_TRUE(Eventually([&] { return workers.stats().lost == 1; })) << type;
    workers.Stop();
    EXPECT_THAT(Findings(), IsEmpty()) << type;
  }
  EXPECT_FALSE(Blobs("images").empty());  // Those of the image that is there.
  EXPECT_EQ(StatusOf(id), "completed");
}

// Proves that stopping ends the work in progress and leaves the rest for the next start.
TEST_F(PipelineTest, StopsBetweenPiecesOfWork) {
  const Account account = SignUp("ada");
  for (int i = 0; i < 6; ++i) {
    Upload(account, StrCat("pixels ", i));
  }
  {
    Workers workers(Quick(), product(), Steps(product()));
    ASSERT_TRUE(Eventually([&] { return workers.stats().completed > 0; }));
    workers.Stop();
    EXPECT_EQ(workers.stats().running, 0U);
  }
  Workers workers(Quick(), product(), Steps(product()));
  EXPECT_TRUE(Eventually([&] { return Items("so0050-tintype-backlog").empty(); }));
  workers.Stop();
  EXPECT_THAT(Findings(), IsEmpty());
}

/// Tables that cannot be reached; counts who tried.
class UnreachableDatabase : public DatabaseWrapper<UnreachableDatabase> {
 public:
  template <typename Request, typename Response>
  void Pass(void (tables::Database::* /*operation*/)(Request, Done<Response>), Request /*request*/,
            Done<Response> done) {
    ++calls;
    std::move(done)(Error(ErrorKind::kUnavailable, "unreachable"));
  }

  std::atomic<int> calls = 0;
};

// Proves that metrics do not wait for tables that cannot be reached more than once in a while: a
// call takes its time, and with it every other metric.
TEST_F(PipelineTest, MetricsDoNotWaitForTablesAgainAndAgain) {
  UnreachableDatabase unreachable;
  contexts::backlog::Backlog backlog({.node = "node"}, unreachable, clock_);
  Workers workers(Quick(), product(), Steps(product()));
  metrics::Registry registry;
  const pipeline::WorkMetrics metrics(registry, backlog, workers, clock_);
  EXPECT_THAT(registry.Render(), HasSubstr("tintype_work_completed_total{"));
  EXPECT_EQ(unreachable.calls, 1);
  clock_.AdvanceMs(10 * kSecondMs);
  EXPECT_THAT(registry.Render(), testing::Not(HasSubstr("tintype_backlog_items{")));
  EXPECT_EQ(unreachable.calls, 1);
  clock_.AdvanceMs(30 * kSecondMs);
  registry.Render();
  EXPECT_EQ(unreachable.calls, 2);
}

}  // namespace
}  // namespace tintype::product
