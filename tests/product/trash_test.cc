#include "flows/images/trash.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/people/reasons.h"
#include "flows/images/delete_image.h"
#include "flows/images/empty_trash.h"
#include "flows/images/trash_postings.h"
#include "flows/upkeep/purge_work.h"
#include "flows/upkeep/upgrade.h"
#include "flows/uploads/resumable_upload.h"
#include "product_fixture.h"
#include "tripwire.h"
#include "views/trash.h"

// The trash that opens: its postings, what is listed of it, and what empties it.

namespace tintype::product {
namespace {

using contexts::backlog::Work;
using contexts::catalog::Catalog;
using contexts::catalog::Image;
using flows::Account;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr int64_t kLimit = 1000;

/// A clock that goes on between any two looks at it, as real ones do.
class TickingClock : public Clock {
 public:
  explicit TickingClock(int64_t now_ms) : now_ms_(now_ms) {}
  int64_t NowMs() const override { return ++now_ms_; }

 private:
  mutable std::atomic<int64_t> now_ms_;
};

class TrashTest : public ProductTest {
 protected:
  flows::ProductConfig Config() const override {
    flows::ProductConfig config;
    config.upload_limit = kLimit;
    return config;
  }
  void SetUp() override {
    ProductTest::SetUp();
    ada_ = SignUp("ada");
    bob_ = SignUp("bob");
  }

  /// Puts an image into the trash, each a second after the one before.
  std::string Trashed(const Account& account, const std::string& content) {
    std::string id = Upload(account, content).id;
    Drain();
    CHECK(flows::TrashImage(product(), account, id).ok());
    clock_.AdvanceMs(kSecondMs);
    return id;
  }
  /// The postings of an account in the table itself, as `SK`s.
  std::vector<std::string> Postings(const Account& account) {
    std::vector<std::string> sorts;
    for (const tables::Item& item :
         Query("tintype", "", "PK = :user",
               {{}, {{":user", tables::Value::String(StrCat("TRASH#", account.id))}}})) {
      sorts.push_back(TextOf(item, "SK"));
    }
    return sorts;
  }
  std::string PostingOf(const std::string& id) {
    return StrCat(TextOf(ImageItem(id), "trashedAt"), "#", id);
  }
  views::TrashList List(const Account& viewer, int64_t limit = 100,
                        const std::optional<tables::Item>& after = {}) {
    auto list = views::ListTrash(views(), viewer, {limit, after}, clock_.NowMs());
    CHECK(list.ok());
    return *std::move(list);
  }
  std::vector<std::string> Listed(const Account& viewer) {
    std::vector<std::string> ids;
    for (const views::TrashedImage& trashed : List(viewer).images) {
      ids.push_back(trashed.view.image.id);
    }
    return ids;
  }
  std::optional<int64_t> DueMs(const std::string& id) {
    return IntegerOf(Get("so0050-tintype-backlog", {{"id", flows::DeleteWorkId(id)}}), "dueAt");
  }
  void Write(tables::Item item, const std::string& table = "ImageMetadata") {
    tables::PutItemRequest put;
    put.table = table;
    put.item = std::move(item);
    CHECK(tables::BlockingDatabase(*database_).PutItem(std::move(put)).ok());
  }
  void RemovePostings(const Account& account) {
    for (const std::string& sort : Postings(account)) {
      tables::DeleteItemRequest remove;
      remove.table = "tintype";
      remove.key =
          contexts::ItemBuilder().Text("PK", StrCat("TRASH#", account.id)).Text("SK", sort).Build();
      CHECK(tables::BlockingDatabase(*database_).DeleteItem(std::move(remove)).ok());
    }
  }

