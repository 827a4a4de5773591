#include "flows/images/delete_image.h"

#include <gmock/gmock.h>

#include <thread>

#include "base/strings.h"
#include "contexts/common/transaction.h"
#include "contexts/people/copies.h"
#include "flows/images/develop.h"
#include "flows/images/edit_image.h"
#include "flows/images/trash.h"
#include "flows/images/update_image.h"
#include "flows/media_keys.h"
#include "product_fixture.h"
#include "tripwire.h"

// Into the trash, out of it, and the deletion that ends in the end.

namespace tintype::product {
namespace {

using contexts::backlog::Work;
using contexts::people::Visibility;
using flows::Account;
using testing::ElementsAre;
using testing::IsEmpty;

class DeleteTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    account_ = SignUp("ada");
  }

  /// An image with everything that can hang on one.
  std::string UploadRich(const std::string& content) {
    std::string id = UploadDeveloped(account_, content).id;
    contexts::catalog::DetailsChange change;
    change.tags = {{"sea", "sun"}};
    change.album_id = "summer";
    CHECK(flows::UpdateImage(product(), account_, id, 1, change).ok());
    CHECK(flows::CreateJob(product(), account_, {id, "stub", "[]"}).ok());
    Drain();
    CHECK(tables::BlockingDatabase(*database_)
              .PutItem({"sparks",
                        contexts::ItemBuilder()
                            .Text("PK", id)
                            .Text("SK", "PERSON#p1")
                            .Text("entityType", "TAGGING#p1")
                            .Build(),
                        {}})
              .ok());
    // Adding a tagging adds it to the sum of them, too.
    CHECK(contexts::Transaction(StrCat("tag ", id))
              .Add(contexts::people::SetTagsAndPersons(id, account_.email, {"sea", "sun"}, {"p1"},
                                                       "2026-01-01T00:00:00.000Z"))
              .Commit(product().database)
              .ok());
    return id;
  }
  bool IsListed(const std::string& id) {
    const auto page = product().catalog.ListOfUser(account_.id, 100, {});
    return std::ranges::any_of(page->images, [&](const auto& image) { return image.id == id; });
  }
  Work LeaseWork() {
    const auto leased = product().backlog.Lease();
    CHECK(leased.ok() && *leased);
    return **leased;
  }

  Account account_;
};

// Proves that the trash takes an image out of every list, and restoring puts it back where it was,
// with its album and its visibility.
TEST_F(DeleteTest, TrashesAndRestores) {
  const std::string id = UploadRich("pixels");
  ASSERT_TRUE(flows::SetImageVisibility(product(), account_, id, Visibility::kShared).ok());
  const auto before = *ImageItem(id);
  ASSERT_TRUE(flows::TrashImage(product(), account_, id).ok());
  ASSERT_TRUE(flows::TrashImage(product(), account_, id).ok());
  EXPECT_FALSE(IsListed(id));
  EXPECT_THAT(product().people.Feed(10, {})->images, IsEmpty());
  EXPECT_EQ(
      TextOf(Get("sparks", {{"PK", id}, {"SK", "UPLOADED_BY#ada@example.com"}}), "entityType"),
      "IMAGE#TRASHED");
  for (const std::string_view gone : {"GSI1SK", "GSI2PK", "GSI2SK"}) {
    EXPECT_FALSE(contexts::ItemReader(*ImageItem(id)).Has(gone)) << gone;
  }
  EXPECT_EQ(Limit(account_), 9);

  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(flows::RestoreImage(product(), account_, id).ok());
  }
  EXPECT_TRUE(IsListed(id));
  EXPECT_EQ(product().people.Feed(10, {})->images.size(), 1U);
  for (const std::string_view back : {"GSI1SK", "GSI2PK", "GSI2SK"}) {
    EXPECT_EQ(TextOf(ImageItem(id), back), TextOf(before, back)) << back;
  }
  clock_.AdvanceMs(60 * kDayMs);
  EXPECT_EQ(Drain(), 0);
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that what was made of an image outside of the blob store goes with it: before its blobs,
// in case of a crash, and after them, when nothing more can be made.
TEST_F(DeleteTest, ForgetsDerivedFilesBeforeAndAfter) {
  const std::string id = UploadRich("pixels");
  ASSERT_TRUE(flows::TrashImage(product(), account_, id).ok());
  EXPECT_THAT(derived_.ids(), IsEmpty());
  ASSERT_TRUE(flows::DeleteImageNow(product(), account_, id).ok());
  Drain();
  EXPECT_THAT(derived_.ids(), ElementsAre(id, id));
}

