#include "flows/uploads/upload.h"

#include <gmock/gmock.h>

#include <atomic>

#include "base/strings.h"
#include "flows/images/trash.h"
#include "product_fixture.h"
#include "tripwire.h"

// From the first byte of an upload to an image that is listed, and every other end of it.

namespace tintype::product {
namespace {

using flows::Account;
using tables::Value;
using testing::IsEmpty;

class UploadTest : public ProductTest {};

contexts::Bindings Bind(const std::string& name, const std::string& text) {
  return {{}, {{name, Value::String(text)}}};
}

// Proves that a completed upload is in all five contexts, where the documents' reads and queries
// look for it.
TEST_F(UploadTest, IsListedInAllFiveContexts) {
  const Account account = SignUp("ada");
  flows::UploadRequest request{"beach.png"};
  request.album_id = "summer";
  request.title = "The beach";
  const std::string id = Upload(account, "pixels", request).id;

  const auto image = ImageItem(id);
  EXPECT_EQ(TextOf(image, "processingStatus"), "pending");
  EXPECT_EQ(TextOf(image, "title"), "The beach");
  EXPECT_EQ(TextOf(image, "originalFilename"), "beach.png");
  EXPECT_EQ(TextOf(image, "s3Key"), StrCat("images/", account.id, "/", id, ".webp"));
  EXPECT_EQ(IntegerOf(image, "version"), 1);
  EXPECT_EQ(IntegerOf(image, "fileSize"), 6);
  EXPECT_EQ(
      Query("ImageMetadata", "UserIndex", "GSI1PK = :u", Bind(":u", StrCat("USER#", account.id)))
          .size(),
      1U);
  EXPECT_EQ(Query("ImageMetadata", "AlbumIndex", "GSI2PK = :a", Bind(":a", "ALBUM#summer")).size(),
            1U);

  const auto photos = Query("photos", "id-index", "id = :id", Bind(":id", id));
  ASSERT_EQ(photos.size(), 1U);
  EXPECT_EQ(TextOf(photos[0], "username"), "ada");
  EXPECT_EQ(TextOf(photos[0], "filename"), "beach.png");
  EXPECT_FALSE(contexts::ItemReader(photos[0]).Has("sizes"));

  const auto sparks = Get("sparks", {{"PK", id}, {"SK", "UPLOADED_BY#ada@example.com"}});
  EXPECT_EQ(TextOf(sparks, "entityType"), "IMAGE#PRIVATE");
  EXPECT_EQ(TextOf(sparks, "s3Key"), StrCat("originals/", id, ".jpg"));
  EXPECT_EQ(IntegerOf(Get("sparks", {{"PK", "LIMIT#ada@example.com"}, {"SK", "ada@example.com"}}),
                      "limit"),
            9);

  const auto ingest = Query("so0050-tintype-ingest", "type-timestamp-index", "#type = :t",
                            {{{"#type", "type"}}, {{":t", Value::String("image")}}});
  ASSERT_EQ(ingest.size(), 1U);
  EXPECT_EQ(TextOf(ingest[0], "uuid"), id);
  EXPECT_EQ(TextOf(ingest[0], "overallStatus"), "NOT_STARTED");
  EXPECT_EQ(IntegerOf(ingest[0], "progress"), 0);
  EXPECT_EQ(contexts::ItemReader(ingest[0]).Map("data").Map("checksum").Text("computed"),
            "d399848208da8b80a306af0fd62bb03f");

  const auto work = Get("so0050-tintype-backlog", {{"id", StrCat("develop-", id)}});
  EXPECT_EQ(TextOf(work, "status"), "PENDING");
  EXPECT_FALSE(Get("so0050-tintype-backlog", {{"id", StrCat("abandon-upload-", id)}}));
  EXPECT_FALSE(Get("tintype", {{"PK", StrCat("UPLOAD#", id)}, {"SK", "UPLOAD"}}));
}

// Proves that whatever call fails, and whether it was done or not, an upload is in all contexts or
// in none, and that asking again ends it well, once.
TEST_F(UploadTest, CompletesWhollyOrNotAtAll) {
  const Account account = SignUp("ada");
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), *blobs_);
  int uploads = 0;
  for (FailingCalls calls(wire); calls.Next();) {
    const std::string content = StrCat("content ", calls.turn());
    flows::UploadRequest request{"photo.png"};
    request.length = static_cast<int64_t>(content.size());
    const auto begun = flows::BeginUpload(product(), account, request);
    ASSERT_TRUE(begun.ok());
    const auto& upload = *begun;
    const auto bytes = WriteBytes(upload.id, content);
    calls.Arm();
    calls.Note(flows::CompleteUpload(tripped->product, account, upload, {"photo.png"}, bytes).ok());
    const bool listed = ImageItem(upload.id).has_value();
    EXPECT_EQ(Get("photos", {{"username", "ada"}, {"id", upload.id}}).has_value(), listed);
    EXPECT_EQ(Get("so0050-tintype-ingest", {{"uuid", upload.id}}).has_value(), listed);
    EXPECT_EQ(Get("so0050-tintype-backlog", {{"id", StrCat("develop-", upload.id)}}).has_value(),
              listed);
    EXPECT_EQ(Get("sparks", {{"PK", upload.id}, {"SK", "UPLOADED_BY#ada@example.com"}}).has_value(),
              listed);
    const auto again = flows::CompleteUpload(product(), account, upload, {"photo.png"}, bytes);
    ASSERT_TRUE(again.ok()) << again.error().message();
    EXPECT_EQ(again->image.id, upload.id);
    EXPECT_FALSE(again->duplicate);
    ++uploads;
  }
  EXPECT_EQ(Limit(account), 10 - uploads);
  EXPECT_EQ(Items("ImageMetadata").size(), static_cast<size_t>(uploads));
  Drain();
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that of many uploads at once exactly as many begin as the limit has.
TEST_F(UploadTest, AdmitsAsManyAsTheLimitHas) {
  const Account account = SignUp("ada");
  std::atomic<int> admitted = 0;
  std::atomic<int> refused = 0;
  InThreads(8, [&](int /*i*/) {
    for (int j = 0; j < 5; ++j) {
      const auto upload = flows::BeginUpload(product(), account, {"photo.png"});
      ++(upload.ok() ? admitted : refused);
      EXPECT_TRUE(upload.ok() || upload.error().kind() == ErrorKind::kLimitExceeded);
    }
  });
  EXPECT_EQ(admitted, 10);
  EXPECT_EQ(refused, 30);
  EXPECT_EQ(Limit(account), 0);
}

// Proves that an upload that is given up leaves nothing and comes back to the limit once, however
// often that is asked for, and whatever call fails in between.
TEST_F(UploadTest, IsGivenUpOnce) {
  const Account account = SignUp("ada");
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  for (FailingCalls calls(wire); calls.Next();) {
    const auto upload = Begin(account, "photo.png");
    WriteBytes(upload.id, "half");
    calls.Arm();
    calls.Note(flows::AbandonUpload(tripped->product, upload.id).ok());
    for (int i = 0; i < 2; ++i) {
      const Status again = flows::AbandonUpload(product(), upload.id);
      ASSERT_TRUE(again.ok()) << again.error().message();
    }
    EXPECT_THAT(TracesOf(upload.id), IsEmpty());
    EXPECT_EQ(Limit(account), 10);
    EXPECT_EQ(KindOf(flows::CompleteUpload(product(), account, upload, {"photo.png"},
                                           {4, "md5", "sha", "image/png"})),
              ErrorKind::kNotFound);
  }
}

// Proves that an upload of which nothing is heard is given up when its time has passed and not
// before, and one that was completed never.
TEST_F(UploadTest, IsGivenUpByTheClock) {
  const Account account = SignUp("ada");
  const auto forgotten = Begin(account, "photo.png");
  WriteBytes(forgotten.id, "half");
  const std::string kept = Upload(account, "whole").id;
  Drain();
  clock_.AdvanceMs(kDayMs - 1);
  EXPECT_EQ(Drain(), 0);
  EXPECT_EQ(Limit(account), 8);
  clock_.AdvanceMs(1);
  EXPECT_EQ(Drain(), 1);
  EXPECT_EQ(Limit(account), 9);
  EXPECT_THAT(TracesOf(forgotten.id), IsEmpty());
  EXPECT_TRUE(ImageItem(kept));
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that bytes which a storage stores after the upload was given up are nobody's finding, and
// go when the upload's time has passed; the limit comes back at once, and once.
TEST_F(UploadTest, BytesThatComeLateGo) {
  const Account account = SignUp("ada");
  const auto upload = Begin(account, "photo.png");
  ASSERT_TRUE(flows::AbandonUpload(product(), upload.id, flows::LateBytes::kPossible).ok());
  EXPECT_EQ(Limit(account), 10);
  WriteBytes(upload.id, "late");
  EXPECT_THAT(Findings(), IsEmpty());
  EXPECT_EQ(Drain(), 0);
  clock_.AdvanceMs(kDayMs);
  EXPECT_EQ(Drain(), 1);
  EXPECT_THAT(TracesOf(upload.id), IsEmpty());
  EXPECT_EQ(Limit(account), 10);
}

// Proves that bytes which a user has already are answered with that image and cost nothing, and
// that another user's are no duplicate.
TEST_F(UploadTest, AnswersADuplicateWithTheExistingImage) {
  const Account ada = SignUp("ada");
  const Account bob = SignUp("bob");
  const std::string first = Upload(ada, "same").id;
  const auto upload = Begin(ada, "again.png");
  const auto bytes = WriteBytes(upload.id, "same");
  const auto second = flows::CompleteUpload(product(), ada, upload, {"again.png"}, bytes);
  ASSERT_TRUE(second.ok()) << second.error().message();
  EXPECT_TRUE(second->duplicate);
  EXPECT_EQ(second->image.id, first);
  EXPECT_EQ(Limit(ada), 9);
  EXPECT_THAT(TracesOf(upload.id), IsEmpty());
  EXPECT_NE(Upload(bob, "same").id, first);
}

// Proves that a duplicate of an image in the trash takes it out again; and of one that is being
// deleted says to come back, and can be uploaded when it is gone.
TEST_F(UploadTest, RestoresADuplicateFromTheTrash) {
  const Account account = SignUp("ada");
  const std::string first = UploadDeveloped(account, "same").id;
  ASSERT_TRUE(flows::TrashImage(product(), account, first).ok());
  EXPECT_EQ(Upload(account, "same").id, first);
  EXPECT_EQ(TextOf(ImageItem(first), "trashedAt"), "");
  EXPECT_EQ(Limit(account), 9);

  ASSERT_TRUE(flows::DeleteImageNow(product(), account, first).ok());
  const auto leased = product().backlog.Lease();
  ASSERT_TRUE(leased.ok() && *leased);
  const auto upload = Begin(account, "again.png");
  const auto bytes = WriteBytes(upload.id, "same");
  EXPECT_EQ(KindOf(flows::CompleteUpload(product(), account, upload, {"again.png"}, bytes)),
            ErrorKind::kUnavailable);
  ASSERT_TRUE(Steps(product()).at("delete-image").run(**leased).ok());
  const auto later = flows::CompleteUpload(product(), account, upload, {"again.png"}, bytes);
  ASSERT_TRUE(later.ok()) << later.error().message();
  EXPECT_FALSE(later->duplicate);
  EXPECT_EQ(Limit(account), 9);
}

// Proves that of the same bytes twice at the same time one becomes the image, and both are answered
// with it.
TEST_F(UploadTest, MakesOneImageOfTwoEqualUploadsAtOnce) {
  const Account account = SignUp("ada");
  for (int round = 0; round < 8; ++round) {
    const std::string content = StrCat("round ", round);
    std::vector<std::string> ids(2);
    InThreads(2, [&](int i) { ids[static_cast<size_t>(i)] = Upload(account, content).id; });
    EXPECT_EQ(ids[0], ids[1]);
    EXPECT_EQ(Limit(account), 10 - round - 1);
  }
  Drain();
  EXPECT_EQ(Items("ImageMetadata").size(), 8U);
  EXPECT_THAT(Blobs("uploads"), IsEmpty());
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that what is too long is refused before anything is taken, and that a name of any bytes
// is stored as UTF-8.
TEST_F(UploadTest, RefusesWhatIsTooLong) {
  const Account account = SignUp("ada");
  const std::string long_text(256, 'x');
  flows::UploadRequest title{"photo.png"};
  title.title = long_text;
  flows::UploadRequest broken{"photo.png"};
  broken.title = "\xFF";
  for (const flows::UploadRequest& request : {flows::UploadRequest{long_text}, title, broken}) {
    EXPECT_EQ(KindOf(flows::BeginUpload(product(), account, request)), ErrorKind::kValidation);
  }
  EXPECT_EQ(Limit(account), 10);
  EXPECT_EQ(Upload(account, "x", {"a\xFF.png"}).original_filename, "a\xEF\xBF\xBD.png");
}

}  // namespace
}  // namespace tintype::product
