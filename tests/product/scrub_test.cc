#include "flows/scrub.h"

#include <gmock/gmock.h>

#include "base/strings.h"
#include "contexts/common/transaction.h"
#include "flows/edit_image.h"
#include "flows/media_keys.h"
#include "flows/trash.h"
#include "flows/update_image.h"
#include "product_fixture.h"

// What the scrub finds: each test breaks one thing, by hand, and wants it named and nothing else.

namespace tintype::product {
namespace {

using contexts::ItemBuilder;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class ScrubTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    account_ = SignUp("ada");
    image_ = UploadDeveloped(account_, "pixels").id;
    contexts::catalog::DetailsChange change;
    change.tags = {{"sea"}};
    change.description = {{"At the sea"}};
    CHECK(flows::UpdateImage(product(), account_, image_, 1, change).ok());
    CHECK(flows::CreateJob(product(), account_, {image_, "stub", "[]"}).ok());
    Drain();
    ASSERT_THAT(Findings(), IsEmpty());
  }

  void DeleteItem(const std::string& table, tables::Item key) {
    CHECK(tables::BlockingDatabase(*database_).DeleteItem({table, std::move(key), {}}).ok());
  }
  void PutItem(const std::string& table, tables::Item item) {
    CHECK(tables::BlockingDatabase(*database_).PutItem({table, std::move(item), {}}).ok());
  }
  void DeleteBlob(const std::string& key) { CHECK(blobs_->Delete({"images", key}).ok()); }
  void PutBlob(const std::string& bucket, const std::string& key,
               const std::string& content = "bytes") {
    const auto writer = blobs_->Create({bucket, key});
    CHECK(writer.ok() && (*writer)->Write(content).ok() && (*writer)->Commit().ok());
  }
  void WriteBlob(const std::string& key, const std::string& content) {
    PutBlob("images", key, content);
  }
  std::string Stored(flows::Size size, int64_t revision = 0) const {
    return flows::StoredKey(image_, revision, size);
  }

  flows::Account account_;
  std::string image_;
};

// A record without a blob: of the original, of a rendition, of an edited version.
TEST_F(ScrubTest, FindsMissingBlobs) {
  const std::string original = Stored(flows::Size::kOriginal);
  const std::string thumb = Stored(flows::Size::kThumb);
  const std::string edited = Stored(flows::Size::kFull, 1);
  const std::string edited_large = Stored(flows::Size::kLarge, 1);
  for (const std::string& key : {original, thumb, edited, edited_large}) {
    DeleteBlob(key);
  }
  EXPECT_THAT(Findings(), UnorderedElementsAre(StrCat("missing-blob ", image_, " ", original),
                                               StrCat("missing-blob ", image_, " ", thumb),
                                               StrCat("missing-blob ", image_, " ", edited),
                                               StrCat("missing-blob ", image_, " ", edited_large)));
}

// Files that were emptied or cut off, which a disk that fills up can leave.
TEST_F(ScrubTest, FindsDamagedBlobs) {
  WriteBlob(Stored(flows::Size::kOriginal), "pix");
  WriteBlob(Stored(flows::Size::kFull, 1), "");
  WriteBlob(Stored(flows::Size::kLarge), "");
  WriteBlob(Stored(flows::Size::kSmall), "of any size");
  EXPECT_THAT(
      Findings(),
      UnorderedElementsAre(
          StrCat("damaged-blob ", image_, " ", Stored(flows::Size::kOriginal),
                 " (3 bytes instead of 6)"),
          StrCat("missing-blob ", image_, " ", Stored(flows::Size::kFull, 1), " (it is empty)"),
          StrCat("missing-blob ", image_, " ", Stored(flows::Size::kLarge), " (it is empty)")));
}

// A blob without a record, in each place that there is, and one that is nobody's.
TEST_F(ScrubTest, FindsOrphanedBlobs) {
  PutBlob("images", "images/gone/LARGE");
  PutBlob("images", "gone/image/properties.json");
  PutBlob("uploads", "uploads/gone");
  PutBlob("uploads", "jobs/gone");
  PutBlob("images", "strange");
  EXPECT_THAT(
      Findings(),
      UnorderedElementsAre("orphaned-blob gone images/images/gone/LARGE",
                           "orphaned-blob gone images/gone/image/properties.json",
                           "orphaned-blob gone uploads/uploads/gone",
                           "orphaned-blob gone uploads/jobs/gone", "unknown-blob  images/strange"));
}

