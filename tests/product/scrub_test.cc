#include "flows/scrub.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "base/strings.h"
#include "blobs/hashing_writer.h"
#include "contexts/common/transaction.h"
#include "flows/images/edit_image.h"
#include "flows/images/trash.h"
#include "flows/images/update_image.h"
#include "flows/media_keys.h"
#include "product_fixture.h"

// What the scrub finds: each test breaks one thing, by hand, and wants it named and nothing else.
// And that it goes on where it was interrupted, gives way to others, and says nothing of what is
// well.

namespace tintype::product {
namespace {

using contexts::ItemBuilder;
using flows::ScrubState;
using tables::Value;
using testing::AllOf;
using testing::Contains;
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

  void Update(const std::string& table, tables::Item key, const std::string& update,
              const contexts::Bindings& bindings) {
    tables::UpdateItemRequest request;
    request.table = table;
    request.key = std::move(key);
    request.update = contexts::UpdateOf(update, bindings);
    CHECK(tables::BlockingDatabase(*database_).UpdateItem(std::move(request)).ok());
  }
  /// Sets one attribute; `name` may be a path, such as `images.large`.
  void Set(const std::string& table, tables::Item key, const std::string& name, Value value) {
    contexts::Bindings bindings{{}, {{":value", std::move(value)}}};
    std::string path;
    for (size_t begin = 0; begin <= name.size();) {
      const size_t end = std::min(name.find('.', begin), name.size());
      const std::string part = StrCat("#n", bindings.names.size());
      StrAppend(path, path.empty() ? "" : ".", part);
      bindings.names.emplace(part, name.substr(begin, end - begin));
      begin = end + 1;
    }
    Update(table, std::move(key), StrCat("SET ", path, " = :value"), bindings);
  }
  void RemoveAttribute(const std::string& table, tables::Item key, const std::string& name) {
    Update(table, std::move(key), "REMOVE #n", {{{"#n", name}}, {}});
  }

  tables::Item ImageKey() const {
    return ItemBuilder().Text("PK", StrCat("IMAGE#", image_)).Text("SK", "METADATA").Build();
  }
  tables::Item PhotoKey() const {
    return ItemBuilder().Text("username", "ada").Text("id", image_).Build();
  }
  tables::Item SparksKey() const {
    return ItemBuilder().Text("PK", image_).Text("SK", "UPLOADED_BY#ada@example.com").Build();
  }
  tables::Item MediaKey() const { return ItemBuilder().Text("uuid", image_).Build(); }
  tables::Item LimitKey() const {
    return ItemBuilder().Text("PK", "LIMIT#ada@example.com").Text("SK", "ada@example.com").Build();
  }

  std::string Differing(const std::string& what) const {
    return StrCat("differing-copy ", image_, " ", what);
  }