  Account ada_;
  Account bob_;
};

// Proves that the days in the trash count from the very moment that people are told.
TEST_F(TrashTest, ItsDaysBeginWhenTheImageIsTrashed) {
  const std::string id = Upload(ada_, "pixels").id;
  Drain();
  const TickingClock clock(clock_.NowMs());
  Wiring wiring(Config(), database_->AsServer(), *blobs_, *spool_, room_, clock, ids_);
  const auto trashed = flows::TrashImage(wiring.product, ada_, id);
  ASSERT_TRUE(trashed.ok());
  EXPECT_EQ(DueMs(id), ParseTimeText(*trashed->trashed_at).value() + 30 * kDayMs);
}

// Proves that a posting comes and goes with the image, that it tells when the work that deletes the
// image is due, and that nobody sees another's.
TEST_F(TrashTest, PostingsFollowTheImage) {
  const std::string id = Upload(ada_, "pixels").id;
  Drain();
  EXPECT_THAT(Postings(ada_), IsEmpty());
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(flows::TrashImage(product(), ada_, id).ok());
    clock_.AdvanceMs(kSecondMs);
  }
  EXPECT_THAT(Postings(ada_), ElementsAre(PostingOf(id)));
  const views::TrashList list = List(ada_);
  ASSERT_THAT(list.images, SizeIs(1));
  EXPECT_EQ(list.images[0].deletes_ms, DueMs(id));
  EXPECT_EQ(list.images[0].deletes_ms, clock_.NowMs() - 2 * kSecondMs + 30 * kDayMs);
  EXPECT_EQ(list.images[0].view.sight, views::Sight::kEverything);
  EXPECT_FALSE(list.next.has_value());
  EXPECT_THAT(Listed(bob_), IsEmpty());

