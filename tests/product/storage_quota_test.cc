#include "flows/uploads/storage_quota.h"

#include <gmock/gmock.h>

#include <atomic>

#include "base/random.h"
#include "base/strings.h"
#include "blobs/testing/whole_blobs.h"
#include "contexts/backlog/backlog.h"
#include "contexts/common/transaction.h"
#include "flows/accounts/manage_accounts.h"
#include "flows/images/delete_image.h"
#include "flows/images/develop.h"
#include "flows/images/edit_image.h"
#include "flows/images/trash.h"
#include "flows/media_keys.h"
#include "flows/upkeep/rebuild.h"
#include "flows/uploads/recount_storage.h"
#include "product_fixture.h"
#include "tripwire.h"

// How many bytes accounts store: what is counted, what is refused, and that whatever is given back
// is given back once.

namespace tintype::product {
namespace {

using contexts::Transaction;
using contexts::backlog::Work;
using contexts::intake::kNoQuota;
using contexts::intake::kQuotaExceeded;
using contexts::intake::Quotas;
using contexts::intake::StorageUse;
using flows::Account;
using testing::HasSubstr;

class StorageQuotaTest : public ProductTest {
 protected:
  flows::ProductConfig Config() const override {
    flows::ProductConfig config = ProductTest::Config();
    config.upload_limit = 10'000;
    return config;
  }
  StorageUse Use(const Account& account) {
    const auto use = Quotas(*database_).Find(account.id);
    CHECK(use.ok());
    return *use;
  }
  void SetQuota(const Account& account, int64_t quota) {
    ASSERT_TRUE(flows::ChangeAccount(product(), {}, account.id, {.quota = quota}).ok());
    EXPECT_EQ(Use(account).quota(), quota);
  }
  /// What the blob store keeps of an image.
  int64_t Kept(const std::string& id) {
    int64_t bytes = 0;
    for (const std::string& key : Blobs(Config().images_bucket)) {
      if (key.starts_with(flows::StoredFolder(id))) {
        const auto info = blobs_->Head({Config().images_bucket, key});
        CHECK(info.ok() && *info);
        bytes += static_cast<int64_t>((*info)->bytes);
      }
    }
    return bytes;
  }
  /// What the images and uploads of an account are charged with, one by one.
  int64_t Charged(const Account& account) {
    int64_t bytes = 0;
    for (const tables::Item& item : Items("tintype")) {
      if (TextOf(item, "PK") == StrCat("QUOTA#", account.id) && TextOf(item, "SK") != "QUOTA") {
        bytes += IntegerOf(item, "bytes").value_or(0);
      }
    }
    return bytes;
  }
  contexts::jobs::Job Edit(const Account& account, const std::string& id) {
    const auto job =
        flows::CreateJob(product(), account, {id, "local", R"([{"op":"rotate","degrees":90}])"});
    CHECK(job.ok());
    return *job;
  }
  contexts::jobs::Job FindJob(const std::string& id) {
    const auto job = product().jobs.Find(id);
    CHECK(job.ok() && *job);
    return **job;
  }
  Result<contexts::intake::Upload> BeginWith(const Account& account, int64_t length) {
    flows::UploadRequest request{"photo.png"};
    request.length = length;
    return flows::BeginUpload(product(), account, request);
  }
  void Delete(const Account& account, const std::string& id) {
    ASSERT_TRUE(flows::DeleteImageNow(product(), account, id).ok());
    Drain();
  }
  void ForgetQuotaItem(const std::string& partition, const std::string& sort) {
    const auto key = contexts::ItemBuilder().Text("PK", partition).Text("SK", sort).Build();
    ASSERT_TRUE(tables::BlockingDatabase(*database_).DeleteItem({"tintype", key, {}}).ok());
  }
  /// As a gallery is from before there were quotas.
  void ForgetQuotas() {
    for (const tables::Item& item : Items("tintype")) {
      if (TextOf(item, "PK").starts_with("QUOTA#")) {
        ForgetQuotaItem(TextOf(item, "PK"), TextOf(item, "SK"));
      }
    }
  }
  void Commit(contexts::Pieces pieces) {
    ASSERT_TRUE(Transaction(StrCat("test ", RandomUuid()))
                    .Add(std::move(pieces))
                    .Commit(product().database, product().retries)
                    .ok());
  }
  /// Says that the account uses so much more than it is charged with.
  void DamageTotal(const Account& account, int64_t more) {
    const int64_t used = Use(account).used;
    Commit({Quotas::SetUsed(account.id, used, used + more)});
  }
  void Recount() {
    ASSERT_TRUE(flows::StartRecount(product()).ok());
    Drain();
    ASSERT_TRUE(flows::FindRecount(product()).value()->ended);
  }
};

// Proves that what is counted is what is kept: the original, its renditions, edits with theirs; and
// that a rebuild, a revert and the trash change nothing, and deletion gives back all of it.
TEST_F(StorageQuotaTest, CountsOriginalsRenditionsAndEdits) {
  const Account ada = SignUp("ada");
  EXPECT_FALSE(Use(ada).has_quota());
  const std::string id = Upload(ada, "pixels").id;
  EXPECT_EQ(Use(ada).used, 6);
  Drain();
  const int64_t developed = Use(ada).used;
  EXPECT_GT(developed, 6);
  EXPECT_EQ(developed, Kept(id));
  Edit(ada, id);
  Drain();
  const int64_t edited = Use(ada).used;
  EXPECT_GT(edited, developed);
  EXPECT_EQ(edited, Kept(id));
  ASSERT_TRUE(flows::StartRebuild(product(), {.which = flows::RebuildRequest::Which::kAll}).ok());
  for (int turn = 0; turn < 5; ++turn) {
    Drain();
    clock_.AdvanceMs(2 * kSecondMs);
  }
  EXPECT_EQ(Use(ada).used, Kept(id));
  EXPECT_EQ(Charged(ada), Kept(id));
  const std::string other = UploadDeveloped(ada, "others").id;
  EXPECT_EQ(Use(ada).used, Kept(id) + Kept(other));
  ASSERT_TRUE(flows::TrashImage(product(), ada, id).ok());
  EXPECT_EQ(Use(ada).used, Kept(id) + Kept(other)) << "the trash counts";
  Delete(ada, id);
  EXPECT_EQ(Use(ada).used, Kept(other));
  EXPECT_EQ(TracesOf(id), std::vector<std::string>());
  Delete(ada, other);
  EXPECT_EQ(Use(ada).used, 0);
  EXPECT_FALSE(Use(ada).has_quota());
}

// Proves that a rebuild does not count an edit away that ended since it looked: it looks again.
TEST_F(StorageQuotaTest, ARebuildSeesEditsThatEndMeanwhile) {
  const Account ada = SignUp("ada");
  const std::string id = UploadDeveloped(ada, "pixels").id;
  Work rebuild;
  rebuild.id = "rebuild";
  rebuild.type = flows::kDevelopWork;
  rebuild.uuid = id;
  ASSERT_TRUE(Transaction("queue")
                  .Add(product().backlog.Enqueue(rebuild))
                  .Commit(product().database, product().retries)
                  .ok());
  const auto leased = product().backlog.Lease();
  ASSERT_TRUE(leased.ok() && *leased);
  flows::DevelopResult result;
  result.seen_charge = *Quotas(*database_).FindCharge(ada.id, id);
  result.made_bytes = 1;
  const auto finish = [&] {
    return flows::FinishDevelopment(product(), **leased, result, "2026-01-01T00:00:00.000Z");
  };
  constexpr int64_t kEditBytes = 1'000;
  const int64_t edited = Use(ada).used + kEditBytes;
  ASSERT_TRUE(Transaction("edit")
                  .Add(Quotas::Charge(ada.id, id, *result.seen_charge, edited))
                  .Commit(product().database, product().retries)
                  .ok());
  const Status finished = finish();
  ASSERT_FALSE(finished.ok());
  EXPECT_TRUE(finished.error().Is(contexts::intake::kChargeIsAnother));
  EXPECT_EQ(Use(ada).used, edited);
  result.seen_charge = *Quotas(*database_).FindCharge(ada.id, id);
  ASSERT_TRUE(finish().ok());
  EXPECT_EQ(Use(ada).used, 7);
}

// Proves that an upload that does not fit is refused when it begins, that one that turns out to be
// larger is refused at its end, and that either leaves nothing behind.
TEST_F(StorageQuotaTest, RefusesWhatDoesNotFit) {
  const Account ada = SignUp("ada");
  SetQuota(ada, 100);
  const auto refused = BeginWith(ada, 101);
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(refused.error().Is(kQuotaExceeded));
  EXPECT_THAT(refused.error().message(), HasSubstr("You use 0 bytes of the 100 bytes"));
  EXPECT_EQ(Limit(ada), 10'000);
  EXPECT_EQ(Use(ada).used, 0);

  const auto upload = BeginWith(ada, 100);
  ASSERT_TRUE(upload.ok());
  EXPECT_EQ(Use(ada).free, 0);
  const auto unknown = BeginWith(ada, 0);
  ASSERT_FALSE(unknown.ok()) << "nothing is left, however little it may be";
  EXPECT_TRUE(unknown.error().Is(kQuotaExceeded));
  // Less came than was announced.
  const auto bytes = WriteBytes(upload->id, std::string(40, 'a'));
  ASSERT_TRUE(flows::CompleteUpload(product(), ada, *upload, {"photo.png"}, bytes).ok());
  EXPECT_EQ(Use(ada).used, 40);
  // More came.
  const auto silent = BeginWith(ada, 0);
  ASSERT_TRUE(silent.ok());
  const auto more = WriteBytes(silent->id, std::string(61, 'b'));
  const auto too_large = flows::CompleteUpload(product(), ada, *silent, {"photo.png"}, more);
  ASSERT_FALSE(too_large.ok());
  EXPECT_TRUE(too_large.error().Is(kQuotaExceeded));
  EXPECT_THAT(too_large.error().message(), HasSubstr("this needs 61 bytes more"));
  ASSERT_TRUE(flows::AbandonUpload(product(), silent->id).ok());
  // More than was announced: what that took already is not asked for again.
  const auto announced = BeginWith(ada, 50);
  ASSERT_TRUE(announced.ok());
  const auto grown = WriteBytes(announced->id, std::string(61, 'd'));
  const auto refused_grown =
      flows::CompleteUpload(product(), ada, *announced, {"photo.png"}, grown);
  ASSERT_FALSE(refused_grown.ok());
  EXPECT_THAT(refused_grown.error().message(), HasSubstr("this needs 11 bytes more"));
  ASSERT_TRUE(flows::AbandonUpload(product(), announced->id).ok());
  EXPECT_EQ(Use(ada).used, 40);
  EXPECT_EQ(TracesOf(silent->id), std::vector<std::string>());
  const auto fits = BeginWith(ada, 0);
  ASSERT_TRUE(fits.ok());
  const auto exact = WriteBytes(fits->id, std::string(60, 'c'));
  ASSERT_TRUE(flows::CompleteUpload(product(), ada, *fits, {"photo.png"}, exact).ok());
  EXPECT_EQ(Use(ada).free, 0);
  EXPECT_EQ(Charged(ada), 100);
  // Renditions are taken all the same, and then nothing more fits.
  Drain();
  EXPECT_LT(Use(ada).free, 0);
  EXPECT_FALSE(BeginWith(ada, 1).ok());
  SetQuota(ada, kNoQuota);
  EXPECT_TRUE(BeginWith(ada, 1'000'000'000).ok());
}

// Proves that the bytes of a duplicate, a cancelled and an expired upload come back.
TEST_F(StorageQuotaTest, UploadsThatBecomeNoImageGiveBack) {
  const Account ada = SignUp("ada");
  UploadDeveloped(ada, "pixels");
  const int64_t used = Use(ada).used;
  const auto again = BeginWith(ada, 6);
  const auto bytes = WriteBytes(again->id, "pixels");
  ASSERT_TRUE(flows::CompleteUpload(product(), ada, *again, {"photo.png"}, bytes)->duplicate);
  EXPECT_EQ(Use(ada).used, used);
  const auto cancelled = BeginWith(ada, 500);
  EXPECT_EQ(Use(ada).used, used + 500);
  ASSERT_TRUE(flows::AbandonUpload(product(), cancelled->id).ok());
  ASSERT_TRUE(flows::AbandonUpload(product(), cancelled->id).ok());
  EXPECT_EQ(Use(ada).used, used);
  ASSERT_TRUE(BeginWith(ada, 700).ok());
  clock_.AdvanceMs(2 * kDayMs);
  Drain();
  EXPECT_EQ(Use(ada).used, used);
  EXPECT_EQ(Charged(ada), used);
}

// Proves that of many uploads at once no more are admitted than fit, and all that do.
TEST_F(StorageQuotaTest, ManyAtOnceAdmitWhatFits) {
  const Account ada = SignUp("ada");
  SetQuota(ada, 1'000);
  std::atomic<int> admitted = 0;
  InThreads(6, [&](int /*i*/) {
    for (int j = 0; j < 20; ++j) {
      const auto upload = BeginWith(ada, 30);
      EXPECT_TRUE(upload.ok() || upload.error().Is(kQuotaExceeded)) << upload.error().message();
      admitted += upload.ok() ? 1 : 0;
    }
  });
  EXPECT_EQ(admitted, 33);
  EXPECT_EQ(Use(ada).used, 990);
  EXPECT_EQ(Charged(ada), 990);
}

// Proves that a crash at any call of an upload's end, of developing and of a deletion leaves the
// account with what it stores, once all is done.
TEST_F(StorageQuotaTest, EveryCrashCountsOnce) {
  const Account ada = SignUp("ada");
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  for (FailingCalls calls(wire); calls.Next();) {
    const auto upload = BeginWith(ada, 100);
    ASSERT_TRUE(upload.ok());
    calls.Arm();
    calls.Note(flows::AbandonUpload(tripped->product, upload->id).ok());
    ASSERT_TRUE(flows::AbandonUpload(product(), upload->id).ok());
    ASSERT_EQ(Use(ada).used, 0) << "given up " << calls.n();
  }
  for (FailingCalls calls(wire); calls.Next();) {
    const auto upload = BeginWith(ada, 0);
    ASSERT_TRUE(upload.ok());
    const auto bytes = WriteBytes(upload->id, StrCat("pixels ", calls.turn()));
    calls.Arm();
    calls.Note(flows::CompleteUpload(tripped->product, ada, *upload, {"photo.png"}, bytes).ok() &&
               DoOne(tripped->product) && ImageItem(upload->id) &&
               TextOf(ImageItem(upload->id), "processingStatus") == "completed");
    ASSERT_TRUE(flows::CompleteUpload(product(), ada, *upload, {"photo.png"}, bytes).ok());
    clock_.AdvanceMs(kHourMs);
    Drain();
    ASSERT_EQ(Use(ada).used, Kept(upload->id)) << "developed " << calls.n();
    Edit(ada, upload->id);
    Drain();
    ASSERT_EQ(Use(ada).used, Kept(upload->id)) << "edited " << calls.n();
    ASSERT_TRUE(flows::DeleteImageNow(product(), ada, upload->id).ok());
    calls.Arm();
    DoOne(tripped->product);
    clock_.AdvanceMs(kHourMs);
    Drain();
    ASSERT_EQ(Use(ada).used, 0) << "deleted " << calls.n();
    ASSERT_EQ(TracesOf(upload->id), std::vector<std::string>());
  }
  EXPECT_EQ(Charged(ada), 0);
}

// Proves that a crash at any call of an edit's work leaves the account with what it stores, once
// all is done.
TEST_F(StorageQuotaTest, EveryCrashOfAnEditCountsOnce) {
  const Account ada = SignUp("ada");
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  for (FailingCalls calls(wire); calls.Next();) {
    const std::string id = UploadDeveloped(ada, StrCat("pixels ", calls.turn())).id;
    const int64_t before = Use(ada).used;
    const std::string job = Edit(ada, id).id;
    calls.Arm();
    calls.Note(DoOne(tripped->product) &&
               FindJob(job).status == contexts::jobs::JobStatus::kCompleted);
    clock_.AdvanceMs(kHourMs);
    Drain();
    ASSERT_EQ(FindJob(job).status, contexts::jobs::JobStatus::kCompleted) << calls.n();
    ASSERT_GT(Use(ada).used, before) << calls.n();
    ASSERT_EQ(Use(ada).used, Kept(id)) << calls.n();
    ASSERT_EQ(Charged(ada), Kept(id)) << calls.n();
    Delete(ada, id);
    ASSERT_EQ(Use(ada).used, 0) << calls.n();
  }
}

// Proves that edits are refused before they are queued when there is no room, and that those that
// were queued while there was fail when there is none any more.
TEST_F(StorageQuotaTest, EditsNeedRoom) {
  const Account ada = SignUp("ada");
  const std::string id = UploadDeveloped(ada, "pixels").id;
  SetQuota(ada, Use(ada).used + 6);
  const std::string first = Edit(ada, id).id;
  const std::string second = Edit(ada, id).id;
  Drain();
  EXPECT_EQ(FindJob(first).status, contexts::jobs::JobStatus::kCompleted);
  EXPECT_EQ(FindJob(second).status, contexts::jobs::JobStatus::kFailed);
  EXPECT_EQ(FindJob(second).error->code, "QUOTA_EXCEEDED");
  EXPECT_EQ(Use(ada).used, Kept(id));
  const auto refused = flows::CreateJob(product(), ada, {id, "local", "[]"});
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(refused.error().Is(kQuotaExceeded));
}

// Proves that galleries from before are counted: by the upgrade's work, in turns, over crashes,
// while uploads go on; that counting again changes nothing; and that images which were not counted
// yet can be deleted.
TEST_F(StorageQuotaTest, OldGalleriesAreCounted) {
  const Account ada = SignUp("ada");
  const Account bob = SignUp("bob");
  constexpr int kImages = 130;
  int64_t kept = 0;
  std::string last;
  for (int i = 0; i < kImages; ++i) {
    last = Upload(ada, StrCat("pixels ", i)).id;
  }
  Drain();
  Edit(ada, last);
  const std::string uncounted = UploadDeveloped(bob, "pixels").id;
  const std::string others = UploadDeveloped(bob, "others").id;
  kept = Use(ada).used;
  ForgetQuotas();
  EXPECT_EQ(Use(ada).used, 0);
  Delete(bob, uncounted);
  EXPECT_EQ(Use(bob).used, 0);

  contexts::backlog::Backlog& backlog = product().backlog;
  ASSERT_TRUE(
      flows::QueueRecount({product().database, backlog, clock_, product().retries}, {}).ok());
  EXPECT_EQ(flows::FindRecount(product()).value()->seen, 0);
  ASSERT_TRUE(DoOne(product()));
  EXPECT_GT(flows::FindRecount(product()).value()->seen, 0);
  const std::string meanwhile = Upload(ada, "meanwhile").id;
  Open();
  Drain();
  EXPECT_TRUE(flows::FindRecount(product()).value()->ended);
  EXPECT_EQ(Use(ada).used, kept + Kept(meanwhile));
  EXPECT_EQ(Use(bob).used, Kept(others));
  EXPECT_EQ(Charged(ada), Use(ada).used);
  ASSERT_TRUE(flows::StartRecount(product()).ok());
  EXPECT_FALSE(flows::FindRecount(product()).value()->ended);
  ASSERT_TRUE(DoOne(product()));
  const int64_t seen = flows::FindRecount(product()).value()->seen;
  EXPECT_GT(seen, 0);
  ASSERT_TRUE(flows::StartRecount(product()).ok());
  EXPECT_EQ(flows::FindRecount(product()).value()->seen, seen) << "it goes on";
  Drain();
  EXPECT_TRUE(flows::FindRecount(product()).value()->ended);
  EXPECT_EQ(flows::FindRecount(product()).value()->seen, kImages + 2);
  clock_.AdvanceMs(kHourMs);
  Drain();
  EXPECT_FALSE(flows::FindRecount(product()).value());
  EXPECT_EQ(Use(ada).used, kept + Kept(meanwhile));
  EXPECT_EQ(Charged(ada), Use(ada).used);
}

// Proves that counting mends a total that is not the sum of its charges, or is lost, and keeps the
// quota; that charges go whose image is gone or another's, and those of uploads on their way stay.
TEST_F(StorageQuotaTest, CountingMendsTotalsAndStrayCharges) {
  const Account ada = SignUp("ada");
  const Account bob = SignUp("bob");
  SetQuota(ada, 50'000);
  const std::string id = UploadDeveloped(ada, "pixels").id;
  const int64_t used = Use(ada).used;
  for (const int64_t more : {int64_t{1'000}, -used, -used - 1}) {
    DamageTotal(ada, more);
    ASSERT_EQ(Use(ada).used, used + more);
    Recount();
    EXPECT_EQ(Use(ada).used, used);
    EXPECT_EQ(Use(ada).quota(), 50'000);
  }
  const auto upload = BeginWith(ada, 300);
  ASSERT_TRUE(upload.ok());
  Commit(Quotas::Charge(ada.id, "01ARZ3NDEKTSV4RRFFQ69G5FAV", {}, 500));
  Commit(Quotas::Charge(bob.id, upload->id, {}, 700));
  EXPECT_EQ(Use(ada).used, used + 800);
  Recount();
  EXPECT_EQ(Use(ada).used, used + 300);
  EXPECT_EQ(Charged(ada), used + 300);
  EXPECT_EQ(Use(ada).quota(), 50'000);
  EXPECT_EQ(Use(bob).used, 0);
  EXPECT_EQ(Charged(bob), 0);
  ASSERT_TRUE(flows::AbandonUpload(product(), upload->id).ok());

  // Somebody hands the image over, in the table alone.
  Commit({contexts::UpdatePiece(
      "ImageMetadata", contexts::catalog::ImageKey(id),
      contexts::UpdateOf("SET userId = :bob", {{}, {{":bob", tables::Value::String(bob.id)}}}))});
  Recount();
  EXPECT_EQ(Use(ada).used, 0);
  EXPECT_EQ(Charged(ada), 0);
  EXPECT_EQ(Use(bob).used, Kept(id));

  ForgetQuotaItem(StrCat("QUOTA#", bob.id), "QUOTA");
  EXPECT_EQ(Use(bob).used, 0);
  Recount();
  EXPECT_EQ(Use(bob).used, Kept(id));
  EXPECT_FALSE(Use(bob).has_quota());
}

// Proves that totals and stray charges are mended once, whichever call of that fails.
TEST_F(StorageQuotaTest, MendingGoesOnAfterEveryCrash) {
  const Account ada = SignUp("ada");
  const std::string id = UploadDeveloped(ada, "pixels").id;
  const int64_t used = Use(ada).used;
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  for (FailingCalls calls(wire); calls.Next();) {
    DamageTotal(ada, 1'000);
    Commit(Quotas::Charge(ada.id, StrCat("stray ", calls.turn()), {}, 500));
    ASSERT_TRUE(flows::StartRecount(product()).ok());
    ASSERT_TRUE(DoOne(product())) << "the images";
    calls.Arm();
    DoOne(tripped->product);
    calls.Note(flows::FindRecount(product()).value()->ended);
    clock_.AdvanceMs(kHourMs);
    Drain();
    ASSERT_EQ(Use(ada).used, used) << calls.n();
    ASSERT_EQ(Charged(ada), used) << calls.n();
    clock_.AdvanceMs(kHourMs);
    Drain();
    ASSERT_FALSE(flows::FindRecount(product()).value()) << calls.n();
  }
}

// Proves that what a rebuild has made before it failed for good is counted.
TEST_F(StorageQuotaTest, ARebuildThatFailsIsCounted) {
  const Account ada = SignUp("ada");
  const std::string id = UploadDeveloped(ada, "pixels").id;
  Edit(ada, id);
  Drain();
  const std::string bucket = Config().images_bucket;
  const blobs::BlobKey thumb{bucket, flows::StoredKey(id, 0, flows::Size::kThumb)};
  ASSERT_TRUE(blobs::PutBlob(*blobs_, thumb, std::string(5'000, 'a')).ok());
  Recount();
  EXPECT_EQ(Use(ada).used, Kept(id));
  const int64_t before = Use(ada).used;
  const blobs::BlobKey full{bucket, flows::StoredKey(id, 1, flows::Size::kFull)};
  const auto lost = blobs_->Head(full);
  ASSERT_TRUE(lost.ok() && *lost);
  ASSERT_TRUE(blobs_->Delete(full).ok());
  ASSERT_TRUE(flows::StartRebuild(product(), {.which = flows::RebuildRequest::Which::kAll}).ok());
  for (int turn = 0; turn < 5; ++turn) {
    Drain();
    clock_.AdvanceMs(2 * kSecondMs);
  }
  const auto work = product().backlog.Find(StrCat(flows::kRebuildImageWork, "-", id));
  ASSERT_TRUE(work.ok() && *work);
  EXPECT_EQ((*work)->status, contexts::backlog::WorkStatus::kDead);
  EXPECT_LT(Use(ada).used, before);
  // The record says how large the edit was that is lost.
  EXPECT_EQ(Use(ada).used, Kept(id) + static_cast<int64_t>((*lost)->bytes));
  EXPECT_EQ(Charged(ada), Use(ada).used);
}

// Proves that an image which is edited or deleted while it is counted is counted as it is then.
TEST_F(StorageQuotaTest, CountingSeesWhatChangesMeanwhile) {
  const Account ada = SignUp("ada");
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  for (const bool remove : {false, true}) {
    bool tripped_once = true;
    for (int n = 1; tripped_once; ++n) {
      ASSERT_LT(n, 120);
      const std::string id = UploadDeveloped(ada, StrCat("pixels ", n, remove ? " r" : " e")).id;
      ForgetQuotas();
      ASSERT_TRUE(flows::StartRecount(product()).ok());
      const auto work = product().backlog.Lease();
      ASSERT_TRUE(work.ok() && *work);
      wire.Interrupt(n, [&] {
        if (remove) {
          ASSERT_TRUE(flows::DeleteImageNow(product(), ada, id).ok());
        } else {
          Edit(ada, id);
        }
        Drain();
      });
      ASSERT_TRUE(flows::ContinueRecount(tripped->product, **work).ok()) << n;
      while (DoOne(tripped->product)) {
      }
      tripped_once = wire.tripped();
      ASSERT_EQ(Use(ada).used, Kept(id)) << (remove ? "deleted at " : "edited at ") << n;
      ASSERT_EQ(Charged(ada), Kept(id));
      if (ImageItem(id)) {
        Delete(ada, id);
      }
    }
  }
}

// Proves what new accounts start with, and that a role brings its quota.
TEST_F(StorageQuotaTest, RolesAndNewAccountsHaveTheirQuota) {
  const Account root = Administrator();
  flows::ProductConfig config = Config();
  config.quota = 5'000;
  Wiring wiring(config, database_->AsServer(), *blobs_, *spool_, room_, clock_, ids_);
  const auto bob = flows::AddAccount(wiring.product, {"bob@example.com", "bob", "hash"});
  ASSERT_TRUE(bob.ok());
  EXPECT_EQ(Use(*bob).quota(), 5'000);
  EXPECT_FALSE(Use(root).has_quota());
  const auto change = [&](const flows::AccountChange& what) {
    const auto changed = flows::ChangeAccount(wiring.product, {root.id}, bob->id, what);
    CHECK(changed.ok());
    return changed->storage;
  };
  EXPECT_FALSE(change({.administrator = true}).has_quota());
  EXPECT_EQ(change({.administrator = false}).quota(), 5'000);
  EXPECT_EQ(change({.quota = 7}).quota(), 7);
  EXPECT_FALSE(change({.quota = kNoQuota}).has_quota());
  for (const int64_t wrong : {int64_t{-1}, kNoQuota - 1}) {
    // Of a change with a number that cannot be, nothing happens.
    const auto refused = flows::ChangeAccount(wiring.product, {root.id}, bob->id,
                                              {.administrator = true, .quota = wrong});
    EXPECT_EQ(KindOf(refused), ErrorKind::kValidation);
    EXPECT_FALSE((*product().accounts.Find(bob->id))->administrator);
  }
  const auto listed = flows::ListAccounts(product(), 10, {});
  ASSERT_TRUE(listed.ok());
  EXPECT_EQ(listed->accounts.size(), 2U);
}

}  // namespace
}  // namespace tintype::product