// A copy that differs from its master.
TEST_F(ScrubTest, FindsDifferingCopies) {
  const auto change = [&](contexts::Piece piece) {
    CHECK(contexts::Transaction(StrCat("test ", product().ids.Next().value()))
              .Add(std::move(piece))
              .Commit(product().database)
              .ok());
  };
  const std::string now = "2026-01-01T00:00:00.000Z";
  change(contexts::intake::Intake::SetDescription("ada", image_, "elsewhere"));
  change(contexts::people::People::SetTags(image_, account_.email, {"lake"}, now));
  EXPECT_THAT(Findings(),
              UnorderedElementsAre(StrCat("differing-copy ", image_, " photos.description"),
                                   StrCat("differing-copy ", image_, " sparks.tags")));
  change(contexts::people::People::SetTags(image_, account_.email, {"sea"}, now));
  change(contexts::intake::Intake::SetDescription("ada", image_, "At the sea"));
  change(contexts::people::People::Trash(image_, account_.email,
                                         contexts::people::Visibility::kPrivate, now));
  EXPECT_THAT(Findings(), ElementsAre(StrCat("differing-copy ", image_, " sparks.entityType")));
}

// A master without its copies and postings.
TEST_F(ScrubTest, FindsMissingRecords) {
  DeleteItem("photos", ItemBuilder().Text("username", "ada").Text("id", image_).Build());
  DeleteItem("sparks",
             ItemBuilder().Text("PK", image_).Text("SK", "UPLOADED_BY#ada@example.com").Build());
  DeleteItem("so0050-tintype-ingest", ItemBuilder().Text("uuid", image_).Build());
  DeleteItem(
      "tintype",
      ItemBuilder().Text("PK", StrCat("TAG#", account_.id, "#sea")).Text("SK", image_).Build());
  DeleteItem("tintype", ItemBuilder()
                            .Text("PK", StrCat("CHECKSUM#", account_.id))
                            .Text("SK", TextOf(ImageItem(image_), "sha256"))
                            .Build());
  EXPECT_THAT(Findings(), UnorderedElementsAre(
                              StrCat("missing-record ", image_, " not in photos"),
                              StrCat("missing-record ", image_, " not in sparks"),
                              StrCat("missing-record ", image_, " no ingest record"),
                              StrCat("missing-posting ", image_, " the tag sea has no posting"),
                              StrCat("missing-posting ", image_, " its checksum is not posted")));
}

// Records, copies and postings whose master is gone.
TEST_F(ScrubTest, FindsOrphanedRecords) {
  PutItem("photos", ItemBuilder().Text("username", "ada").Text("id", "gone").Build());
  PutItem("sparks", ItemBuilder().Text("PK", "gone").Text("SK", "UPLOADED_BY#ada@x").Build());
  PutItem("sparks", ItemBuilder().Text("PK", "gone2").Text("SK", "PERSON#p1").Build());
  PutItem("so0050-tintype-ingest", ItemBuilder().Text("uuid", "gone").Build());
  PutItem("ImageMetadata", ItemBuilder().Text("PK", "IMAGE#gone").Text("SK", "VERSION#1").Build());
  PutItem("tintype", ItemBuilder().Text("PK", "TAG#u#sea").Text("SK", "gone").Build());
  PutItem("tintype",
          ItemBuilder().Text("PK", "CHECKSUM#u").Text("SK", "abc").Text("id", "gone").Build());
  // Not about images.
  PutItem("sparks", ItemBuilder().Text("PK", "PERSON#p1").Text("SK", "p1").Build());
  EXPECT_THAT(Findings(),
              UnorderedElementsAre("orphaned-record gone photos", "orphaned-record gone sparks",
                                   "orphaned-record gone2 sparks", "orphaned-record gone ingest",
                                   "orphaned-record gone version", "orphaned-record gone posting",
                                   "orphaned-record gone checksum"));
}

// What is being worked on is left out; what lies in the trash is whole.
TEST_F(ScrubTest, LeavesOutWhatIsInProgress) {
  Upload(account_, "more pixels");
  EXPECT_THAT(Findings(), IsEmpty());
  ASSERT_TRUE(flows::TrashImage(product(), account_, image_).ok());
  EXPECT_THAT(Findings(), IsEmpty());
  DeleteBlob(Stored(flows::Size::kSmall));
  EXPECT_THAT(Findings(),
              ElementsAre(StrCat("missing-blob ", image_, " ", Stored(flows::Size::kSmall))));
  ASSERT_TRUE(flows::DeleteImageNow(product(), account_, image_).ok());
  EXPECT_THAT(Findings(), IsEmpty());
}

}  // namespace
}  // namespace tintype::product
