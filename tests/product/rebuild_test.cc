#include "flows/upkeep/rebuild.h"

#include <gmock/gmock.h>

#include <thread>

#include "base/strings.h"
#include "flows/images/develop.h"
#include "flows/images/edit_image.h"
#include "flows/media_keys.h"
#include "flows/upkeep/purge_work.h"
#include "product_fixture.h"

// Making renditions anew: which images, how many at a time, and what becomes of those that cannot
// be done.

namespace tintype::product {
namespace {

using contexts::Transaction;
using contexts::backlog::Backlog;
using contexts::backlog::Priority;
using contexts::backlog::Work;
using contexts::backlog::WorkStatus;
using contexts::catalog::Image;
using contexts::catalog::ProcessingStatus;
using flows::RebuildRequest;
using flows::Size;
using testing::HasSubstr;
using testing::IsEmpty;
using Which = RebuildRequest::Which;

class RebuildTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    account_ = SignUp("ada");
  }

  flows::ProductConfig Config() const override {
    flows::ProductConfig config = ProductTest::Config();
    config.upload_limit = 1000;
    return config;
  }
  void Start(const RebuildRequest& request) {
    const Status started = flows::StartRebuild(product(), request);
    ASSERT_TRUE(started.ok()) << started.error().message();
  }
  bool GoesOn() { return flows::FindRebuild(product())->has_value(); }
  /// Does everything until the rebuild has ended.
  void Finish() {
    for (int turn = 0; GoesOn(); ++turn) {
      ASSERT_LT(turn, 1000);
      Drain();
      clock_.AdvanceMs(kSecondMs);
    }
  }
  void WriteBlob(const std::string& key, const std::string& content) {
    const auto writer = product().blobs.Create({"images", key});
    ASSERT_TRUE(writer.ok() && (*writer)->Write(content).ok() && (*writer)->Commit().ok());
  }
  std::string ReadBlob(const std::string& key) {
    const auto blob = product().blobs.Open({"images", key});
    if (!blob.ok()) {
      return "missing";
    }
    std::string content((*blob)->bytes(), '\0');
    return (*blob)->Read(0, content).ok() ? content : "unreadable";
  }
  Image Find(const std::string& id) { return **product().catalog.Find(id); }
  int64_t CountDead() { return product().backlog.CountIn(WorkStatus::kDead, 100)->total(); }

  flows::Account account_;
};

// Proves that rebuilding an image with many edits is known to take as long as all of them.
TEST_F(RebuildTest, CostsWhatAllVersionsTake) {
  Image image;
  image.width = 4000;
  image.height = 3000;
  const Work once = flows::RebuildImageWork(image);
  EXPECT_FALSE(contexts::backlog::IsExpensive(once));
  image.revision = 9;
  const Work tenfold = flows::RebuildImageWork(image);
  EXPECT_EQ(tenfold.cost_ms, 10 * once.cost_ms);
  EXPECT_TRUE(contexts::backlog::IsExpensive(tenfold));
}

