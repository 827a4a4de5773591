#include "flows/upkeep/purge_work.h"

#include <gmock/gmock.h>

#include "base/strings.h"
#include "flows/images/delete_image.h"
#include "flows/images/edit_image.h"
#include "flows/images/trash.h"
#include "flows/media_keys.h"
#include "product_fixture.h"

// What becomes of images, uploads and jobs whose work an operator takes out of the backlog.

namespace tintype::product {
namespace {

using contexts::Transaction;
using contexts::backlog::Backlog;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;
using contexts::catalog::ProcessingStatus;
using contexts::jobs::JobStatus;
using testing::HasSubstr;
using testing::IsEmpty;

class PurgeTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    account_ = SignUp("ada");
  }

  Work Find(const std::string& id) {
    const auto work = product().backlog.Find(id);
    CHECK(work.ok() && *work);
    return **work;
  }
  bool Exists(const std::string& id) { return product().backlog.Find(id)->has_value(); }
  /// Leases the only work that is due and gives it back for good.
  void Kill(const std::string& id) {
    const auto leased = product().backlog.Lease();
    ASSERT_TRUE(leased.ok() && *leased);
    ASSERT_EQ((*leased)->id, id);
    ASSERT_TRUE(Transaction(StrCat("kill ", id))
                    .Add(product()
                             .backlog.GiveBack(**leased, "broken", Backlog::Failure::kForGood, {})
                             .piece)
                    .Commit(product().database, product().retries)
                    .ok());
    ASSERT_EQ(Find(id).status, WorkStatus::kDead);
  }
  ProcessingStatus StatusOf(const std::string& id) {
    return (*product().catalog.Find(id))->processing_status;
  }
  Work Enqueue(const std::string& type) {
    Work work;
    work.id = StrCat(type, "-1");
    work.type = type;
    CHECK(Transaction(StrCat("enqueue ", type))
              .Add(product().backlog.Enqueue(work))
              .Commit(product().database, product().retries)
              .ok());
    return Find(work.id);
  }

  flows::Account account_;
};

// Proves that an image whose development is taken out does not wait for ever: it is failed, says
// why, keeps its bytes, and nothing of it is without an owner.
TEST_F(PurgeTest, FailsTheImageThatWasToBeDeveloped) {
  const std::string image = Upload(account_, "pixels").id;
  const Work work = Find(StrCat("develop-", image));
  EXPECT_THAT(*flows::WhatPurgingLoses(product(), work), HasSubstr("renditions of the image"));
  EXPECT_TRUE(Exists(work.id)) << "asking changes nothing";
  ASSERT_TRUE(flows::PurgeWork(product(), work).ok());
  EXPECT_FALSE(Exists(work.id));
  EXPECT_EQ(StatusOf(image), ProcessingStatus::kFailed);
  EXPECT_THAT((*product().catalog.Find(image))->processing_error.value_or(""),
              HasSubstr("operator"));
  EXPECT_THAT(Blobs("uploads"), testing::ElementsAre(flows::UploadKey(image)));
}

// Proves that dead work goes without a further change, and that work replayed meanwhile stays.
TEST_F(PurgeTest, TakesDeadWorkUnlessItLivesAgain) {
  const std::string image = Upload(account_, "pixels").id;
  const std::string id = StrCat("develop-", image);
  Kill(id);
  const Work dead = Find(id);
  EXPECT_THAT(*flows::WhatPurgingLoses(product(), dead), HasSubstr("replayed"));
  ASSERT_TRUE(product().backlog.Replay(id).ok());
  EXPECT_EQ(KindOf(flows::PurgeWork(product(), dead)), ErrorKind::kInUse);
  EXPECT_TRUE(Exists(id));
  Kill(id);
  EXPECT_TRUE(flows::PurgeWork(product(), Find(id)).ok());
  EXPECT_FALSE(Exists(id));
}

// Proves that work is not taken from under a worker's hands.
TEST_F(PurgeTest, LeavesWhatAWorkerIsAt) {
  const std::string image = Upload(account_, "pixels").id;
  ASSERT_TRUE(product().backlog.Lease().ok());
  const Work leased = Find(StrCat("develop-", image));
  EXPECT_EQ(KindOf(flows::WhatPurgingLoses(product(), leased)), ErrorKind::kInUse);
  EXPECT_EQ(KindOf(flows::PurgeWork(product(), leased)), ErrorKind::kInUse);
}

// Proves that what gives limits back, deletes and reconciles stays, dead or not, and says why.
TEST_F(PurgeTest, RefusesWhatWouldLeaveSomethingBehind) {
  const std::string upload = Begin(account_, "a.png").id;
  const std::string image = UploadDeveloped(account_, "pixels").id;
  ASSERT_TRUE(flows::TrashImage(product(), account_, image).ok());
  const std::vector<std::pair<Work, std::string>> cases = {
      {Find(StrCat("abandon-upload-", upload)), "limit"},
      {Find(flows::DeleteWorkId(image)), "trash"},
      {Enqueue("reconcile"), "what others wrote to the tables"},
      {Enqueue("from-the-future"), "this version does not know"},
  };
  for (const auto& [work, reason] : cases) {
    const Status purged = flows::PurgeWork(product(), work);
    ASSERT_EQ(KindOf(purged), ErrorKind::kValidation) << work.id;
    EXPECT_THAT(purged.error().message(), HasSubstr(reason));
    EXPECT_TRUE(Exists(work.id)) << work.id;
  }
}

// Proves that an edit job ends with its work: one that nobody has begun is taken back, one that
// somebody has begun is FAILED, and the image stays as it is.
TEST_F(PurgeTest, EndsTheJobOfAnEdit) {
  const std::string image = UploadDeveloped(account_, "pixels").id;
  const auto create = [&] {
    return flows::CreateJob(product(), account_,
                            {image, "local", R"([{"op":"rotate","degrees":90}])"})
        ->id;
  };
  const std::string queued = create();
  ASSERT_TRUE(flows::PurgeWork(product(), Find(StrCat("edit-", queued))).ok());
  EXPECT_FALSE(product().jobs.Find(queued)->has_value());

  const std::string begun = create();
  const auto leased = product().backlog.Lease();
  ASSERT_TRUE(leased.ok() && *leased);
  ASSERT_TRUE(flows::BeginEditing(product(), **leased).ok());
  ASSERT_TRUE(
      Transaction("give back")
          .Add(product().backlog.GiveBack(**leased, "later", Backlog::Failure::kForNow, {}).piece)
          .Commit(product().database, product().retries)
          .ok());
  ASSERT_TRUE(flows::PurgeWork(product(), Find(StrCat("edit-", begun))).ok());
  const auto job = product().jobs.Find(begun);
  ASSERT_TRUE(job.ok() && *job);
  EXPECT_EQ((*job)->status, JobStatus::kFailed);
  EXPECT_EQ((*product().catalog.Find(image))->revision, 0);
  EXPECT_THAT(Findings(), IsEmpty());
}

}  // namespace
}  // namespace tintype::product
