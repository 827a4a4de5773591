#include "flows/uploads/resumable_upload.h"

#include <gmock/gmock.h>

#include <atomic>

#include "base/strings.h"
#include "flows/images/trash.h"
#include "flows/media_keys.h"
#include "product_fixture.h"
#include "tripwire.h"

// Uploads that last longer than one request: every end of them, with a crash at any call in
// between.

namespace tintype::product {
namespace {

using contexts::intake::UploadKind;
using LongRecord = contexts::intake::Upload;
using flows::Account;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

// Enough for a file to be taken for one.
constexpr std::string_view kPngBegin = "\x89PNG\r\n\x1A\n";

class ResumableUploadTest : public ProductTest {
 protected:
  LongRecord BeginLong(const Account& account, const std::string& content,
                       UploadKind kind = UploadKind::kResumable) {
    const auto upload =
        flows::BeginLongUpload(product(), account, {"photo.png"},
                               {.kind = kind, .length = static_cast<int64_t>(content.size())});
    CHECK(upload.ok());
    return *upload;
  }

  /// Receives bytes from where the upload is, as a request that brings them does.
  Status Receive(flows::Product& of, const Account& account, const std::string& id,
                 std::string_view bytes) {
    ASSIGN_OR_RETURN(const auto claim, of.spool.Take(id));
    RETURN_IF_ERROR(claim->Begin());
    ASSIGN_OR_RETURN(LongRecord upload, flows::FindOwnUpload(of, account, id));
    ASSIGN_OR_RETURN(const int64_t offset, flows::KeptBytes(of, upload));
    ASSIGN_OR_RETURN(const auto file, of.spool.Open(*claim, static_cast<uint64_t>(offset)));
    RETURN_IF_ERROR(file->Append(bytes));
    upload.mime_type = "image/png";
    return flows::KeepProgress(of, upload, *file);
  }

  static Result<flows::CompletedUpload> Complete(flows::Product& of, const Account& account,
                                                 const std::string& id) {
    ASSIGN_OR_RETURN(auto claim, of.spool.Take(id));
    RETURN_IF_ERROR(claim->Begin());
    const Result<LongRecord> upload = flows::FindOwnUpload(of, account, id);
    if (!upload.ok() && upload.error().kind() == ErrorKind::kNotFound) {
      claim.reset();
      ASSIGN_OR_RETURN(auto completed, flows::FindCompletedUpload(of, account, id));
      return completed ? Result<flows::CompletedUpload>(*std::move(completed)) : upload.error();
    }
    if (!upload.ok()) {
      return upload.error();
    }
    return flows::CompleteSpooled(of, *claim, account, *upload);
  }

  /// What a start does after a crash.
  void Restart() {
    Open();
    ASSERT_TRUE(product().backlog.EndLeases().ok());
    ASSERT_TRUE(flows::RemoveOrphanedSpool(product()).ok());
  }