// Proves that what is in the trash for its time is deleted by the clock, wholly, and that the limit
// comes back once.
TEST_F(DeleteTest, DeletesFromTheTrashByTheClock) {
  const std::string id = UploadRich("pixels");
  ASSERT_TRUE(flows::TrashImage(product(), account_, id).ok());
  clock_.AdvanceMs(30 * kDayMs - 1);
  EXPECT_EQ(Drain(), 0);
  clock_.AdvanceMs(1);
  EXPECT_EQ(Drain(), 1);
  EXPECT_THAT(TracesOf(id), IsEmpty());
  EXPECT_EQ(Limit(account_), 10);
  EXPECT_EQ(KindOf(flows::RestoreImage(product(), account_, id)), ErrorKind::kNotFound);
  EXPECT_EQ(KindOf(flows::DeleteImageNow(product(), account_, id)), ErrorKind::kNotFound);
}

// Proves that deleting now works from a list, from the trash, and again while it is queued; and
// that a stranger cannot.
TEST_F(DeleteTest, DeletesNow) {
  const std::string listed = UploadRich("listed");
  const std::string trashed = UploadRich("trashed");
  EXPECT_EQ(KindOf(flows::DeleteImageNow(product(), SignUp("bob"), listed)), ErrorKind::kNotFound);
  ASSERT_TRUE(flows::TrashImage(product(), account_, trashed).ok());
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(flows::DeleteImageNow(product(), account_, listed).ok());
    ASSERT_TRUE(flows::DeleteImageNow(product(), account_, trashed).ok());
  }
  EXPECT_EQ(Drain(), 2);
  EXPECT_THAT(TracesOf(listed), IsEmpty());
  EXPECT_THAT(TracesOf(trashed), IsEmpty());
  EXPECT_EQ(Limit(account_), 10);
}

// Proves that a deletion that was begun cannot be taken back, though it failed and waits, and
// though it is asked for again: what it has removed is gone.
TEST_F(DeleteTest, CannotBeRestoredOnceBegun) {
  const std::string id = UploadRich("pixels");
  ASSERT_TRUE(flows::DeleteImageNow(product(), account_, id).ok());
  const Work work = LeaseWork();
  EXPECT_EQ(KindOf(flows::RestoreImage(product(), account_, id)), ErrorKind::kNotFound);
  auto given_back =
      product().backlog.GiveBack(work, "no disk", contexts::backlog::Backlog::Failure::kForNow, {});
  ASSERT_TRUE(contexts::Transaction("give-back")
                  .Add(std::move(given_back.piece))
                  .Commit(product().database)
                  .ok());
  EXPECT_EQ(KindOf(flows::RestoreImage(product(), account_, id)), ErrorKind::kNotFound);
  ASSERT_TRUE(flows::DeleteImageNow(product(), account_, id).ok());
  EXPECT_EQ(KindOf(flows::RestoreImage(product(), account_, id)), ErrorKind::kNotFound);
  clock_.AdvanceMs(kHourMs);
  EXPECT_EQ(Drain(), 1);
  EXPECT_THAT(TracesOf(id), IsEmpty());
}

// Proves that of a restore and a deletion at the same time one wins: the image is whole, or nothing
// of it is left.
TEST_F(DeleteTest, RacesWithRestore) {
  int restored_count = 0;
  for (int round = 0; round < 20; ++round) {
    const std::string id = UploadDeveloped(account_, StrCat("round ", round)).id;
    const int64_t limit = Limit(account_);
    ASSERT_TRUE(flows::DeleteImageNow(product(), account_, id).ok());
    bool restored = false;
    std::thread restorer([&] { restored = flows::RestoreImage(product(), account_, id).ok(); });
    DoOne(product());
    restorer.join();
    Drain();
    EXPECT_EQ(ImageItem(id).has_value(), restored);
    EXPECT_EQ(Limit(account_), restored ? limit : limit + 1);
    if (restored) {
      ++restored_count;
      EXPECT_TRUE(IsListed(id));
      ASSERT_TRUE(flows::DeleteImageNow(product(), account_, id).ok());
      Drain();
    }
    EXPECT_THAT(TracesOf(id), IsEmpty());
  }
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(Limit(account_), 10);
  RecordProperty("restored", restored_count);
}

