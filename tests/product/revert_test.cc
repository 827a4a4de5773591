#include "flows/images/revert_image.h"

#include <gmock/gmock.h>

#include "base/strings.h"
#include "flows/images/edit_image.h"
#include "flows/images/trash.h"
#include "flows/media_keys.h"
#include "product_fixture.h"
#include "tripwire.h"
#include "views/versions.h"

// Edits as lists of operations on a base, and the way back from them.

namespace tintype::product {
namespace {

using contexts::ItemReader;
using contexts::backlog::Work;
using contexts::catalog::Image;
using flows::Account;
using flows::Size;
using testing::ElementsAre;
using testing::EndsWith;
using testing::IsEmpty;

constexpr std::string_view kRotate = R"([{"op":"rotate","degrees":90}])";
constexpr std::string_view kGrey = R"([{"op":"rotate","degrees":180},{"op":"black_and_white"}])";

class RevertTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    account_ = SignUp("ada");
    image_ = UploadDeveloped(account_, "pixels").id;
  }

  std::string Create(std::string_view operations, const std::string& provider = "local") {
    const auto job =
        flows::CreateJob(product(), account_, {image_, provider, std::string(operations)});
    CHECK(job.ok());
    return job->id;
  }
  void Edit(std::string_view operations, const std::string& provider = "local") {
    Create(operations, provider);
    Drain();
  }
  Image Find() {
    const auto image = product().catalog.Find(image_);
    CHECK(image.ok() && *image);
    return **image;
  }
  Result<Image> RevertOn(flows::Product& on, int64_t revision) {
    return flows::RevertImage(on, account_, image_,
                              {.seen_version = Find().version, .revision = revision});
  }
  Result<Image> Revert(int64_t revision) { return RevertOn(product(), revision); }
  std::optional<tables::Item> Version(int64_t revision) {
    return Get("ImageMetadata",
               {{"PK", StrCat("IMAGE#", image_)}, {"SK", StrCat("VERSION#", revision)}});
  }
  std::string ReadBlob(int64_t revision, Size size) {
    const auto blob = blobs_->Open({"images", flows::StoredKey(image_, revision, size)});
    if (!blob.ok()) {
      return "";
    }
    std::string bytes((*blob)->bytes(), '\0');
    CHECK((*blob)->Read(0, bytes).ok());
    return bytes;
  }
  Work LeaseWork() {
    const auto leased = product().backlog.Lease();
    CHECK(leased.ok() && *leased);
    return **leased;
  }
  void Update(const std::string& sort, std::string_view text, const contexts::Bindings& bindings) {
    tables::UpdateItemRequest update;
    update.table = "ImageMetadata";
    update.key =
        contexts::ItemBuilder().Text("PK", StrCat("IMAGE#", image_)).Text("SK", sort).Build();
    update.update = contexts::UpdateOf(text, bindings);
    CHECK(tables::BlockingDatabase(*database_).UpdateItem(std::move(update)).ok());
  }
  /// One edit, as the program before there were bases left it.
  void EditAsBefore() {
    Edit(kRotate);
    const std::string key = flows::StoredKey(image_, 1, Size::kOriginal);
    const std::string full = flows::StoredKey(image_, 1, Size::kFull);
    ASSERT_TRUE(blobs_->Move({"images", full}, {"images", key}).ok());
    Update("VERSION#1", "SET s3Key = :key REMOVE #base, #operations, blurhash, dominantColors",
           {{{"#base", "base"}, {"#operations", "operations"}},
            {{":key", tables::Value::String(key)}}});
    Update("METADATA", "REMOVE originalPicture", {});
    ASSERT_THAT(Findings(), IsEmpty());
  }

  Account account_;
  std::string image_;
};