  ASSERT_TRUE(flows::RestoreImage(product(), ada_, id).ok());
  EXPECT_THAT(Postings(ada_), IsEmpty());
  ASSERT_TRUE(flows::TrashImage(product(), ada_, id).ok());
  clock_.AdvanceMs(30 * kDayMs);
  EXPECT_THAT(Listed(ada_), IsEmpty()) << "it is being deleted";
  EXPECT_EQ(Drain(), 1);
  EXPECT_THAT(TracesOf(id), IsEmpty());
  EXPECT_THAT(Postings(ada_), IsEmpty());
}

// Proves that a deletion that is asked for takes an image out of the list at once, from wherever it
// was, and that its posting goes with its records.
TEST_F(TrashTest, WhatIsBeingDeletedIsNotListed) {
  const std::string trashed = Trashed(ada_, "trashed");
  const std::string listed = Upload(ada_, "listed").id;
  Drain();
  for (const std::string& id : {trashed, listed}) {
    ASSERT_TRUE(flows::DeleteImageNow(product(), ada_, id).ok());
  }
  EXPECT_THAT(Listed(ada_), IsEmpty());
  EXPECT_THAT(Postings(ada_), SizeIs(2));
  EXPECT_EQ(Drain(), 2);
  EXPECT_THAT(Postings(ada_), IsEmpty());
  EXPECT_EQ(Limit(ada_), kLimit);
}

// Proves that a temporary image tells the earlier of its two ends.
TEST_F(TrashTest, ATemporaryImageTellsItsOwnEnd) {
  flows::UploadRequest request{"photo.png"};
  request.image_lifetime_s = 3600;
  const std::string id = Upload(ada_, "brief", request).id;
  Drain();
  ASSERT_TRUE(flows::TrashImage(product(), ada_, id).ok());
  ASSERT_THAT(List(ada_).images, SizeIs(1));
  EXPECT_EQ(List(ada_).images[0].deletes_ms, *IntegerOf(ImageItem(id), "ttl") * 1000);
  clock_.AdvanceMs(kHourMs + kSecondMs);
  // That all of it goes is proven by ExpireImageTest.
  EXPECT_THAT(Listed(ada_), IsEmpty());
}

// Proves that pages are of what was there: whatever comes and goes between them, nothing else is
// left out or shown twice.
TEST_F(TrashTest, PagesWhileOthersComeAndGo) {
  std::vector<std::string> ids;
  ids.reserve(6);
  for (int i = 0; i < 6; ++i) {
    ids.push_back(Trashed(ada_, StrCat("content ", i)));
  }
  const views::TrashList first = List(ada_, 2);
  ASSERT_THAT(first.images, SizeIs(2));
  EXPECT_EQ(first.images[0].view.image.id, ids[5]);
  ASSERT_TRUE(flows::RestoreImage(product(), ada_, ids[4]).ok());
  ASSERT_TRUE(flows::RestoreImage(product(), ada_, ids[2]).ok());
  Trashed(ada_, "new");
  std::vector<std::string> rest;
  std::optional<tables::Item> after = first.next;
  while (after) {
    const views::TrashList page = List(ada_, 2, after);
    for (const views::TrashedImage& trashed : page.images) {
      rest.push_back(trashed.view.image.id);
    }
    after = page.next;
  }
  EXPECT_THAT(rest, ElementsAre(ids[3], ids[1], ids[0]));
}

// Proves that wherever a trash, a restore or a deletion is cut off, an image is posted exactly if
// it is in the trash.
TEST_F(TrashTest, IsPostedExactlyIfItIsThere) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  tripped->product.retries.attempts_max = 1;
  const auto check = [&](const std::string& id, int n) {
    const bool trashed = !TextOf(ImageItem(id), "trashedAt").empty();
    EXPECT_EQ(Postings(ada_), trashed ? std::vector{PostingOf(id)} : std::vector<std::string>())
        << n;
  };
  for (FailingCalls calls(wire); calls.Next();) {
    const std::string id = Upload(ada_, StrCat("content ", calls.turn())).id;
    Drain();
    calls.Arm();
    bool ok = flows::TrashImage(tripped->product, ada_, id).ok();
    check(id, calls.n());
    ok = ok && flows::RestoreImage(tripped->product, ada_, id).ok();
    check(id, calls.n());
    ok = ok && flows::DeleteImageNow(tripped->product, ada_, id).ok();
    check(id, calls.n());
    calls.Note(ok);
    ASSERT_TRUE(flows::DeleteImageNow(product(), ada_, id).ok());
    Drain();
    ASSERT_THAT(TracesOf(id), IsEmpty()) << calls.n();
    ASSERT_EQ(Limit(ada_), kLimit) << calls.n();
  }
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that emptying deletes what was in the trash, wholly, and gives each upload back once; that
// images which came later stay, and so do everybody else's; and that asking again does no harm.
TEST_F(TrashTest, EmptiesWhatWasThere) {
  std::vector<std::string> ids;
  ids.reserve(3);
  for (int i = 0; i < 3; ++i) {
    ids.push_back(Trashed(ada_, StrCat("content ", i)));
  }
  const std::string bobs = Trashed(bob_, "bob's");
  const std::string kept = Upload(ada_, "kept").id;
  Drain();
  for (int i = 0; i < 2; ++i) {
    const auto until = flows::EmptyTrash(product(), ada_);
    ASSERT_TRUE(until.ok());
    EXPECT_EQ(*until, TimeText(clock_.NowMs()));
  }
  clock_.AdvanceMs(1);
  const std::string later = Upload(ada_, "later").id;
  ASSERT_TRUE(flows::TrashImage(product(), ada_, later).ok());
  // One that comes back and goes again after the moment is one that came later.
  ASSERT_TRUE(flows::RestoreImage(product(), ada_, ids[2]).ok());
  ASSERT_TRUE(flows::TrashImage(product(), ada_, ids[2]).ok());
  Drain();
  EXPECT_THAT(Listed(ada_), testing::UnorderedElementsAre(ids[2], later));
  EXPECT_THAT(Listed(bob_), ElementsAre(bobs));
  EXPECT_TRUE(ImageItem(kept));
  EXPECT_THAT(TracesOf(ids[0]), IsEmpty());
  EXPECT_THAT(TracesOf(ids[1]), IsEmpty());
  EXPECT_EQ(Limit(ada_), kLimit - 3);

  clock_.AdvanceMs(1);
  ASSERT_TRUE(flows::EmptyTrash(product(), ada_).ok());
  Drain();
  ASSERT_TRUE(flows::EmptyTrash(product(), ada_).ok());
  EXPECT_EQ(Drain(), 1) << "an empty one takes a look";
  EXPECT_EQ(Limit(ada_), kLimit - 1);
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that emptying holds nothing up: what others wait for goes before the deletions.
TEST_F(TrashTest, EmptiesBehindWhatOthersWaitFor) {
  const std::string id = Trashed(ada_, "pixels");
  ASSERT_TRUE(flows::EmptyTrash(product(), ada_).ok());
  ASSERT_TRUE(DoOne(product()));
  EXPECT_THAT(Listed(ada_), IsEmpty());
  Upload(bob_, "urgent");
  const auto next = product().backlog.Lease();
  ASSERT_TRUE(next.ok() && *next);
  EXPECT_EQ((*next)->type, "develop");
}

// Proves that more than fits one turn is emptied turn by turn, also by two nodes at once, and that
// each image is given back once.
TEST_F(TrashTest, EmptiesManyTurnByTurnOnTwoNodes) {
  constexpr int kImages = 250;
  for (int i = 0; i < kImages; ++i) {
    const std::string id = Upload(ada_, StrCat("content ", i)).id;
    ASSERT_TRUE(flows::TrashImage(product(), ada_, id).ok());
    clock_.AdvanceMs(1);
  }
  Drain();
  ASSERT_THAT(Postings(ada_), SizeIs(kImages));
  ASSERT_TRUE(flows::EmptyTrash(product(), ada_).ok());
  ASSERT_TRUE(DoOne(product()));
  EXPECT_THAT(Listed(ada_), SizeIs(100)) << "a page of what is left, after one of what is not";
  const auto spool = OpenSpool("second");
  const auto second = WireNode("second", *spool);
  std::thread other([&] {
    while (DoOne(second->product)) {
    }
  });
  Drain();
  other.join();
  Drain();
  EXPECT_THAT(Postings(ada_), IsEmpty());
  EXPECT_THAT(Items("ImageMetadata"), IsEmpty());
  EXPECT_EQ(Limit(ada_), kLimit);
}

// Proves that emptying goes on wherever it was cut off.
TEST_F(TrashTest, EmptiesAfterAnyCrash) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  tripped->product.retries.attempts_max = 1;
  FailingCalls calls(wire);
  while (calls.Next()) {
    for (int i = 0; i < 2; ++i) {
      Trashed(ada_, StrCat("content ", calls.turn(), " ", i));
    }
    ASSERT_TRUE(flows::EmptyTrash(product(), ada_).ok());
    const auto work = product().backlog.Lease();
    ASSERT_TRUE(work.ok() && *work);
    calls.Arm();
    calls.Note(flows::ContinueEmptyTrash(tripped->product, **work).ok());
    // Nobody gives the work back: the worker is dead, and its lease ends.
    clock_.AdvanceMs(kHourMs);
    Drain();
    ASSERT_THAT(Postings(ada_), IsEmpty()) << calls.n();
    ASSERT_EQ(Limit(ada_), kLimit) << calls.n();
  }
  EXPECT_GT(calls.turn(), 10);
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that an operator may take an emptying out of the backlog, and that the rest stays.
TEST_F(TrashTest, AnEmptyingCanBePurged) {
  const std::string id = Trashed(ada_, "pixels");
  ASSERT_TRUE(flows::EmptyTrash(product(), ada_).ok());
  const auto work = product().backlog.Find(flows::EmptyTrashWorkId(ada_.id));
  ASSERT_TRUE(work.ok() && *work);
  ASSERT_TRUE(flows::PurgeWork(product(), **work).ok());
  EXPECT_EQ(Drain(), 0);
  EXPECT_THAT(Listed(ada_), ElementsAre(id));
}

// Proves that images from before there were postings are posted by the upgrade, with the times of
// their deletions, wherever it is cut off; and that one without a deletion gets one.
TEST_F(TrashTest, TheUpgradePostsWhatWasThere) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  tripped->product.retries.attempts_max = 1;
  const std::string first = Trashed(ada_, "first");
  const std::string second = Trashed(bob_, "second");
  const std::string forgotten = Trashed(bob_, "forgotten");
  const std::string kept = Upload(ada_, "kept").id;
  Drain();
  FailingCalls calls(wire);
  while (calls.Next()) {
    // Or what the product writes anew would pass for a request that was sent twice.
    clock_.AdvanceMs(kHourMs);
    RemovePostings(ada_);
    RemovePostings(bob_);
    Work upgrade;
    upgrade.id = "upgrade-2";
    upgrade.type = flows::kUpgradeWork;
    upgrade.input = {{"step", "2"}};
    ASSERT_TRUE(contexts::Transaction(StrCat("again ", calls.turn()))
                    .Add(product().backlog.Enqueue(upgrade))
                    .Add(product().backlog.Withdraw(flows::DeleteWorkId(forgotten)))
                    .Commit(product().database)
                    .ok());
    flows::UpgradeProgress progress(product());
    EXPECT_FALSE(*progress.IsDone(flows::kTrashPostingsStep));
    EXPECT_THAT(Findings(), IsEmpty()) << "what is yet to come is no finding";
    const auto work = product().backlog.Lease();
    ASSERT_TRUE(work.ok() && *work);
    calls.Arm();
    calls.Note(Steps(tripped->product).at(std::string(flows::kUpgradeWork)).run(**work).ok());
    clock_.AdvanceMs(kHourMs);
    Drain();
    EXPECT_TRUE(*progress.IsDone(flows::kTrashPostingsStep)) << calls.n();
    ASSERT_THAT(Postings(ada_), ElementsAre(PostingOf(first))) << calls.n();
    ASSERT_THAT(Postings(bob_), ElementsAre(PostingOf(second), PostingOf(forgotten))) << calls.n();
    EXPECT_EQ(List(ada_).images[0].deletes_ms, DueMs(first));
    EXPECT_EQ(List(bob_).images[0].deletes_ms, DueMs(forgotten));
    ASSERT_THAT(Findings(), IsEmpty()) << calls.n();
  }
  EXPECT_GT(calls.turn(), 10);
  EXPECT_TRUE(ImageItem(kept));
}

// Proves that the upgrade looks at every image, however many turns that takes, and that a restore
// or a trash at any call of a turn is neither undone nor missed.
TEST_F(TrashTest, TheUpgradeGoesOverAllAndGivesWay) {
  std::vector<std::string> trashed;
  for (int i = 0; i < 1100; ++i) {
    Image image;
    image.id = StrCat("image-", i);
    image.user_id = ada_.id;
    image.uploaded_at = "2026-01-01T00:00:00.000Z";
    if (i % 100 == 0) {
      image.trashed_at = "2026-01-02T00:00:00.000Z";
      trashed.push_back(image.id);
    }
    Write(ToItem(image));
  }
  flows::UpgradePosition position;
  const flows::UpgradeParts parts{product().database, product().backlog, clock_, product().retries,
                                  product().config};
  int turns = 1;
  for (auto next = flows::PostOldTrash(parts, position);; ++turns) {
    ASSERT_TRUE(next.ok());
    if (!*next) {
      break;
    }
    next = flows::PostOldTrash(parts, **next);
  }
  EXPECT_EQ(turns, 3);
  EXPECT_THAT(Postings(ada_), SizeIs(trashed.size()));

  bool reached = true;
  for (int n = 1; reached; ++n) {
    ASSERT_LT(n, 60);
    clock_.AdvanceMs(kHourMs);
    RemovePostings(ada_);
    Tripwire wire;
    TrippedStores stores(database_->AsServer(), *blobs_, wire);
    reached = false;
    wire.Interrupt(n, [&] {
      reached = true;
      ASSERT_TRUE(flows::RestoreImage(product(), ada_, trashed[0]).ok());
      ASSERT_TRUE(flows::TrashImage(product(), ada_, "image-1").ok());
    });
    contexts::backlog::Backlog backlog({}, stores.database(), clock_);
    const flows::UpgradeParts tripped{stores.database(), backlog, clock_, product().retries,
                                      product().config};
    position.clear();
    for (auto next = flows::PostOldTrash(tripped, position); next.ok() && *next;) {
      next = flows::PostOldTrash(tripped, **next);
    }
    if (reached) {
      EXPECT_THAT(Postings(ada_), Not(testing::Contains(HasSubstr(StrCat("#", trashed[0])))));
      EXPECT_THAT(Postings(ada_), testing::Contains(PostingOf("image-1"))) << n;
      EXPECT_THAT(Postings(ada_), SizeIs(trashed.size()));
      ASSERT_TRUE(flows::TrashImage(product(), ada_, trashed[0]).ok());
      ASSERT_TRUE(flows::RestoreImage(product(), ada_, "image-1").ok());
    }
  }
}

// Proves that an upload of bytes that are in the trash says that the image came back, and is shared
// if the upload wants that; one of bytes that are not does neither.
TEST_F(TrashTest, AnUploadSaysThatItsImageCameBack) {
  const std::string id = Trashed(ada_, "same");
  flows::UploadRequest request{"again.png"};
  request.visibility = contexts::people::Visibility::kShared;
  for (const bool restored : {true, false}) {
    const auto upload = Begin(ada_, "again.png");
    const auto bytes = WriteBytes(upload.id, "same");
    const auto again = flows::CompleteUpload(product(), ada_, upload, request, bytes);
    ASSERT_TRUE(again.ok()) << again.error().message();
    EXPECT_EQ(again->image.id, id);
    EXPECT_TRUE(again->duplicate);
    EXPECT_EQ(again->restored, restored);
    EXPECT_EQ(again->shared, restored);
  }
  EXPECT_THAT(Postings(ada_), IsEmpty());
}

// Proves that a long upload says so even if it was cut off after it had taken the image out, and to
// whoever asks again.
TEST_F(TrashTest, ALongUploadSaysSoAfterAnyCrash) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  tripped->product.retries.attempts_max = 1;
  const std::string id = Trashed(ada_, "same");
  for (FailingCalls calls(wire); calls.Next();) {
    ASSERT_TRUE(flows::TrashImage(product(), ada_, id).ok());
    flows::LongUpload announced;
    announced.length = 4;
    const auto upload = flows::BeginLongUpload(product(), ada_, {"again.png"}, announced);
    ASSERT_TRUE(upload.ok());
    const auto bytes = WriteBytes(upload->id, "same");
    calls.Arm();
    auto done = flows::CompleteUpload(tripped->product, ada_, *upload, {"again.png"}, bytes);
    calls.Note(done.ok());
    if (!done.ok()) {
      const auto open = flows::FindOwnUpload(product(), ada_, upload->id);
      if (open.ok()) {
        // As who goes on with it does: from what is recorded.
        const auto ended =
            flows::CompleteUpload(product(), ada_, *open, flows::RequestOf(*open), bytes);
        ASSERT_TRUE(ended.ok()) << ended.error().message();
        EXPECT_TRUE(ended->restored) << calls.n();
      }
    }
    const auto known = flows::FindCompletedUpload(product(), ada_, upload->id);
    ASSERT_TRUE(known.ok() && *known) << calls.n();
    EXPECT_EQ((*known)->image.id, id);
    EXPECT_TRUE((*known)->duplicate && (*known)->restored) << calls.n();
    EXPECT_EQ(Limit(ada_), kLimit - 1);
    // The rest of the upload that a crash left goes when its time has passed.
    ASSERT_TRUE(flows::AbandonUpload(product(), upload->id).ok());
  }
}

