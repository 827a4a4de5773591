#include "contexts/jobs/jobs.h"

#include <gmock/gmock.h>

#include <atomic>

#include "base/strings.h"
#include "flows/images/delete_image.h"
#include "flows/images/edit_image.h"
#include "flows/images/trash.h"
#include "flows/media_keys.h"
#include "product_fixture.h"

// Edit jobs: their state machine, and what becomes of their images.

namespace tintype::product {
namespace {

using contexts::Transaction;
using contexts::backlog::Work;
using contexts::jobs::Job;
using contexts::jobs::JobStatus;
using flows::Account;
using testing::IsEmpty;

constexpr JobStatus kStates[] = {JobStatus::kQueued, JobStatus::kProcessing, JobStatus::kEditing,
                                 JobStatus::kCompleted, JobStatus::kFailed};

class JobsTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    account_ = SignUp("ada");
    image_ = UploadDeveloped(account_, "pixels").id;
  }

  Job Create(const std::string& operations = R"([{"op":"rotate","degrees":90}])",
             const std::string& provider = "local") {
    const auto job = flows::CreateJob(product(), account_, {image_, provider, operations});
    CHECK(job.ok());
    return *job;
  }
  Status Commit(contexts::Piece piece) {
    return Transaction(StrCat("test ", ++transactions_))
        .Add(std::move(piece))
        .Commit(product().database, product().retries);
  }
  contexts::Piece Arrow(JobStatus to, const std::string& id) {
    contexts::jobs::Jobs& jobs = product().jobs;
    switch (to) {
      case JobStatus::kProcessing:
        return jobs.StartProcessing(id);
      case JobStatus::kEditing:
        return jobs.StartEditing(id, "jobs/temp");
      case JobStatus::kCompleted:
        return jobs.Complete(id, {"key", 1, 2, "webp", 3});
      default:
        return jobs.Fail(id, {"CODE", "message", 1});
    }
  }
  /// Takes a new job to a state by the arrows.
  std::string JobIn(JobStatus state) {
    std::string id = Create().id;
    const auto go = [&](JobStatus to) { CHECK(Commit(Arrow(to, id)).ok()); };
    if (state != JobStatus::kQueued) {
      go(JobStatus::kProcessing);
    }
    if (state != JobStatus::kQueued && state != JobStatus::kProcessing) {
      go(JobStatus::kEditing);
    }
    if (state == JobStatus::kCompleted || state == JobStatus::kFailed) {
      go(state);
    }
    return id;
  }
  Job Find(const std::string& id) {
    const auto job = product().jobs.Find(id);
    CHECK(job.ok() && *job);
    return **job;
  }
  Work LeaseWork() {
    const auto leased = product().backlog.Lease();
    CHECK(leased.ok() && *leased);
    return **leased;
  }

  Account account_;
  std::string image_;
  std::atomic<int> transactions_ = 0;
};

// Proves that of all pairs of states exactly the document's four arrows can be gone, whatever the
// job's state is in the table; and that one cannot be gone twice.
TEST_F(JobsTest, GoesByFourArrowsAlone) {
  int arrows = 0;
  for (const JobStatus from : kStates) {
    for (const JobStatus to : kStates) {
      if (to == JobStatus::kQueued) {
        continue;  // Nothing leads there: there is no piece to ask for it.
      }
      const std::string id = JobIn(from);
      const bool expected = contexts::jobs::IsTransition(from, to);
      EXPECT_EQ(Commit(Arrow(to, id)).ok(), expected) << NameOf(from) << " to " << NameOf(to);
      EXPECT_EQ(Find(id).status, expected ? to : from);
      EXPECT_EQ(KindOf(Commit(Arrow(to, id))), ErrorKind::kConditionFailed);
      arrows += expected ? 1 : 0;
    }
  }
  EXPECT_EQ(arrows, 4);
}

// Proves that of two workers that take up the same job one wins, a thousand times.
TEST_F(JobsTest, IsTakenUpByOneOfTwoWorkers) {
  for (int round = 0; round < 1000; ++round) {
    const std::string id = JobIn(JobStatus::kQueued);
    std::atomic<int> won = 0;
    InThreads(2,
              [&](int /*i*/) { won += Commit(product().jobs.StartProcessing(id)).ok() ? 1 : 0; });
    EXPECT_EQ(won, 1);
    // Only so many may wait.
    ASSERT_TRUE(Commit(Arrow(JobStatus::kEditing, id)).ok());
  }
}