// Proves that what is missing is made again, what is there stays, and nothing is left queued.
TEST_F(RebuildTest, MakesWhatIsMissing) {
  const std::string whole = UploadDeveloped(account_, "whole").id;
  const std::string torn = UploadDeveloped(account_, "torn").id;
  WriteBlob(flows::StoredKey(whole, 0, Size::kSmall), "as it was");
  const std::string medium = flows::StoredKey(torn, 0, Size::kMedium);
  ASSERT_TRUE(product().blobs.Delete({"images", medium}).ok());
  const std::string emptied = UploadDeveloped(account_, "emptied").id;
  WriteBlob(flows::StoredKey(emptied, 0, Size::kThumb), "");
  const auto never = [](const flows::RebuildProgress&) { return true; };
  const auto count = flows::CountRebuild(product(), {.which = Which::kMissing}, never);
  EXPECT_EQ(count->total, 3);
  EXPECT_EQ(count->queued, 2);
  EXPECT_EQ(ReadBlob(medium), "missing") << "a dry run changes nothing";

  Start({.which = Which::kMissing});
  Finish();
  EXPECT_EQ(ReadBlob(medium), "rendition 1024 of torn");
  EXPECT_EQ(ReadBlob(flows::StoredKey(emptied, 0, Size::kThumb)), "rendition 256 of emptied");
  EXPECT_EQ(ReadBlob(flows::StoredKey(whole, 0, Size::kSmall)), "as it was");
  EXPECT_THAT(Items("so0050-tintype-backlog"), IsEmpty());
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that all of a user's images are rebuilt, whatever their number, a few at a time, and
// nobody else's.
TEST_F(RebuildTest, QueuesAFewAtATime) {
  const flows::Account bea = SignUp("bea");
  const std::string other = UploadDeveloped(bea, "other").id;
  std::vector<std::string> images;
  for (int i = 0; i < 80; ++i) {
    images.push_back(UploadDeveloped(account_, StrCat("photo ", i)).id);
    WriteBlob(flows::StoredKey(images.back(), 0, Size::kThumb), "old");
  }
  WriteBlob(flows::StoredKey(other, 0, Size::kThumb), "old");
  Start({.which = Which::kUser, .user_id = account_.id});
  int64_t most = 0;
  while (GoesOn()) {
    if (!DoOne(product())) {
      clock_.AdvanceMs(kSecondMs);
    }
    const auto waiting = product().backlog.CountIn(WorkStatus::kPending, Priority::kLow, 1000);
    most = std::max(most, waiting->total());
  }
  EXPECT_LE(most, flows::kRebuildQueuedMax + 1);
  EXPECT_GT(most, 10);
  for (const std::string& image : images) {
    ASSERT_THAT(ReadBlob(flows::StoredKey(image, 0, Size::kThumb)), HasSubstr("rendition 256"));
  }
  EXPECT_EQ(ReadBlob(flows::StoredKey(other, 0, Size::kThumb)), "old");
}

// Proves that somebody who uploads meanwhile goes first.
TEST_F(RebuildTest, LetsUploadsGoFirst) {
  for (int i = 0; i < 3; ++i) {
    UploadDeveloped(account_, StrCat("photo ", i));
  }
  Start({});
  ASSERT_TRUE(DoOne(product())) << "the first turn, which queues all three";
  const std::string uploaded = Upload(account_, "new").id;
  ASSERT_TRUE(DoOne(product()));
  EXPECT_EQ(Find(uploaded).processing_status, ProcessingStatus::kCompleted);
  EXPECT_EQ(product().backlog.CountIn(WorkStatus::kPending, Priority::kLow, 100)->total(), 3);
}

// Proves that edits are rebuilt too, from their own picture, and that the record still tells of the
// edit.
TEST_F(RebuildTest, RebuildsEditsToo) {
  const std::string id = UploadDeveloped(account_, "pixels").id;
  const std::string job =
      flows::CreateJob(product(), account_, {id, "local", R"([{"op":"rotate","degrees":90}])"})->id;
  Drain();
  const Image edited = Find(id);
  ASSERT_EQ(edited.revision, 1);
  ASSERT_EQ(edited.width, 30);
  for (const int64_t revision : {0, 1}) {
    WriteBlob(flows::StoredKey(id, revision, Size::kLarge), "old");
  }
  Start({.which = Which::kImages, .image_ids = {id}});
  Finish();
  EXPECT_EQ(ReadBlob(flows::StoredKey(id, 0, Size::kLarge)), "rendition 2048 of pixels");
  EXPECT_THAT(ReadBlob(flows::StoredKey(id, 1, Size::kLarge)), HasSubstr("of edited by"));
  const Image rebuilt = Find(id);
  EXPECT_EQ(rebuilt.revision, 1);
  EXPECT_EQ(rebuilt.width, 30);
  EXPECT_EQ(rebuilt.height, 40);
  EXPECT_EQ(rebuilt.version, edited.version) << "nobody's change";
  EXPECT_EQ(rebuilt.processed_size,
            static_cast<int64_t>(ReadBlob(flows::StoredKey(id, 1, Size::kLarge)).size()));
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that a rebuild which began before an edit ended does not write over what the edit wrote.
TEST_F(RebuildTest, DoesNotOvertakeAnEdit) {
  const std::string id = UploadDeveloped(account_, "pixels").id;
  Start({.which = Which::kImages, .image_ids = {id}});
  ASSERT_TRUE(DoOne(product()));
  const auto leased = product().backlog.Lease();
  ASSERT_TRUE(leased.ok() && *leased && (*leased)->type == flows::kRebuildImageWork);
  ASSERT_TRUE(
      flows::CreateJob(product(), account_, {id, "local", R"([{"op":"rotate","degrees":90}])"})
          .ok());
  Drain();
  ASSERT_EQ(Find(id).revision, 1);
  flows::DevelopResult result;
  result.development.width = 40;
  result.development.height = 30;
  result.development.seen_revision = 0;
  EXPECT_EQ(KindOf(flows::FinishDevelopment(product(), **leased, result, "")),
            ErrorKind::kNotFound);
  EXPECT_EQ(Find(id).width, 30);
}

// Proves that an image which cannot be rebuilt keeps its renditions and is told of as dead work;
// and that one which could not be developed is, once its cause is mended.
TEST_F(RebuildTest, TellsOfWhatCannotBeRebuilt) {
  const std::string lost = UploadDeveloped(account_, "lost").id;
  const std::string bad = UploadDeveloped(account_, "bad at first").id;
  ASSERT_EQ(Find(bad).processing_status, ProcessingStatus::kFailed);
  ASSERT_TRUE(product().blobs.Delete({"images", flows::StoredKey(lost, 0, Size::kOriginal)}).ok());
  Start({});
  Finish();
  EXPECT_EQ(CountDead(), 2);
  EXPECT_EQ(Find(lost).processing_status, ProcessingStatus::kCompleted);
  EXPECT_THAT(ReadBlob(flows::StoredKey(lost, 0, Size::kLarge)), HasSubstr("rendition 2048"));
  EXPECT_EQ(Find(bad).processing_status, ProcessingStatus::kFailed);

  WriteBlob(flows::StoredKey(bad, 0, Size::kOriginal), "good by now");
  Start({.which = Which::kFailed});
  Finish();
  EXPECT_EQ(Find(bad).processing_status, ProcessingStatus::kCompleted);
  EXPECT_EQ(ReadBlob(flows::StoredKey(bad, 0, Size::kLarge)), "rendition 2048 of good by now");
  EXPECT_EQ(CountDead(), 1) << "the other one";
}

// Proves that the same rebuild is not begun twice, that another one waits for its turn, and that an
// operator can give one up.
TEST_F(RebuildTest, IsOneAtATime) {
  const std::string id = UploadDeveloped(account_, "pixels").id;
  EXPECT_EQ(
      KindOf(flows::StartRebuild(product(), {.which = Which::kImages, .image_ids = {"nothing"}})),
      ErrorKind::kNotFound);
  Start({});
  ASSERT_TRUE(DoOne(product()));
  const auto before = flows::FindRebuild(product());
  Start({});
  EXPECT_EQ((*flows::FindRebuild(product()))->queued, (*before)->queued) << "it goes on";
  EXPECT_EQ(KindOf(flows::StartRebuild(product(), {.which = Which::kFailed})), ErrorKind::kInUse);
  const auto work = product().backlog.Find(flows::kRebuildWork);
  ASSERT_TRUE(flows::PurgeWork(product(), **work).ok());
  EXPECT_FALSE(GoesOn());
  Start({.which = Which::kFailed});
  Finish();
}

// Proves that an image which is named twice is rebuilt once, that the order of names is no other
// choice, and that naming nothing, or nobody, is no choice at all.
TEST_F(RebuildTest, NamesAreASet) {
  const std::string one = UploadDeveloped(account_, "one").id;
  const std::string two = UploadDeveloped(account_, "two").id;
  Start({.which = Which::kImages, .image_ids = {two, one, two}});
  Start({.which = Which::kImages, .image_ids = {one, two}});
  ASSERT_TRUE(DoOne(product()));
  EXPECT_EQ((*flows::FindRebuild(product()))->queued, 2);
  Finish();
  EXPECT_EQ(KindOf(flows::StartRebuild(product(), {.which = Which::kImages})),
            ErrorKind::kValidation);
  EXPECT_EQ(KindOf(flows::StartRebuild(product(), {.which = Which::kUser})),
            ErrorKind::kValidation);
  EXPECT_FALSE(GoesOn());
}

// Proves that work which cannot ever be done ends, instead of being tried for years. Such as it is
// here was queued by a version that took an image twice.
TEST_F(RebuildTest, WhatCannotBeIsGivenUp) {
  const std::string id = UploadDeveloped(account_, "pixels").id;
  Work work;
  work.id = work.type = flows::kRebuildWork;
  work.priority = Priority::kLow;
  work.max_retries = 1'000'000;
  work.input = {{"which", "images"}, {"image#000000", id}, {"image#000001", id}, {"total", "2"}};
  ASSERT_TRUE(Transaction("two of one")
                  .Add(product().backlog.Enqueue(work))
                  .Commit(product().database, product().retries)
                  .ok());
  pipeline::Workers workers({.threads = 1}, product(), Steps(product()));
  while (workers.stats().dead + workers.stats().failed == 0) {
    std::this_thread::yield();
  }
  workers.Stop();
  EXPECT_EQ((*product().backlog.Find(flows::kRebuildWork))->status, WorkStatus::kDead);
  EXPECT_FALSE(GoesOn());
}

// Proves that what came of a rebuild is told of this one alone, and that one which was taken out is
// not taken for one that has ended.
TEST_F(RebuildTest, TellsWhatCameOfIt) {
  const std::string lost = UploadDeveloped(account_, "lost").id;
  const std::string good = UploadDeveloped(account_, "good").id;
  ASSERT_TRUE(product().blobs.Delete({"images", flows::StoredKey(lost, 0, Size::kOriginal)}).ok());
  const auto finish = [&] {
    flows::RebuildProgress last;
    for (int turn = 0; turn < 1000; ++turn) {
      const auto now = flows::FindRebuild(product());
      if (!*now) {
        break;
      }
      last = **now;
      Drain();
      clock_.AdvanceMs(kSecondMs / 2);
    }
    return *flows::FindRebuildOutcome(product(), last);
  };
  Start({});
  const flows::RebuildOutcome first = finish();
  EXPECT_TRUE(first.complete);
  EXPECT_EQ(first.progress.rebuilt(), 1);
  EXPECT_EQ(first.progress.failed, 1);

  clock_.AdvanceMs(kSecondMs);
  Start({.which = Which::kImages, .image_ids = {good}});
  const flows::RebuildOutcome second = finish();
  EXPECT_TRUE(second.complete);
  EXPECT_EQ(second.progress.rebuilt(), 1);
  EXPECT_EQ(second.progress.failed, 0) << "that was the first one's";
  EXPECT_EQ(CountDead(), 1);

  Start({});
  const auto purge = [&] {
    const auto work = product().backlog.Find(flows::kRebuildWork);
    ASSERT_TRUE(flows::PurgeWork(product(), **work).ok());
  };
  flows::RebuildProgress last = **flows::FindRebuild(product());
  purge();
  EXPECT_FALSE(flows::FindRebuildOutcome(product(), last)->complete);
  Start({});
  ASSERT_TRUE(DoOne(product()));
  last = **flows::FindRebuild(product());
  ASSERT_TRUE(last.seen_all);
  EXPECT_EQ(last.rebuilt(), 0);
  purge();
  EXPECT_FALSE(flows::FindRebuildOutcome(product(), last)->complete) << "two are still queued";
}

// Proves that an image that is deleted while it waits to be rebuilt is not brought back.
TEST_F(RebuildTest, LeavesNothingOfWhatWasDeleted) {
  const std::string id = UploadDeveloped(account_, "pixels").id;
  Start({});
  ASSERT_TRUE(DoOne(product()));
  ASSERT_TRUE(Transaction("somebody")
                  .Add(contexts::catalog::Catalog::Remove(id))
                  .Commit(product().database, product().retries)
                  .ok());
  Finish();
  EXPECT_THAT(Blobs("images"), IsEmpty());
  EXPECT_EQ(CountDead(), 0);
}

}  // namespace
}  // namespace tintype::product