// Proves that somebody who has no uploads left is told of the trash if there is something in it,
// and gets them back by emptying it.
TEST_F(TrashTest, TheLimitTellsOfTheTrash) {
  const std::string id = Trashed(ada_, "pixels");
  ASSERT_TRUE(tables::BlockingDatabase(*database_)
                  .UpdateItem({"sparks",
                               contexts::ItemBuilder()
                                   .Text("PK", StrCat("LIMIT#", ada_.email))
                                   .Text("SK", ada_.email)
                                   .Build(),
                               contexts::UpdateOf(
                                   "SET #limit = :none",
                                   {{{"#limit", "limit"}}, {{":none", tables::Value::Integer(0)}}}),
                               {}})
                  .ok());
  const auto refused = flows::BeginUpload(product(), ada_, {"more.png"});
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(refused.error().Is(contexts::people::kUploadLimitReached));
  EXPECT_THAT(refused.error().message(), HasSubstr("emptying it gives uploads back"));
  ASSERT_TRUE(flows::EmptyTrash(product(), ada_).ok());
  Drain();
  EXPECT_EQ(Limit(ada_), 1);
  ASSERT_TRUE(flows::BeginUpload(product(), ada_, {"more.png"}).ok());
  const auto again = flows::BeginUpload(product(), ada_, {"more.png"});
  ASSERT_FALSE(again.ok());
  EXPECT_THAT(again.error().message(), Not(HasSubstr("trash")));
}