// Proves that a deletion that crashes at any call, done or not, ends when it is run again: nothing
// of the image is left in any table or bucket, and the limit came back once.
TEST_F(DeleteTest, EndsWhereverItCrashed) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  tripped->product.retries.attempts_max = 1;
  FailingCalls calls(wire);
  while (calls.Next()) {
    const std::string id = UploadRich(StrCat("content ", calls.turn()));
    ASSERT_TRUE(flows::DeleteImageNow(product(), account_, id).ok());
    const Work work = LeaseWork();
    calls.Arm();
    calls.Note(flows::DeleteImage(tripped->product, work, derived_).ok());
    // Nobody gives the work back: the worker is dead, and its lease ends.
    clock_.AdvanceMs(kHourMs);
    Drain();
    ASSERT_THAT(TracesOf(id), IsEmpty()) << calls.n();
    ASSERT_EQ(Limit(account_), 10) << calls.n();
  }
  EXPECT_GT(calls.turn(), 16);  // Or the wire is not where it should be.
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that nothing stays of an image that is developed or edited and deleted at once, at
// whichever call of the one the other comes in between.
TEST_F(DeleteTest, LeavesNothingWhoeverIsInBetween) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto interrupted = Wire(stores.database(), stores.blobs());
  const auto run = [&](flows::Product& on, const Work& work) {
    return Steps(on).at(work.type).run(work);
  };
  const struct {
    bool edited;
    bool deletes_in_between;
  } cases[] = {{false, false}, {false, true}, {true, false}, {true, true}};
  for (const auto& test : cases) {
    bool reached = true;
    for (int n = 1; reached; ++n) {
      ASSERT_LT(n, 60);
      const std::string content =
          StrCat("content ", n, test.edited ? " e" : " d", test.deletes_in_between ? "i" : "o");
      const std::string id =
          test.edited ? UploadDeveloped(account_, content).id : Upload(account_, content).id;
      if (test.edited) {
        ASSERT_TRUE(flows::CreateJob(product(), account_, {id, "stub", "[]"}).ok());
      }
      const Work make = LeaseWork();
      ASSERT_TRUE(flows::DeleteImageNow(product(), account_, id).ok());
      const Work remove = LeaseWork();
      const Work& outer = test.deletes_in_between ? make : remove;
      const Work& inner = test.deletes_in_between ? remove : make;
      reached = false;
      wire.Interrupt(n, [&] {
        reached = true;
        EXPECT_TRUE(run(product(), inner).ok());
      });
      EXPECT_TRUE(run(interrupted->product, outer).ok()) << n;
      if (!reached) {
        EXPECT_TRUE(run(product(), inner).ok());
      }
      ASSERT_THAT(TracesOf(id), IsEmpty()) << n << test.edited << test.deletes_in_between;
      ASSERT_EQ(Limit(account_), 10);
    }
  }
}

// Proves the same of whoever had the original open when it went, and so does not notice: at
// whichever call of the deletion its last blob and its records come.
TEST_F(DeleteTest, LeavesNothingOfADevelopmentThatIsAlmostDone) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto interrupted = Wire(stores.database(), stores.blobs());
  bool reached = true;
  int finished_count = 0;
  for (int n = 1; reached; ++n) {
    ASSERT_LT(n, 60);
    const std::string id = Upload(account_, StrCat("content ", n)).id;
    const Work develop = LeaseWork();
    ASSERT_TRUE(flows::KeepOriginal(product(), develop).ok());
    ASSERT_TRUE(flows::DeleteImageNow(product(), account_, id).ok());
    const Work remove = LeaseWork();
    reached = false;
    wire.Interrupt(n, [&] {
      reached = true;
      auto writer = blobs_->Create({"images", flows::StoredKey(id, 0, flows::Size::kLarge)});
      ASSERT_TRUE(writer.ok() && (*writer)->Commit().ok());
      finished_count += flows::FinishDevelopment(product(), develop, {}, "now").ok() ? 1 : 0;
    });
    ASSERT_TRUE(flows::DeleteImage(interrupted->product, remove, derived_).ok());
    clock_.AdvanceMs(kHourMs);  // Work that was not finished is done by somebody else.
    Drain();
    ASSERT_THAT(TracesOf(id), IsEmpty()) << n;
    ASSERT_EQ(Limit(account_), 10);
  }
  EXPECT_GT(finished_count, 0);
}

// Proves that images that somebody else has taken out of Sparks can be trashed, restored and
// deleted all the same.
TEST_F(DeleteTest, WorksWithoutTheRecordInSparks) {
  const std::string id = UploadRich("pixels");
  ASSERT_TRUE(tables::BlockingDatabase(*database_)
                  .DeleteItem({"sparks",
                               contexts::ItemBuilder()
                                   .Text("PK", id)
                                   .Text("SK", "UPLOADED_BY#ada@example.com")
                                   .Build(),
                               {}})
                  .ok());
  ASSERT_TRUE(flows::TrashImage(product(), account_, id).ok());
  ASSERT_TRUE(flows::RestoreImage(product(), account_, id).ok());
  ASSERT_TRUE(flows::DeleteImageNow(product(), account_, id).ok());
  Drain();
  EXPECT_THAT(TracesOf(id), IsEmpty());
  EXPECT_EQ(Limit(account_), 10);
}

}  // namespace
}  // namespace tintype::product