// Proves that a second edit is made from the upload, not from the first one, and that both are
// recorded with all there is to know about them.
TEST_F(RevertTest, EditsFromTheUpload) {
  Edit(kRotate);
  Edit(R"([ {"op": "crop", "width": 9, "height": 8, "left": 1, "top": 2, "more": true} ])");
  EXPECT_EQ(ReadBlob(0, Size::kOriginal), "pixels");
  EXPECT_EQ(ReadBlob(1, Size::kFull), "edited by 1: pixels");
  EXPECT_EQ(ReadBlob(2, Size::kFull), "edited by 1: pixels");
  EXPECT_EQ(ReadBlob(2, Size::kThumb), "rendition 256 of edited by 1: pixels");
  EXPECT_EQ(ReadBlob(2, Size::kOriginal), "") << "there is one original";
  EXPECT_EQ(TextOf(Version(1), "operations"), kRotate);
  EXPECT_EQ(TextOf(Version(2), "operations"),
            R"([{"op":"crop","left":1,"top":2,"width":9,"height":8}])");
  EXPECT_EQ(IntegerOf(Version(2), "base"), 0);
  EXPECT_EQ(TextOf(Version(2), "blurhash"), "L00000fQfQfQ");
  EXPECT_EQ(TextOf(Version(2), "s3Key"), StrCat("images/", image_, "/v2/FULL"));
  ASSERT_TRUE(Find().original);
  EXPECT_EQ(Find().original->width, 40);
  EXPECT_EQ(Find().original->appearance.blurhash, "L00000fQfQfQ");
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that the upload and every edit can be brought back, each as a new revision that says of
// the picture what it is, goes on from its operations, and stores nothing new.
TEST_F(RevertTest, BringsEveryPictureBack) {
  Edit(kRotate);
  Edit(kGrey);
  const auto blobs = Blobs("images");
  auto image = Revert(1);
  ASSERT_TRUE(image.ok()) << image.error().message();
  EXPECT_EQ(image->revision, 3);
  EXPECT_EQ(image->picture(), 1);
  EXPECT_EQ(image->version, 4) << "a change that a person made";
  EXPECT_THAT(image->image_url, EndsWith("?revision=1"));
  EXPECT_EQ(TextOf(Version(3), "operations"), kRotate);
  EXPECT_EQ(IntegerOf(Version(3), "base"), 0);
  EXPECT_EQ(TextOf(Version(3), "jobId"), "");

  image = Revert(0);
  ASSERT_TRUE(image.ok()) << image.error().message();
  EXPECT_EQ(image->revision, 4);
  EXPECT_EQ(image->picture(), 0);
  EXPECT_EQ(image->width, 40);
  EXPECT_EQ(image->height, 30);
  EXPECT_NEAR(image->aspect_ratio, 40.0 / 30.0, 1e-5);
  EXPECT_EQ(image->processed_size, static_cast<int64_t>(ReadBlob(0, Size::kLarge).size()));
  EXPECT_EQ(image->appearance.blurhash, "L00000fQfQfQ");
  EXPECT_EQ(image->file_size, 6);
  EXPECT_EQ(IntegerOf(Version(4), "fileSize"), 6);

  image = Revert(3);
  ASSERT_TRUE(image.ok()) << image.error().message();
  EXPECT_EQ(image->picture(), 1) << "the revert of a revert shows the picture itself";
  EXPECT_EQ(image->width, 30);
  EXPECT_EQ(Blobs("images"), blobs);
  EXPECT_EQ(Drain(), 0) << "nothing is left to be found out";

  Edit(kGrey);
  EXPECT_EQ(Find().revision, 6);
  EXPECT_EQ(Find().picture(), 6);
  EXPECT_EQ(ReadBlob(6, Size::kFull), "edited by 2: pixels");
  EXPECT_THAT(Findings(), IsEmpty());
  ASSERT_TRUE(flows::DeleteImageNow(product(), account_, image_).ok());
  Drain();
  EXPECT_THAT(TracesOf(image_), IsEmpty());
}

// Proves that what is shown already is not made again, however it is called.
TEST_F(RevertTest, ChangesNothingForTheCurrentPicture) {
  EXPECT_EQ(Revert(0)->version, 1) << "never edited";
  Edit(kRotate);
  EXPECT_EQ(Revert(1)->revision, 1);
  ASSERT_EQ(Revert(0)->revision, 2);
  EXPECT_EQ(Revert(0)->revision, 2);
  EXPECT_EQ(Revert(2)->revision, 2);
  EXPECT_FALSE(Version(3));
}

// Proves who may go back to what, and when.
TEST_F(RevertTest, IsRefused) {
  Edit(kRotate);
  Edit(R"([{"op":"fold"}])");
  ASSERT_TRUE(Version(2));
  const auto revert = [&](const Account& account, const std::string& id, int64_t version,
                          int64_t revision) {
    return flows::RevertImage(product(), account, id,
                              {.seen_version = version, .revision = revision});
  };
  EXPECT_EQ(KindOf(revert(account_, image_, 2, 2)), ErrorKind::kNotFound) << "its job failed";
  EXPECT_EQ(KindOf(revert(account_, image_, 2, 7)), ErrorKind::kNotFound);
  EXPECT_EQ(KindOf(revert(account_, image_, 2, -1)), ErrorKind::kNotFound);
  EXPECT_EQ(KindOf(revert(account_, "nothing", 2, 0)), ErrorKind::kNotFound);
  EXPECT_EQ(KindOf(revert(SignUp("bob"), image_, 2, 0)), ErrorKind::kNotFound);
  const auto stale = revert(account_, image_, 1, 0);
  ASSERT_FALSE(stale.ok());
  EXPECT_TRUE(stale.error().Is(contexts::catalog::kVersionChanged));
  const std::string fresh = Upload(account_, "fresh").id;
  EXPECT_EQ(KindOf(revert(account_, fresh, 1, 0)), ErrorKind::kConditionFailed);
  EXPECT_EQ(Find().revision, 1);
  ASSERT_TRUE(flows::TrashImage(product(), account_, image_).ok());
  EXPECT_EQ(KindOf(revert(account_, image_, 3, 0)), ErrorKind::kNotFound);
}

// Proves that there is an end to edits, which says what else there is, and none to reverts: at the
// end of edits each picture can still be brought back, the upload too.
TEST_F(RevertTest, IsPossibleAtTheEndOfEdits) {
  for (int i = 0; i < 100; ++i) {
    Edit(kGrey);
  }
  const auto refused = flows::CreateJob(product(), account_, {image_, "local", std::string(kGrey)});
  ASSERT_EQ(KindOf(refused), ErrorKind::kLimitExceeded);
  EXPECT_THAT(refused.error().message(), testing::HasSubstr("upload it as a new image"));
  for (const int64_t revision : {int64_t{0}, int64_t{7}, int64_t{100}, int64_t{0}}) {
    const auto image = Revert(revision);
    ASSERT_TRUE(image.ok()) << image.error().message();
    EXPECT_EQ(image->picture(), revision);
  }
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that reverts take nothing away from edits, and that the oldest are forgotten in the end:
// neither the current version, nor a picture, nor a number is lost.
TEST_F(RevertTest, ForgetsTheOldestReverts) {
  Edit(kRotate);
  for (int64_t revision = 2; revision <= 110; ++revision) {
    const auto image = Revert(revision % 2 == 0 ? 0 : 1);
    ASSERT_TRUE(image.ok()) << revision << ": " << image.error().message();
    ASSERT_EQ(image->revision, revision);
  }
  const auto list = views::ListVersions(views(), account_, image_);
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(list->versions.size(), 101U) << "the edit and a hundred reverts";
  EXPECT_TRUE(Version(1)) << "an edit is never forgotten";
  EXPECT_FALSE(Version(10));
  EXPECT_TRUE(Version(11));
  EXPECT_EQ(KindOf(Revert(2)), ErrorKind::kNotFound);
  Edit(kGrey);
  EXPECT_EQ(Find().revision, 111);
  EXPECT_EQ(Revert(110)->picture(), 0);
  EXPECT_EQ(Revert(1)->picture(), 1);
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that an edit which took its number before a revert is a version beside it, and that one
// which takes it later is current.
TEST_F(RevertTest, GoesBesideAnEditThatRuns) {
  Edit(kRotate);
  Create(kGrey);
  const Work running = LeaseWork();
  ASSERT_TRUE(flows::BeginEditing(product(), running).ok());
  ASSERT_EQ(Revert(0)->revision, 3);
  ASSERT_TRUE(Steps(product()).at("edit").run(running).ok());
  EXPECT_EQ(Find().revision, 3);
  EXPECT_EQ(Find().picture(), 0);
  EXPECT_EQ(Revert(2)->picture(), 2) << "it can be brought to the front";
  Create(kRotate);
  ASSERT_EQ(Revert(0)->revision, 5);
  Drain();
  EXPECT_EQ(Find().revision, 6);
  EXPECT_EQ(Find().picture(), 6);
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that edits from before there were bases stay as they are and are bases, that the upload
// comes back with what developing wrote down, and that the rest is looked up again.
TEST_F(RevertTest, TakesEditsFromBefore) {
  EditAsBefore();
  Edit(kGrey);
  EXPECT_EQ(ReadBlob(2, Size::kFull), "edited by 2: edited by 1: pixels");
  EXPECT_EQ(IntegerOf(Version(2), "base"), 1);
  EXPECT_EQ(ReadBlob(1, Size::kOriginal), "edited by 1: pixels");

  auto image = Revert(1);
  ASSERT_TRUE(image.ok()) << image.error().message();
  EXPECT_EQ(image->width, 30);
  EXPECT_EQ(image->height, 40);
  EXPECT_EQ(image->processed_size, static_cast<int64_t>(ReadBlob(1, Size::kLarge).size()));
  EXPECT_EQ(IntegerOf(Version(3), "base"), 1);
  EXPECT_EQ(TextOf(Version(3), "operations"), "[]");
  EXPECT_EQ(image->appearance.blurhash, "");
  EXPECT_EQ(Drain(), 1);
  EXPECT_EQ(Find().appearance.blurhash, "L00000fQfQfQ");
  EXPECT_EQ(Find().width, 30);
  Edit(kGrey);
  EXPECT_EQ(ReadBlob(4, Size::kFull), "edited by 2: edited by 1: pixels");

  image = Revert(0);
  ASSERT_TRUE(image.ok()) << image.error().message();
  EXPECT_EQ(image->width, 40);
  EXPECT_EQ(image->height, 30);
  EXPECT_THAT(image->appearance.dominant_colors, ElementsAre("#c81e1e", "#000000"));
  EXPECT_EQ(Drain(), 1);
  EXPECT_EQ(Find().appearance.blurhash, "L00000fQfQfQ");
  EXPECT_EQ(Find().picture(), 0);
  Edit(kGrey);
  EXPECT_EQ(ReadBlob(6, Size::kFull), "edited by 2: pixels");
  EXPECT_EQ(Find().original->appearance.blurhash, "L00000fQfQfQ");
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that an edit which the program before had begun is made all the same, under a number of
// its own: whatever lies under the old one is not taken for its result.
TEST_F(RevertTest, GoesOnWithAnEditFromBefore) {
  const std::string job = Create(kRotate);
  const Work running = LeaseWork();
  ASSERT_TRUE(flows::BeginEditing(product(), running).ok());
  Update("VERSION#1", "REMOVE #base", {{{"#base", "base"}}, {}});
  ASSERT_TRUE(Steps(product()).at("edit").run(running).ok());
  EXPECT_EQ(Find().revision, 2);
  EXPECT_EQ(ReadBlob(2, Size::kFull), "edited by 1: pixels");
  EXPECT_EQ(TextOf(Get("photoeditor-dev-jobs", {{"jobId", job}}), "status"), "COMPLETED");
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that a result from outside is its own base, and comes from the picture as it was.
TEST_F(RevertTest, TakesResultsFromOutsideAsBases) {
  Edit(kRotate);
  Edit(kGrey, "stub");
  EXPECT_EQ(ReadBlob(2, Size::kFull), "edited by 0: edited by 1: pixels");
  EXPECT_EQ(IntegerOf(Version(2), "base"), 2);
  EXPECT_FALSE(ItemReader(*Version(2)).Has("operations"));
  Edit(kGrey);
  EXPECT_EQ(ReadBlob(3, Size::kFull), "edited by 2: edited by 0: edited by 1: pixels");
  EXPECT_EQ(IntegerOf(Version(3), "base"), 2);
  ASSERT_TRUE(Revert(2).ok());
  Edit(kRotate);
  EXPECT_EQ(IntegerOf(Version(5), "base"), 2);
  ASSERT_TRUE(Revert(1).ok());
  Edit(kRotate);
  EXPECT_EQ(ReadBlob(7, Size::kFull), "edited by 1: pixels");
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that whichever call fails, and whether it was done or not, the image shows one picture or
// the other, and asking again brings back what was asked for.
TEST_F(RevertTest, GoesOnAfterEveryFailure) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  for (FailingCalls calls(wire); calls.Next();) {
    image_ = UploadDeveloped(account_, StrCat("turn ", calls.turn())).id;
    EditAsBefore();
    const Image before = Find();
    calls.Arm();
    calls.Note(flows::RevertImage(tripped->product, account_, image_,
                                  {.seen_version = before.version, .revision = 0})
                   .ok());
    ASSERT_THAT(Findings(), IsEmpty()) << calls.n();
    const Image after = Find();
    ASSERT_EQ(after.picture() == 0, after.version == before.version + 1) << calls.n();
    ASSERT_EQ(Version(2).has_value(), after.revision == 2) << calls.n();
    const auto again = Revert(0);
    ASSERT_TRUE(again.ok()) << calls.n() << ": " << again.error().message();
    EXPECT_EQ(again->revision, 2);
    EXPECT_EQ(again->width, 40);
    Drain();
    ASSERT_TRUE(flows::DeleteImageNow(product(), account_, image_).ok());
    Drain();
    ASSERT_THAT(TracesOf(image_), IsEmpty()) << calls.n();
  }
}

// Proves that an image which is edited, trashed or deleted at any moment of a revert ends as that
// left it, with nothing of the revert.
TEST_F(RevertTest, LosesToWhateverComesInBetween) {
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto interrupted = Wire(stores.database(), stores.blobs());
  for (const std::string other : {"edit", "trash", "delete"}) {
    bool reached = true;
    for (int n = 1; reached; ++n) {
      ASSERT_LT(n, 60);
      image_ = UploadDeveloped(account_, StrCat(other, n)).id;
      Edit(kRotate);
      const int64_t version = Find().version;
      reached = false;
      wire.Interrupt(n, [&] {
        reached = true;
        if (other == "edit") {
          Edit(kGrey);
        } else if (other == "trash") {
          EXPECT_TRUE(flows::TrashImage(product(), account_, image_).ok());
        } else {
          EXPECT_TRUE(flows::DeleteImageNow(product(), account_, image_).ok());
          Drain();
        }
      });
      const auto reverted = flows::RevertImage(interrupted->product, account_, image_,
                                               {.seen_version = version, .revision = 0});
      wire.Interrupt(1000, [] {});
      ASSERT_THAT(Findings(), IsEmpty()) << other << n;
      if (reached && other == "delete") {
        ASSERT_THAT(TracesOf(image_), IsEmpty()) << n;
      } else if (reached && !reverted.ok()) {
        ASSERT_EQ(Find().picture(), other == "edit" ? 2 : 1) << other << n;
      }
      ASSERT_TRUE(reached || reverted.ok()) << other << n;
      flows::DeleteImageNow(product(), account_, image_).PermitUncheckedError();
      Drain();
    }
  }
}

// Proves what the list of versions shows, and to whom.
TEST_F(RevertTest, ListsTheVersions) {
  Edit(kRotate);
  Edit(R"([{"op":"fold"}])");
  ASSERT_TRUE(Revert(0).ok());
  const auto list = views::ListVersions(views(), account_, image_);
  ASSERT_TRUE(list.ok());
  std::vector<int64_t> revisions;
  for (const auto& version : list->versions) {
    revisions.push_back(version.revision);
  }
  EXPECT_THAT(revisions, ElementsAre(3, 1));
  EXPECT_EQ(KindOf(views::ListVersions(views(), SignUp("bob"), image_)), ErrorKind::kNotFound);
  ASSERT_TRUE(flows::TrashImage(product(), account_, image_).ok());
  EXPECT_EQ(KindOf(views::ListVersions(views(), account_, image_)), ErrorKind::kNotFound);
}

}  // namespace
}  // namespace tintype::product