// Proves that the scrub compares postings and images both ways.
TEST_F(TrashTest, TheScrubComparesBothWays) {
  const std::string id = Trashed(ada_, "pixels");
  const std::string posting = PostingOf(id);
  RemovePostings(ada_);
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("missing-posting")));
  const auto post = [&](const std::string& sort) {
    Write(contexts::ItemBuilder()
              .Text("PK", StrCat("TRASH#", ada_.id))
              .Text("SK", sort)
              .Text("imageId", id)
              .Integer("deletesAt", 0)
              .Build(),
          "tintype");
  };
  post(posting);
  EXPECT_THAT(Findings(), IsEmpty());
  post(StrCat("2020-01-01T00:00:00.000Z#", id));
  EXPECT_THAT(Findings(), ElementsAre(HasSubstr("stale-posting")));
}

// Proves that the list shows what the records say, whatever postings others have written.
TEST_F(TrashTest, ShowsNothingThatIsNotThere) {
  const std::string bobs = Trashed(bob_, "bob's");
  const std::string listed = Upload(ada_, "listed").id;
  Drain();
  for (const std::string& id : {bobs, listed, std::string("none"), std::string(2000, 'x')}) {
    Write(contexts::ItemBuilder()
              .Text("PK", StrCat("TRASH#", ada_.id))
              .Text("SK", StrCat(TimeText(clock_.NowMs()), "#", id.substr(0, 900)))
              .Text("imageId", id)
              .Integer("deletesAt", clock_.NowMs() + kDayMs)
              .Build(),
          "tintype");
  }
  EXPECT_THAT(Listed(ada_), IsEmpty());
  ASSERT_TRUE(flows::EmptyTrash(product(), ada_).ok());
  Drain();
  EXPECT_TRUE(ImageItem(bobs));
  EXPECT_TRUE(ImageItem(listed));
  EXPECT_EQ(Limit(bob_), kLimit - 1);
}

}  // namespace
}  // namespace tintype::product