  static flows::ScrubEvents Quietly() {
    return {[](const ScrubState&) { return true; }, [](const ScrubState&) { return OkStatus(); }};
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

// A flipped byte in an original: its length is right, its checksum is not. Without reading, nobody
// knows.
TEST_F(ScrubTest, FindsAFlippedByte) {
  const std::string was = TextOf(ImageItem(image_), "sha256");
  blobs::ContentHasher hasher;
  hasher.Update("pixelz");
  WriteBlob(Stored(flows::Size::kOriginal), "pixelz");
  EXPECT_THAT(Findings(), ElementsAre(StrCat("damaged-blob ", image_, " ",
                                             Stored(flows::Size::kOriginal), " (its SHA-256 is ",
                                             hasher.hashes().sha256, " instead of ", was, ")")));
  flows::ScrubOptions quick;
  quick.read_originals = false;
  const auto scrubbed = flows::Scrub(product(), quick, {}, Quietly());
  ASSERT_TRUE(scrubbed.ok());
  EXPECT_THAT(scrubbed->findings, IsEmpty());
  EXPECT_EQ(scrubbed->counts.bytes_read, 0);
  // A length is compared either way.
  WriteBlob(Stored(flows::Size::kOriginal), "pix");
  const auto again = flows::Scrub(product(), quick, {}, Quietly());
  ASSERT_TRUE(again.ok());
  ASSERT_EQ(again->findings.size(), 1U);
  EXPECT_EQ(again->findings[0].kind, "damaged-blob");
}

// A large original is read in pieces, and every one of them counts.
TEST_F(ScrubTest, ReadsLargeOriginalsToTheirEnd) {
  std::string content;
  content.resize(9'000'000, 'x');
  const std::string large = UploadDeveloped(account_, content).id;
  const auto clean = flows::Scrub(product(), {}, {}, Quietly());
  ASSERT_TRUE(clean.ok());
  EXPECT_THAT(clean->findings, IsEmpty());
  EXPECT_EQ(clean->counts.bytes_read, 9'000'006);
  EXPECT_EQ(clean->counts.bytes_total, 9'000'006);
  EXPECT_EQ(clean->counts.bytes_passed, 9'000'006);
  content.back() = 'y';
  WriteBlob(flows::StoredKey(large, 0, flows::Size::kOriginal), content);
  EXPECT_THAT(Findings(), ElementsAre(testing::StartsWith(StrCat("damaged-blob ", large))));
}

// Checksums that were changed in a record while the file is as it was: the others tell which one
// is wrong.
TEST_F(ScrubTest, FindsWrongChecksums) {
  blobs::ContentHasher hasher;
  hasher.Update("pixels");
  const std::string sha256 = hasher.hashes().sha256;
  Set("so0050-tintype-ingest", MediaKey(), "data.checksum.computed", Value::String("0123"));
  EXPECT_THAT(Findings(),
              ElementsAre(Differing(StrCat("ingest.data.checksum.computed (the file has ",
                                           hasher.hashes().md5, ")"))));
  Set("so0050-tintype-ingest", MediaKey(), "data.checksum.computed",
      Value::String(hasher.hashes().md5));
  Set("ImageMetadata", ImageKey(), "sha256", Value::String("4567"));
  EXPECT_THAT(Findings(), UnorderedElementsAre(
                              Differing(StrCat("ImageMetadata.sha256 (the file has ", sha256, ")")),
                              StrCat("missing-posting ", image_, " its checksum is not posted"),
                              StrCat("stale-posting ", image_, " the checksum ", sha256,
                                     " of the user ", account_.id)));
}

// The length that the record has of the original, and of the largest rendition.
TEST_F(ScrubTest, FindsWrongLengths) {
  const int64_t processed = *IntegerOf(ImageItem(image_), "processedSize");
  Set("ImageMetadata", ImageKey(), "processedSize", Value::Integer(processed + 1));
  EXPECT_THAT(Findings(),
              ElementsAre(StrCat("damaged-blob ", image_, " ", Stored(flows::Size::kLarge, 1), " (",
                                 processed, " bytes instead of ", processed + 1, ")")));
  Set("ImageMetadata", ImageKey(), "processedSize", Value::Integer(processed));
  Set("ImageMetadata", ImageKey(), "fileSize", Value::Integer(7));
  EXPECT_THAT(Findings(),
              UnorderedElementsAre(Differing("ImageMetadata.fileSize (7 instead of 6)"),
                                   Differing("ingest.fileSize (6, should be 7)"),
                                   Differing("ingest.data.checksum.fileSize (6, should be 7)")));
}

// Which sizes there are, as photos and sparks say.
TEST_F(ScrubTest, FindsDifferingSizes) {
  const std::vector<std::string> all = {"ORIGINAL", "LARGE", "MEDIUM", "SMALL", "THUMB"};
  Set("photos", PhotoKey(), "sizes", contexts::TextListValue({all.begin(), all.end() - 1}));
  EXPECT_THAT(Findings(), ElementsAre(Differing("photos.sizes (without THUMB)")));
  std::vector<std::string> more = all;
  more.emplace_back("HUGE");
  Set("photos", PhotoKey(), "sizes", contexts::TextListValue(more));
  EXPECT_THAT(Findings(), ElementsAre(Differing("photos.sizes (HUGE is not stored)")));
  Set("photos", PhotoKey(), "sizes", contexts::TextListValue(all));
  EXPECT_THAT(Findings(), IsEmpty());
  Set("sparks", SparksKey(), "images.large", Value::String("elsewhere"));
  EXPECT_THAT(Findings(), ElementsAre(Differing(StrCat("sparks.images (elsewhere, processed/",
                                                       image_, "_medium.webp)"))));
  RemoveAttribute("sparks", SparksKey(), "images");
  EXPECT_THAT(Findings(), ElementsAre(Differing("sparks.images (missing)")));
}

// The other attributes of an image in sparks.
TEST_F(ScrubTest, FindsDifferingSparks) {
  Set("sparks", SparksKey(), "s3Key", Value::String("elsewhere"));
  EXPECT_THAT(Findings(), ElementsAre(Differing(StrCat(
                              "sparks.s3Key (elsewhere, should be originals/", image_, ".jpg)"))));
  Set("sparks", SparksKey(), "s3Key", Value::String(StrCat("originals/", image_, ".jpg")));
  Set("sparks", SparksKey(), "persons", contexts::TextListValue({"p1"}));
  EXPECT_THAT(Findings(), ElementsAre(Differing("sparks.persons")));
  PutItem("sparks", ItemBuilder().Text("PK", image_).Text("SK", "PERSON#p1").Build());
  EXPECT_THAT(Findings(), IsEmpty());
  Set("sparks", SparksKey(), "visibility", Value::String("shared"));
  EXPECT_THAT(
      Findings(),
      ElementsAre(Differing("sparks.visibility (shared, but its entityType says private)")));
}

// The keys of the indexes: those of a listed image are there, those of one in the trash are not.
TEST_F(ScrubTest, FindsWrongIndexKeys) {
  const std::string sort = TextOf(ImageItem(image_), "GSI1SK");
  RemoveAttribute("ImageMetadata", ImageKey(), "GSI1SK");
  EXPECT_THAT(
      Findings(),
      ElementsAre(Differing(StrCat("ImageMetadata.GSI1SK (missing, should be ", sort, ")"))));
  Set("ImageMetadata", ImageKey(), "GSI1SK", Value::String("UPLOADED#1999"));
  EXPECT_THAT(
      Findings(),
      ElementsAre(Differing(StrCat("ImageMetadata.GSI1SK (UPLOADED#1999, should be ", sort, ")"))));
  Set("ImageMetadata", ImageKey(), "GSI1SK", Value::String(sort));
  Set("ImageMetadata", ImageKey(), "GSI2PK", Value::String("ALBUM#x"));
  EXPECT_THAT(Findings(),
              ElementsAre(Differing("ImageMetadata.GSI2PK (ALBUM#x, should not be there)")));
  RemoveAttribute("ImageMetadata", ImageKey(), "GSI2PK");
  ASSERT_TRUE(flows::TrashImage(product(), account_, image_).ok());
  EXPECT_THAT(Findings(), IsEmpty());
  Set("ImageMetadata", ImageKey(), "GSI1SK", Value::String(sort));
  EXPECT_THAT(
      Findings(),
      ElementsAre(Differing(StrCat("ImageMetadata.GSI1SK (", sort, ", should not be there)"))));
}

// The names of files in the record.
TEST_F(ScrubTest, FindsWrongNames) {
  const std::string key = TextOf(ImageItem(image_), "s3Key");
  const std::string thumbnail = TextOf(ImageItem(image_), "thumbnailKey");
  Set("ImageMetadata", ImageKey(), "s3Bucket", Value::String("other"));
  Set("ImageMetadata", ImageKey(), "s3Key", Value::String("x"));
  Set("ImageMetadata", ImageKey(), "thumbnailKey", Value::String("y"));
  EXPECT_THAT(Findings(),
              UnorderedElementsAre(
                  Differing("ImageMetadata.s3Bucket (other, should be images)"),
                  Differing(StrCat("ImageMetadata.s3Key (x, should be ", key, ")")),
                  Differing(StrCat("ImageMetadata.thumbnailKey (y, should be ", thumbnail, ")"))));
}

// The ingest record against the image.
TEST_F(ScrubTest, FindsDifferingIngest) {
  const std::string table = "so0050-tintype-ingest";
  Set(table, MediaKey(), "type", Value::String("video"));
  Set(table, MediaKey(), "key", Value::String("elsewhere"));
  Set(table, MediaKey(), "bucket", Value::String("uploads"));
  Set(table, MediaKey(), "overallStatus", Value::String("IN_PROGRESS"));
  Set(table, MediaKey(), "progress", Value::Integer(50));
  Set(table, MediaKey(), "fileSize", Value::Integer(5));
  EXPECT_THAT(Findings(), UnorderedElementsAre(
                              Differing("ingest.type (video, should be image)"),
                              Differing(StrCat("ingest.key (elsewhere, should be ",
                                               Stored(flows::Size::kOriginal), ")")),
                              Differing("ingest.bucket (uploads, should be images)"),
                              Differing("ingest.overallStatus (IN_PROGRESS, should be COMPLETED)"),
                              Differing("ingest.progress (50, should be 100)"),
                              Differing("ingest.fileSize (5, should be 6)")));
}

// The analysis record: what it adds up to, what it points at, and that there is one.
TEST_F(ScrubTest, FindsDifferingAnalysis) {
  const std::string table = "so0050-tintype-analysis";
  const std::string output = StrCat(image_, "/image/properties.json");
  Set(table, MediaKey(), "overallStatus", Value::String("ERROR"));
  Set(table, MediaKey(), "progress", Value::Integer(7));
  Set(table, MediaKey(), "type", Value::String("audio"));
  DeleteBlob(output);
  EXPECT_THAT(Findings(),
              UnorderedElementsAre(Differing("analysis.overallStatus (ERROR, should be COMPLETED)"),
                                   Differing("analysis.progress (7, should be 100)"),
                                   Differing("analysis.type (audio, should be image)"),
                                   StrCat("missing-blob ", image_, " ", output)));
  DeleteItem(table, MediaKey());
  EXPECT_THAT(Findings(), ElementsAre(StrCat("missing-record ", image_, " no analysis record")));
  PutItem(table, ItemBuilder().Text("uuid", "gone").Build());
  EXPECT_THAT(Findings(), Contains("orphaned-record gone analysis"));
}

// Versions: the current one has a record, and none is newer than the image says.
TEST_F(ScrubTest, FindsWrongVersions) {
  Set("ImageMetadata", ImageKey(), "revision", Value::Integer(0));
  EXPECT_THAT(Findings(),
              Contains(Differing("ImageMetadata.revision (0, but there is version 1)")));
  Set("ImageMetadata", ImageKey(), "revision", Value::Integer(1));
  EXPECT_THAT(Findings(), IsEmpty());
  DeleteItem("ImageMetadata",
             ItemBuilder().Text("PK", StrCat("IMAGE#", image_)).Text("SK", "VERSION#1").Build());
  EXPECT_THAT(Findings(), ElementsAre(StrCat("missing-record ", image_,
                                             " no version 1, which is the current one")));
}

// Postings of what an image does not have: a tag, another's tag, another checksum.
TEST_F(ScrubTest, FindsStalePostings) {
  PutItem("tintype", ItemBuilder()
                         .Text("PK", StrCat("TAG#", account_.id, "#lake#north"))
                         .Text("SK", image_)
                         .Build());
  PutItem("tintype", ItemBuilder().Text("PK", "TAG#bob#sea").Text("SK", image_).Build());
  PutItem("tintype", ItemBuilder()
                         .Text("PK", StrCat("CHECKSUM#", account_.id))
                         .Text("SK", "abc")
                         .Text("id", image_)
                         .Build());
  EXPECT_THAT(Findings(),
              UnorderedElementsAre(
                  StrCat("stale-posting ", image_, " the tag lake#north of the user ", account_.id),
                  StrCat("stale-posting ", image_, " the tag sea of the user bob"),
                  StrCat("stale-posting ", image_, " the checksum abc of the user ", account_.id)));
}

// Uploads that have taken one of the limit and will never give it back by themselves.
TEST_F(ScrubTest, FindsLeftoverUploads) {
  const auto upload = Begin(account_, "late.png");
  EXPECT_THAT(Findings(), IsEmpty());
  DeleteItem("so0050-tintype-backlog",
             ItemBuilder().Text("id", StrCat("abandon-upload-", upload.id)).Build());
  EXPECT_THAT(Findings(), ElementsAre(StrCat("leftover-upload ", upload.id,
                                             " no work will give it up when its time has passed")));
  DeleteItem("tintype",
             ItemBuilder().Text("PK", StrCat("UPLOAD#", upload.id)).Text("SK", "UPLOAD").Build());
  EXPECT_THAT(Findings(),
              ElementsAre("differing-limit ada@example.com 8 uploads left instead of 9"));
  PutItem("tintype", ItemBuilder()
                         .Text("PK", StrCat("UPLOAD#", image_))
                         .Text("SK", "UPLOAD")
                         .Text("id", image_)
                         .Text("email", "ada@example.com")
                         .Build());
  EXPECT_THAT(Findings(),
              ElementsAre(StrCat("leftover-upload ", image_, " it is an image already")));
}

// Limits are recounted: what is left, images and uploads on their way are what was granted, where
// that is known.
TEST_F(ScrubTest, FindsWrongLimits) {
  Begin(account_, "on its way.png");
  ASSERT_EQ(Limit(account_), 8);
  EXPECT_THAT(Findings(), IsEmpty());
  for (const int64_t wrong : {7, 9, -1}) {
    Set("sparks", LimitKey(), "limit", Value::Integer(wrong));
    EXPECT_THAT(Findings(), ElementsAre(StrCat("differing-limit ada@example.com ", wrong,
                                               " uploads left", wrong < 0 ? "" : " instead of 8")));
  }
  RemoveAttribute("sparks", LimitKey(), "limit");
  EXPECT_THAT(Findings(), ElementsAre("differing-limit ada@example.com not a whole number"));
  // A limit that somebody has set says so, and then nobody knows what was granted; nor without a
  // record of it; nor is there anything to count without a limit.
  Set("sparks", LimitKey(), "limit", Value::Integer(9'007'199'254'740'991));
  EXPECT_THAT(Findings(), IsEmpty());
  Set("sparks", LimitKey(), "limit", Value::Integer(100));
  Set("sparks", LimitKey(), "setAt", Value::String("2026-01-01T00:00:00.000Z"));
  EXPECT_THAT(Findings(), IsEmpty());
  RemoveAttribute("sparks", LimitKey(), "setAt");
  EXPECT_THAT(Findings(),
              ElementsAre("differing-limit ada@example.com 100 uploads left instead of 8"));
  DeleteItem("tintype",
             ItemBuilder().Text("PK", "GRANT#ada@example.com").Text("SK", "GRANT").Build());
  EXPECT_THAT(Findings(), IsEmpty());
  PutItem("sparks", ItemBuilder()
                        .Text("PK", "LIMIT#gone@example.com")
                        .Text("SK", "gone@example.com")
                        .Integer("limit", 10)
                        .Build());
  EXPECT_THAT(Findings(), ElementsAre("orphaned-record gone@example.com limit"));
}

// A gallery in which everything has happened has no findings: uploads, duplicates, edits, albums,
// trash, restored and deleted images, failed ones, shared ones, another account's.
TEST_F(ScrubTest, FindsNothingInAGalleryThatIsWell) {
  const flows::Account bob = SignUp("bob");
  std::vector<std::string> ids;
  ids.reserve(6);
  for (int n = 0; n < 6; ++n) {
    ids.push_back(UploadDeveloped(account_, StrCat("photo ", n)).id);
  }
  UploadDeveloped(bob, "photo 1");
  EXPECT_EQ(Upload(account_, "photo 1").id, ids[1]);
  Upload(account_, "bad photo");
  Drain();
  contexts::catalog::DetailsChange change;
  change.tags = {{"sea", "two words", "a#b"}};
  change.album_id = {{"summer"}};
  ASSERT_TRUE(flows::UpdateImage(product(), account_, ids[0], 1, change).ok());
  for (int n = 0; n < 2; ++n) {
    ASSERT_TRUE(flows::CreateJob(product(), account_, {ids[0], "stub", "[]"}).ok());
    Drain();
  }
  ASSERT_TRUE(
      flows::SetImageVisibility(product(), account_, ids[2], contexts::people::Visibility::kShared)
          .ok());
  ASSERT_TRUE(flows::TrashImage(product(), account_, ids[2]).ok());
  ASSERT_TRUE(flows::TrashImage(product(), account_, ids[0]).ok());
  ASSERT_TRUE(flows::RestoreImage(product(), account_, ids[0]).ok());
  ASSERT_TRUE(flows::DeleteImageNow(product(), account_, ids[3]).ok());
  ASSERT_TRUE(flows::TrashImage(product(), account_, ids[4]).ok());
  EXPECT_EQ(Upload(account_, "photo 4").id, ids[4]);
  Drain();
  Begin(account_, "on its way.png");
  Upload(account_, "not developed yet");
  const auto scrubbed = flows::Scrub(product(), {}, {}, Quietly());
  ASSERT_TRUE(scrubbed.ok());
  EXPECT_THAT(scrubbed->findings, IsEmpty());
  EXPECT_EQ(scrubbed->counts.images, 9);
  EXPECT_EQ(scrubbed->counts.in_progress, 1);
}

// Killed at any point, with what was kept last, and gone on from there, again and again: the same
// findings as without.
TEST_F(ScrubTest, GoesOnWhereItWasKilled) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE(StrCat("seed ", seed));
  std::mt19937 random(seed);
  for (int n = 0; n < 8; ++n) {
    image_ = UploadDeveloped(account_, StrCat("photo ", n)).id;
    if (n % 2 == 0) {
      WriteBlob(Stored(flows::Size::kOriginal), StrCat("PHOTO ", n));
    } else {
      DeleteBlob(Stored(flows::Size::kThumb));
      Set("photos", PhotoKey(), "description", Value::String("other"));
    }
    PutItem("photos", ItemBuilder().Text("username", "ada").Text("id", StrCat("gone", n)).Build());
    PutBlob("images", StrCat("images/gone", n, "/LARGE"));
    PutItem("tintype",
            ItemBuilder().Text("PK", StrCat("TAG#u#tag", n)).Text("SK", StrCat("gone", n)).Build());
  }
  const auto whole = flows::Scrub(product(), {}, {}, Quietly());
  ASSERT_TRUE(whole.ok());
  ASSERT_EQ(whole->findings.size(), 4U + 4U * 2U + 8U * 3U);
  flows::ScrubOptions options;
  options.save_interval = std::chrono::milliseconds(0);
  for (int round = 0; round < 5; ++round) {
    ScrubState kept;
    int kills = 0;
    for (;; ++kills) {
      ASSERT_LT(kills, 1000);
      int calls_left = std::uniform_int_distribution<int>(1, 40)(random);
      const auto ended = flows::Scrub(product(), options, kept,
                                      {[&](const ScrubState&) { return calls_left-- > 0; },
                                       [&](const ScrubState& state) {
                                         // A kill may come before it is kept.
                                         if (calls_left > 0 || random() % 2 == 0) {
                                           kept = state;
                                         }
                                         return OkStatus();
                                       }});
      if (ended.ok()) {
        EXPECT_EQ(ended->findings, whole->findings);
        EXPECT_EQ(ended->counts, whole->counts);
        break;
      }
      EXPECT_EQ(ended.error().kind(), ErrorKind::kUnavailable);
    }
    EXPECT_GT(kills, 0);
  }
}

// An image that changes while it is looked at is looked at again: here somebody brings a copy in
// line as soon as the first bytes are read.
TEST_F(ScrubTest, LooksAgainAtWhatChangesMeanwhile) {
  Set("photos", PhotoKey(), "description", Value::String("other"));
  bool mended = false;
  const auto scrubbed = flows::Scrub(
      product(), {}, {},
      {[&](const ScrubState& state) {
         if (state.counts.bytes_read > 0 && !mended) {
           mended = true;
           contexts::catalog::DetailsChange change;
           change.description = {{"Mended"}};
           const auto image = product().catalog.Find(image_);
           CHECK(flows::UpdateImage(product(), account_, image_, (*image)->version, change).ok());
         }
         return true;
       },
       [](const ScrubState&) { return OkStatus(); }});
  ASSERT_TRUE(scrubbed.ok());
  EXPECT_TRUE(mended);
  EXPECT_THAT(scrubbed->findings, IsEmpty());
}

// It reads no more than it may, and stops in the midst of waiting when it is told to.
TEST_F(ScrubTest, KeepsItsPace) {
  UploadDeveloped(account_, std::string(6'000'000, 'x'));
  flows::ScrubOptions options;
  options.read_bytes_per_s = 1'000'000;
  options.sleep = [&](std::chrono::milliseconds time) { clock_.AdvanceMs(time.count()); };
  const int64_t began_ms = clock_.NowMs();
  ASSERT_TRUE(flows::Scrub(product(), options, {}, Quietly()).ok());
  EXPECT_GE(clock_.NowMs() - began_ms, 6000);
  EXPECT_LT(clock_.NowMs() - began_ms, 6500);
  const int64_t again_ms = clock_.NowMs();
  const auto stopped =
      flows::Scrub(product(), options, {},
                   {[&](const ScrubState&) { return clock_.NowMs() < again_ms + 1000; },
                    [](const ScrubState&) { return OkStatus(); }});
  EXPECT_EQ(KindOf(stopped), ErrorKind::kUnavailable);
  EXPECT_LT(clock_.NowMs() - again_ms, 1500);
}

// Every finding says what to do about it.
TEST_F(ScrubTest, SaysWhatToDo) {
  DeleteBlob(Stored(flows::Size::kOriginal));
  DeleteBlob(Stored(flows::Size::kThumb));
  Set("sparks", LimitKey(), "limit", Value::Integer(-1));
  PutBlob("images", "strange");
  const auto scrubbed = flows::Scrub(product(), {}, {}, Quietly());
  ASSERT_TRUE(scrubbed.ok());
  EXPECT_EQ(scrubbed->findings.size(), 4U);
  for (const flows::Finding& finding : scrubbed->findings) {
    EXPECT_FALSE(finding.next.empty()) << finding.kind;
  }
  EXPECT_THAT(
      scrubbed->findings,
      Contains(AllOf(testing::Field(&flows::Finding::detail, Stored(flows::Size::kThumb)),
                     testing::Field(&flows::Finding::next,
                                    StrCat("tintype rebuild renditions --image ", image_)))));
}

// An image that is being worked on is left out; one in the trash is whole.
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