  Status PutDirect(const std::string& id, const std::string& content) {
    ASSIGN_OR_RETURN(const auto writer,
                     blobs_->Create({Config().uploads_bucket, flows::DirectKey(id)}));
    RETURN_IF_ERROR(writer->Write(content));
    RETURN_IF_ERROR(writer->Commit());
    return OkStatus();
  }
  Result<flows::CompletedUpload> CompleteDirect(flows::Product& of, const Account& account,
                                                const LongRecord& upload) {
    ASSIGN_OR_RETURN(const auto claim, spool_->Take(upload.id));
    RETURN_IF_ERROR(claim->Begin());
    return flows::CompleteDirect(of, *claim, account, upload, [](std::string_view /*first_bytes*/) {
      return std::string("image/png");
    });
  }
};

// Proves that an upload is its node's: another one neither goes on with it, nor gives it up when
// its time has come, nor removes its bytes at a start; and that it is given up at last if that node
// never comes back.
TEST_F(ResumableUploadTest, BelongsToOneNode) {
  const Account account = SignUp("ada");
  const auto other_spool = OpenSpool("other");
  const auto other = WireNode("other", *other_spool);
  const auto here = WireNode("here", *spool_);
  const std::string content(kPngBegin);
  const auto begun = flows::BeginLongUpload(here->product, account, {"photo.png"},
                                            {.kind = UploadKind::kResumable, .length = 8});
  ASSERT_TRUE(begun.ok());
  ASSERT_TRUE(Receive(here->product, account, begun->id, content).ok());
  EXPECT_EQ(KindOf(flows::FindOwnUpload(other->product, account, begun->id)),
            ErrorKind::kUnavailable);
  ASSERT_TRUE(flows::RemoveOrphanedSpool(other->product).ok());

  clock_.AdvanceMs(kDayMs + kSecondMs);
  ASSERT_TRUE(DoOne(other->product));
  EXPECT_TRUE(*product().intake.FindUpload(begun->id));
  clock_.AdvanceMs(60 * kSecondMs);
  ASSERT_TRUE(DoOne(here->product));  // All of its bytes are there.
  EXPECT_TRUE(ImageItem(begun->id));

  const auto lost = flows::BeginLongUpload(here->product, account, {"lost.png"},
                                           {.kind = UploadKind::kResumable, .length = 8});
  ASSERT_TRUE(lost.ok());
  clock_.AdvanceMs(2 * kDayMs + kSecondMs);
  while (DoOne(other->product)) {
  }
  EXPECT_FALSE(*product().intake.FindUpload(lost->id));
  EXPECT_EQ(Limit(account), 9);
}

// Proves that bytes that came in several requests, with a restart in between and with bytes that
// were never acknowledged, become the image, and that what its beginning said is remembered.
TEST_F(ResumableUploadTest, GoesOnAfterARestart) {
  const Account account = SignUp("ada");
  flows::UploadRequest request{"beach.png"};
  request.title = "The beach";
  request.album_id = "summer";
  request.visibility = contexts::people::Visibility::kShared;
  request.correlation_id = "a request";
  const auto upload =
      flows::BeginLongUpload(product(), account, request, {.length = 12, .metadata = "filename x"});
  ASSERT_TRUE(upload.ok());
  EXPECT_EQ(Limit(account), 9);
  ASSERT_TRUE(Receive(product(), account, upload->id, "hello ").ok());
  {
    const auto claim = spool_->Take(upload->id);
    ASSERT_TRUE(claim.ok() && (*claim)->Begin().ok());
    ASSERT_TRUE((*spool_->Open(**claim, 6))->Append("garb").ok());
  }
  Restart();
  auto found = flows::FindOwnUpload(product(), account, upload->id);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(*flows::KeptBytes(product(), *found), 6);
  EXPECT_EQ(found->metadata, "filename x");
  ASSERT_TRUE(Receive(product(), account, upload->id, "world!").ok());
  const auto completed = Complete(product(), account, upload->id);
  ASSERT_TRUE(completed.ok()) << completed.error().message();
  EXPECT_FALSE(completed->duplicate);
  EXPECT_TRUE(completed->shared);
  EXPECT_EQ(completed->image.id, upload->id);
  EXPECT_EQ(completed->image.title, "The beach");
  EXPECT_EQ(completed->image.album_id, "summer");
  EXPECT_EQ(completed->image.file_size, 12);
  EXPECT_EQ(completed->image.sha256,
            "7509e5bda0c762d2bac7f90d758b5b2263fa01ccbc542ab5e3df163be08e6ca9");
  EXPECT_EQ(TextOf(Get("sparks", {{"PK", upload->id}, {"SK", "UPLOADED_BY#ada@example.com"}}),
                   "entityType"),
            "IMAGE");
  EXPECT_THAT(*spool_->List(), IsEmpty());
  Drain();
  EXPECT_EQ(TextOf(ImageItem(upload->id), "processingStatus"), "completed");
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that whatever call fails while an upload is completed, and whether it was done or not,
// asking again ends it well, once, and that nothing is left over: neither after a restart nor
// without one.
TEST_F(ResumableUploadTest, CompletesInTheEnd) {
  const Account account = SignUp("ada");
  Tripwire wire;
  int uploads = 0;
  for (const bool restart : {false, true}) {
    for (FailingCalls calls(wire); calls.Next();) {
      const std::string content = StrCat("content ", ++uploads);
      const LongRecord upload = BeginLong(account, content);
      ASSERT_TRUE(Receive(product(), account, upload.id, content).ok());
      TrippedStores stores(database_->AsServer(), *blobs_, wire);
      const auto tripped = Wire(stores.database(), stores.blobs());
      calls.Arm();
      calls.Note(Complete(tripped->product, account, upload.id).ok());
      if (restart) {
        Restart();
      }
      const auto again = Complete(product(), account, upload.id);
      ASSERT_TRUE(again.ok()) << calls.n() << " " << again.error().message();
      EXPECT_EQ(again->image.id, upload.id);
      EXPECT_FALSE(again->duplicate);
      Drain();
      EXPECT_TRUE(flows::DeleteImageNow(product(), account, upload.id).ok());
      Drain();
      EXPECT_EQ(Limit(account), 10);
      EXPECT_THAT(TracesOf(upload.id), IsEmpty()) << calls.n();
    }
  }
  EXPECT_GE(uploads, 20);
  Restart();
  EXPECT_THAT(*spool_->List(), IsEmpty());
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves the same of an upload whose bytes the user has: the image that has them is answered, then
// and when it is asked again, and the limit comes back once.
TEST_F(ResumableUploadTest, AnswersADuplicate) {
  const Account account = SignUp("ada");
  const std::string first = UploadDeveloped(account, "same").id;
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  for (FailingCalls calls(wire); calls.Next();) {
    const LongRecord upload = BeginLong(account, "same");
    ASSERT_TRUE(Receive(product(), account, upload.id, "same").ok());
    calls.Arm();
    calls.Note(Complete(tripped->product, account, upload.id).ok());
    for (int i = 0; i < 2; ++i) {
      const auto again = Complete(product(), account, upload.id);
      ASSERT_TRUE(again.ok()) << calls.n() << " " << again.error().message();
      EXPECT_EQ(again->image.id, first);
      EXPECT_TRUE(again->duplicate);
    }
    EXPECT_EQ(Limit(account), 9);
    ASSERT_TRUE(flows::RemoveOrphanedSpool(product()).ok());
    EXPECT_THAT(*spool_->List(), IsEmpty()) << calls.n();
  }
  clock_.AdvanceMs(kDayMs);
  Drain();
  EXPECT_THAT(Blobs("uploads"), IsEmpty());
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that an upload of which nothing more is heard is given up with its bytes, when its time
// has passed since it last got on, but after seven times its time in any case.
TEST_F(ResumableUploadTest, ExpiresWhenItDoesNotGetOn) {
  const Account account = SignUp("ada");
  const LongRecord upload = BeginLong(account, std::string(100, 'x'));
  for (int i = 0; i < 3; ++i) {
    clock_.AdvanceMs(kDayMs - 1);
    ASSERT_TRUE(Receive(product(), account, upload.id, "x").ok());
    Drain();
  }
  clock_.AdvanceMs(kDayMs - 1);
  Drain();
  EXPECT_EQ(Limit(account), 9);
  EXPECT_TRUE(flows::FindOwnUpload(product(), account, upload.id).ok());
  clock_.AdvanceMs(1);
  EXPECT_EQ(Drain(), 1);
  EXPECT_EQ(Limit(account), 10);
  EXPECT_THAT(TracesOf(upload.id), IsEmpty());

  const LongRecord slow = BeginLong(account, std::string(100, 'x'));
  for (int i = 0; i < 7; ++i) {
    clock_.AdvanceMs(kDayMs - 1);
    ASSERT_TRUE(Receive(product(), account, slow.id, "x").ok());
    Drain();
  }
  clock_.AdvanceMs(7);
  Drain();
  EXPECT_THAT(TracesOf(slow.id), IsEmpty());
  EXPECT_EQ(KindOf(Receive(product(), account, slow.id, "x")), ErrorKind::kNotFound);
  EXPECT_EQ(Limit(account), 10);
}

// Proves that an upload whose bytes are all there is not given up when its time has passed: it
// becomes the image that its sender wanted, though the last answer got lost, or the last question.
TEST_F(ResumableUploadTest, IsCompletedThoughNobodyAsks) {
  const Account account = SignUp("ada");
  for (const auto kind : {UploadKind::kResumable, UploadKind::kDirect}) {
    const std::string content = StrCat(kPngBegin, static_cast<int>(kind));
    const LongRecord upload = BeginLong(account, content, kind);
    if (kind == UploadKind::kDirect) {
      ASSERT_TRUE(PutDirect(upload.id, content).ok());
    } else {
      ASSERT_TRUE(Receive(product(), account, upload.id, content).ok());
    }
    const int64_t limit = Limit(account);
    clock_.AdvanceMs(kDayMs);
    Drain();
    EXPECT_EQ(TextOf(ImageItem(upload.id), "processingStatus"), "completed");
    EXPECT_EQ(Limit(account), limit);
    EXPECT_THAT(*spool_->List(), IsEmpty());
    EXPECT_THAT(Findings(), IsEmpty());
  }
  clock_.AdvanceMs(kDayMs);
  Drain();
  EXPECT_THAT(Blobs("uploads"), IsEmpty());
}

// Proves that what was put for an upload and cannot become its image goes with it at its time: a
// part, or a file that was announced otherwise.
TEST_F(ResumableUploadTest, IsGivenUpWithWhatIsNoImage) {
  const Account account = SignUp("ada");
  const std::string content = StrCat(kPngBegin, "pixels");
  const struct {
    std::string announced;
    std::string put;
    std::optional<std::string> sha256;
  } cases[] = {{content, content.substr(0, 9), {}}, {content, content, std::string(64, 'a')}};
  for (const auto& test : cases) {
    const auto upload =
        flows::BeginLongUpload(product(), account, {"photo.png"},
                               {.kind = UploadKind::kDirect,
                                .length = static_cast<int64_t>(test.announced.size()),
                                .sha256 = test.sha256});
    ASSERT_TRUE(upload.ok());
    ASSERT_TRUE(PutDirect(upload->id, test.put).ok());
    clock_.AdvanceMs(kDayMs);
    Drain();
    EXPECT_THAT(Blobs("uploads"), IsEmpty());
    EXPECT_EQ(Limit(account), 10);
    EXPECT_THAT(Findings(), IsEmpty());
    clock_.AdvanceMs(kDayMs);
    Drain();
    EXPECT_THAT(TracesOf(upload->id), IsEmpty());
  }
}

// Proves that what a link brings after its upload was given up, cancelled or out of time, is no
// finding and does not stay.
TEST_F(ResumableUploadTest, SweepsWhatComesTooLate) {
  const Account account = SignUp("ada");
  for (const bool cancelled : {false, true}) {
    const LongRecord upload = BeginLong(account, "whole", UploadKind::kDirect);
    if (cancelled) {
      ASSERT_TRUE(flows::CancelUpload(product(), account, upload.id).ok());
    } else {
      clock_.AdvanceMs(kDayMs);
    }
    Drain();
    EXPECT_EQ(Limit(account), 10);
    ASSERT_TRUE(PutDirect(upload.id, "whole").ok());
    EXPECT_THAT(Findings(), IsEmpty());
    clock_.AdvanceMs(kDayMs - 1);
    Drain();
    EXPECT_THAT(Blobs("uploads"), Not(IsEmpty()));
    clock_.AdvanceMs(1);
    Drain();
    EXPECT_THAT(TracesOf(upload.id), IsEmpty());
    EXPECT_THAT(Blobs("uploads"), IsEmpty());
  }
}

// Proves that an upload that is given up leaves nothing, whatever call fails; and that it is not
// given up while a request adds to it.
TEST_F(ResumableUploadTest, IsGivenUpOnce) {
  const Account account = SignUp("ada");
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  for (const auto kind : {UploadKind::kResumable, UploadKind::kDirect}) {
    for (FailingCalls calls(wire); calls.Next();) {
      const LongRecord upload = BeginLong(account, "whole", kind);
      if (kind == UploadKind::kDirect) {
        ASSERT_TRUE(PutDirect(upload.id, "half").ok());
      } else {
        ASSERT_TRUE(Receive(product(), account, upload.id, "half").ok());
      }
      calls.Arm();
      calls.Note(flows::AbandonUpload(tripped->product, upload.id).ok());
      for (int i = 0; i < 2; ++i) {
        const Status again = flows::AbandonUpload(product(), upload.id);
        ASSERT_TRUE(again.ok()) << again.error().message();
      }
      EXPECT_EQ(Limit(account), 10);
      clock_.AdvanceMs(kDayMs);
      Drain();
      EXPECT_THAT(TracesOf(upload.id), IsEmpty()) << calls.n();
    }
  }
  for (const auto kind : {UploadKind::kResumable, UploadKind::kDirect}) {
    const LongRecord upload = BeginLong(account, "whole", kind);
    {
      const auto claim = spool_->Take(upload.id);
      ASSERT_TRUE(claim.ok() && (*claim)->Begin().ok());
      EXPECT_EQ(KindOf(flows::AbandonUpload(product(), upload.id)), ErrorKind::kInUse);
      EXPECT_EQ(Limit(account), 9);
    }
    ASSERT_TRUE(flows::AbandonUpload(product(), upload.id).ok());
  }
}

// Proves that completing what was given up meanwhile leaves none of its bytes in the store.
TEST_F(ResumableUploadTest, CompletesNothingThatWasGivenUp) {
  const Account account = SignUp("ada");
  const LongRecord upload = BeginLong(account, "whole", UploadKind::kDirect);
  ASSERT_TRUE(flows::AbandonUpload(product(), upload.id).ok());
  ASSERT_TRUE(PutDirect(upload.id, "whole").ok());
  EXPECT_EQ(KindOf(CompleteDirect(product(), account, upload)), ErrorKind::kNotFound);
  EXPECT_FALSE(*blobs_->Head({Config().uploads_bucket, flows::UploadKey(upload.id)}));
}

// Proves that its owner alone cancels an upload, whoever has it and does nothing; that it is left
// to somebody at work on it; and that one which has become an image is none to cancel.
TEST_F(ResumableUploadTest, IsCancelledByItsOwner) {
  const Account ada = SignUp("ada");
  const Account bob = SignUp("bob");
  for (const auto kind : {UploadKind::kResumable, UploadKind::kDirect}) {
    const LongRecord upload = BeginLong(ada, "whole", kind);
    const auto claim = spool_->Take(upload.id);
    ASSERT_TRUE(claim.ok() && (*claim)->Begin().ok());
    EXPECT_EQ(KindOf(flows::CancelUpload(product(), ada, upload.id)), ErrorKind::kInUse);
    (*claim)->End();
    EXPECT_EQ(KindOf(flows::CancelUpload(product(), bob, upload.id)), ErrorKind::kNotFound);
    ASSERT_TRUE((*claim)->Begin().ok());
    (*claim)->End();
    ASSERT_TRUE(flows::CancelUpload(product(), ada, upload.id).ok());
    EXPECT_EQ(KindOf((*claim)->Begin()), ErrorKind::kInUse);
    EXPECT_EQ(KindOf(flows::CancelUpload(product(), ada, upload.id)), ErrorKind::kNotFound);
    EXPECT_EQ(Limit(ada), 10);
  }
  const LongRecord upload = BeginLong(ada, "whole");
  ASSERT_TRUE(Receive(product(), ada, upload.id, "whole").ok());
  ASSERT_TRUE(Complete(product(), ada, upload.id).ok());
  EXPECT_EQ(KindOf(flows::CancelUpload(product(), ada, upload.id)), ErrorKind::kNotFound);
  EXPECT_TRUE(ImageItem(upload.id));
}

// Proves that an upload whose time passes while somebody is at it is not given up before that has
// ended, and that one whose time began anew has all of it.
TEST_F(ResumableUploadTest, IsNotGivenUpWhileSomebodyIsAtIt) {
  const Account account = SignUp("ada");
  for (const auto kind : {UploadKind::kStreamed, UploadKind::kResumable, UploadKind::kDirect}) {
    const std::string id = kind == UploadKind::kStreamed ? Begin(account, "photo.png").id
                                                         : BeginLong(account, "whole", kind).id;
    auto claim = spool_->Take(id);
    ASSERT_TRUE(claim.ok() && (*claim)->Begin().ok());
    clock_.AdvanceMs(25 * kHourMs);
    EXPECT_EQ(Drain(), 1);
    EXPECT_TRUE(*product().intake.FindUpload(id));
    claim->reset();
    clock_.AdvanceMs(60 * kSecondMs);
    EXPECT_EQ(Drain(), 1);
    EXPECT_FALSE(*product().intake.FindUpload(id));
    EXPECT_EQ(Limit(account), 10);
  }
  clock_.AdvanceMs(kDayMs);
  Drain();  // What is swept of the last one.
  const LongRecord upload = BeginLong(account, "whole", UploadKind::kDirect);
  clock_.AdvanceMs(23 * kHourMs);
  ASSERT_TRUE(flows::ProlongUpload(product(), upload).ok());
  clock_.AdvanceMs(23 * kHourMs);
  EXPECT_EQ(Drain(), 1);
  EXPECT_TRUE(*product().intake.FindUpload(upload.id));
  clock_.AdvanceMs(kHourMs);
  EXPECT_EQ(Drain(), 1);
  EXPECT_EQ(KindOf(flows::ProlongUpload(product(), upload)), ErrorKind::kNotFound);
}

// Proves that however many begin at once, no more are on their way than may be.
TEST_F(ResumableUploadTest, CountsWhatBeginsAtOnce) {
  const Account account = SignUp("ada");
  product().config.uploads_in_progress_max = 2;
  std::atomic<int> begun = 0;
  InThreads(8, [&](int /*thread*/) {
    begun += flows::BeginLongUpload(product(), account, {"photo.png"}, {.length = 5}).ok() ? 1 : 0;
  });
  EXPECT_EQ(begun, 2);
}

// Proves that another's upload is as good as none, and that as many are on their way at once as may
// be.
TEST_F(ResumableUploadTest, IsItsOwnersAlone) {
  const Account ada = SignUp("ada");
  const Account bob = SignUp("bob");
  const LongRecord upload = BeginLong(ada, "whole");
  EXPECT_EQ(KindOf(flows::FindOwnUpload(product(), bob, upload.id)), ErrorKind::kNotFound);
  ASSERT_TRUE(Receive(product(), ada, upload.id, "whole").ok());
  ASSERT_TRUE(Complete(product(), ada, upload.id).ok());
  EXPECT_FALSE(*flows::FindCompletedUpload(product(), bob, upload.id));
  EXPECT_TRUE(*flows::FindCompletedUpload(product(), ada, upload.id));

  product().config.uploads_in_progress_max = 2;
  BeginLong(ada, "one");
  const LongRecord second = BeginLong(ada, "two");
  const auto third = flows::BeginLongUpload(product(), ada, {"photo.png"}, {.length = 5});
  ASSERT_EQ(KindOf(third), ErrorKind::kLimitExceeded);
  EXPECT_EQ(third.error().DetailAs<contexts::RefusedPiece>(), nullptr);
  BeginLong(bob, "another's");
  Begin(ada, "streamed.png");
  ASSERT_TRUE(flows::AbandonUpload(product(), second.id).ok());
  BeginLong(ada, "three");
}

// Proves that what a client has put into the store becomes the image, whatever call fails, that the
// link does not reach it from then on, and that what came by it later is swept away.
TEST_F(ResumableUploadTest, TakesWhatWasPutDirectly) {
  const Account account = SignUp("ada");
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  int uploads = 0;
  for (FailingCalls calls(wire); calls.Next();) {
    const std::string content = StrCat("content ", ++uploads);
    const LongRecord upload = BeginLong(account, content, UploadKind::kDirect);
    EXPECT_EQ(KindOf(CompleteDirect(product(), account, upload)), ErrorKind::kConditionFailed);
    ASSERT_TRUE(PutDirect(upload.id, "short").ok());
    EXPECT_EQ(KindOf(CompleteDirect(product(), account, upload)), ErrorKind::kConditionFailed);
    ASSERT_TRUE(PutDirect(upload.id, content).ok());
    calls.Arm();
    calls.Note(CompleteDirect(tripped->product, account, upload).ok());
    const auto again = CompleteDirect(product(), account, upload);
    ASSERT_TRUE(again.ok()) << calls.n() << " " << again.error().message();
    ASSERT_TRUE(PutDirect(upload.id, "something else").ok());
    Drain();
    EXPECT_THAT(Findings(), IsEmpty());
    clock_.AdvanceMs(kDayMs);
    Drain();
    EXPECT_THAT(Blobs("uploads"), IsEmpty());
    const auto image = product().catalog.Find(upload.id);
    ASSERT_TRUE(image.ok() && *image);
    EXPECT_EQ((*image)->file_size, static_cast<int64_t>(content.size()));
    EXPECT_TRUE(flows::DeleteImageNow(product(), account, upload.id).ok());
    Drain();
    EXPECT_THAT(TracesOf(upload.id), IsEmpty()) << calls.n();
  }
  EXPECT_EQ(Limit(account), 10);
}

// Proves that bytes in the spool without an upload are found, and removed by the next start.
TEST_F(ResumableUploadTest, FindsOrphanedBytes) {
  const Account account = SignUp("ada");
  const std::string id = *ids_.Next();
  {
    const auto claim = spool_->Take(id);
    ASSERT_TRUE(claim.ok() && (*claim)->Begin().ok());
    ASSERT_TRUE((*spool_->Open(**claim, 0))->Append("x").ok());
  }
  const LongRecord kept = BeginLong(account, "whole");
  ASSERT_TRUE(Receive(product(), account, kept.id, "who").ok());
  EXPECT_THAT(Findings(), ElementsAre(testing::HasSubstr(StrCat("orphaned-spool ", id))));
  Restart();
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_THAT(*spool_->List(), ElementsAre(kept.id));
}

}  // namespace
}  // namespace tintype::product