// Proves what a job that went well leaves: the document's attributes, a new revision of the image,
// all of its sizes, and nothing temporary.
TEST_F(JobsTest, MakesANewRevision) {
  const int64_t created_ms = clock_.NowMs();
  const std::string id = Create().id;
  clock_.AdvanceMs(1000);
  EXPECT_EQ(Drain(), 1);
  const auto item = Get("photoeditor-dev-jobs", {{"jobId", id}});
  EXPECT_EQ(TextOf(item, "status"), "COMPLETED");
  EXPECT_EQ(TextOf(item, "imageId"), image_);
  EXPECT_EQ(IntegerOf(item, "createdAt"), created_ms);
  EXPECT_EQ(IntegerOf(item, "processingCompletedAt"), created_ms + 1000);
  EXPECT_EQ(IntegerOf(item, "ttl"), created_ms / 1000 + 90 * 24 * 3600);
  EXPECT_EQ(TextOf(item, "s3FinalKey"), StrCat("images/", image_, "/v1/FULL"));
  EXPECT_FALSE(contexts::ItemReader(*item).Has("s3TempKey"));

  const auto image = ImageItem(image_);
  EXPECT_EQ(IntegerOf(image, "revision"), 1);
  EXPECT_EQ(IntegerOf(image, "version"), 2);
  EXPECT_EQ(IntegerOf(image, "width"), 30);
  EXPECT_THAT(TextOf(image, "imageUrl"), testing::EndsWith("?revision=1"));
  EXPECT_TRUE(Get("ImageMetadata", {{"PK", StrCat("IMAGE#", image_)}, {"SK", "VERSION#1"}}));
  EXPECT_THAT(Blobs("uploads"), IsEmpty());
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that edits at once get numbers of their own, whichever ends first, and that the picture
// with the highest number is the current one.
TEST_F(JobsTest, GivesEditsAtOnceDifferentRevisions) {
  constexpr int kJobs = 6;
  for (int i = 0; i < kJobs; ++i) {
    Create();
  }
  InThreads(3, [&](int /*i*/) {
    while (DoOne(product())) {
    }
  });
  clock_.AdvanceMs(kHourMs);
  Drain();
  const auto versions = product().catalog.ListVersions(image_);
  EXPECT_EQ(versions->size(), static_cast<size_t>(kJobs));
  EXPECT_EQ(IntegerOf(ImageItem(image_), "revision"), kJobs);
  for (const tables::Item& job : Items("photoeditor-dev-jobs")) {
    EXPECT_EQ(TextOf(job, "status"), "COMPLETED");
  }
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that a job is cancelled only while it is queued, only by its owner, and with its work.
TEST_F(JobsTest, CancelsWhatNobodyHasBegun) {
  const std::string id = Create().id;
  EXPECT_EQ(KindOf(flows::CancelJob(product(), SignUp("bob"), id)), ErrorKind::kNotFound);
  ASSERT_TRUE(flows::CancelJob(product(), account_, id).ok());
  EXPECT_EQ(KindOf(flows::CancelJob(product(), account_, id)), ErrorKind::kNotFound);
  EXPECT_EQ(Drain(), 0);
  const std::string begun = JobIn(JobStatus::kProcessing);
  EXPECT_EQ(KindOf(flows::CancelJob(product(), account_, begun)), ErrorKind::kConditionFailed);
}

// Proves that jobs which cannot be done are FAILED with a reason, leave the image as it was and
// nothing behind.
TEST_F(JobsTest, FailsWithAReason) {
  const struct {
    std::string operations;
    std::string provider;
    std::string code;
  } cases[] = {
      {R"([{"op":"fold"}])", "local", "INVALID_OPERATIONS"},
      {"[]", "nobody", "INVALID_OPERATIONS"},
  };
  for (const auto& test : cases) {
    const std::string id = Create(test.operations, test.provider).id;
    EXPECT_EQ(Drain(), 1);
    const Job job = Find(id);
    EXPECT_EQ(job.status, JobStatus::kFailed);
    ASSERT_TRUE(job.error);
    EXPECT_EQ(job.error->code, test.code);
  }
  EXPECT_EQ(IntegerOf(ImageItem(image_), "revision"), 0);
  EXPECT_THAT(Blobs("uploads"), IsEmpty());
  EXPECT_EQ(Blobs("images").size(), 6U);
  Create();
  Drain();
  EXPECT_GT(*IntegerOf(ImageItem(image_), "revision"), 0);
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that a job whose image is deleted before it runs is FAILED and leaves nothing of the
// image.
TEST_F(JobsTest, FailsWhenItsImageIsDeleted) {
  const std::string id = Create().id;
  const Work edit = LeaseWork();
  ASSERT_TRUE(flows::BeginEditing(product(), edit).ok());
  ASSERT_TRUE(flows::DeleteImageNow(product(), account_, image_).ok());
  EXPECT_EQ(Drain(), 1);
  ASSERT_TRUE(Steps(product()).at("edit").run(edit).ok());
  EXPECT_EQ(Find(id).status, JobStatus::kFailed);
  EXPECT_EQ(Find(id).error->code, "IMAGE_DELETED");
  EXPECT_THAT(TracesOf(image_), IsEmpty());
  EXPECT_EQ(KindOf(flows::CreateJob(product(), account_, {image_, "stub", "[]"})),
            ErrorKind::kNotFound);
}

// Proves that a worker that lost its lease and then fails for good harms nothing that its successor
// has made.
TEST_F(JobsTest, DoesNotRemoveWhatASuccessorMade) {
  Create();
  const Work first = LeaseWork();
  const auto task = flows::BeginEditing(product(), first);
  ASSERT_TRUE(task.ok());
  clock_.AdvanceMs(kHourMs);
  EXPECT_EQ(Drain(), 1);
  const auto blobs = Blobs("images");
  EXPECT_EQ(KindOf(flows::FailEditing(product(), first, *task, {"X", "late", 0})),
            ErrorKind::kConditionFailed);
  EXPECT_EQ(Blobs("images"), blobs);
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that jobs in the queue count against what an image may have, as the versions do that they
// will make.
TEST_F(JobsTest, CountsWhatIsQueuedAsVersions) {
  constexpr int kVersionsMax = 100;
  Create();
  EXPECT_EQ(Drain(), 1);
  for (int i = 1; i < kVersionsMax; ++i) {
    Create();
  }
  const auto one_more = [&] {
    return flows::CreateJob(product(), account_, {image_, "stub", "[]"});
  };
  EXPECT_EQ(KindOf(one_more()), ErrorKind::kLimitExceeded);
  EXPECT_EQ(Drain(), kVersionsMax - 1);
  EXPECT_EQ(product().catalog.ListVersions(image_)->size(), static_cast<size_t>(kVersionsMax));
  EXPECT_EQ(KindOf(one_more()), ErrorKind::kLimitExceeded);
}

class JobsWaitingTest : public JobsTest {
 protected:
  flows::ProductConfig Config() const override {
    flows::ProductConfig config = JobsTest::Config();
    config.jobs_waiting_max = 3;
    return config;
  }
};

// Proves that an account has a limited number of jobs waiting, whatever others have, and that each
// one that is done makes room for another.
TEST_F(JobsWaitingTest, AreLimitedForEachAccount) {
  const auto create = [&] {
    return KindOf(flows::CreateJob(product(), account_, {image_, "stub", "[]"}));
  };
  for (int i = 0; i < 3; ++i) {
    Create();
  }
  EXPECT_EQ(create(), ErrorKind::kLimitExceeded);
  const Account bob = SignUp("bob");
  const std::string other = UploadDeveloped(bob, "other pixels").id;  // Does ada's jobs on the way.
  EXPECT_TRUE(flows::CreateJob(product(), bob, {other, "stub", "[]"}).ok());
  Drain();
  for (int i = 0; i < 3; ++i) {
    Create();
  }
  EXPECT_EQ(create(), ErrorKind::kLimitExceeded);
  EXPECT_TRUE(DoOne(product()));
  Create();
  EXPECT_EQ(create(), ErrorKind::kLimitExceeded);
}

// Proves that only developed images outside of the trash can be edited, by their owner.
TEST_F(JobsTest, IsRefusedForWhatCannotBeEdited) {
  const std::string fresh = Upload(account_, "fresh").id;
  const auto create = [&](const Account& account, const std::string& id) {
    return KindOf(flows::CreateJob(product(), account, {id, "stub", "[]"}));
  };
  EXPECT_EQ(create(account_, fresh), ErrorKind::kConditionFailed);
  EXPECT_EQ(create(SignUp("bob"), image_), ErrorKind::kNotFound);
  ASSERT_TRUE(flows::TrashImage(product(), account_, image_).ok());
  EXPECT_EQ(create(account_, image_), ErrorKind::kNotFound);
}

}  // namespace
}  // namespace tintype::product
