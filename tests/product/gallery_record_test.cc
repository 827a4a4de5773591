#include "contexts/system/gallery_record.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "contexts/common/item.h"
#include "product_fixture.h"

// What the tables have on record of the gallery that they are.

namespace tintype::product {
namespace {

using contexts::ItemBuilder;
using contexts::Transaction;
using contexts::system::GalleryRecord;
using contexts::system::GalleryTerms;

class GalleryRecordTest : public ProductTest {
 protected:
  Status Commit(contexts::Piece piece) {
    return Transaction(RandomUuid()).Add(std::move(piece)).Commit(product().database);
  }
  std::optional<GalleryTerms> Find() {
    auto found = GalleryRecord(product().database).Find();
    CHECK(found.ok());
    return *std::move(found);
  }
};

// Proves that the first of two nodes decides the names, and that the other is told so.
TEST_F(GalleryRecordTest, TheFirstNodeDecides) {
  const GalleryRecord record(product().database);
  EXPECT_FALSE(Find().has_value());
  ASSERT_TRUE(Commit(record.Create({"one", "lego", "prod", {}})).ok());
  EXPECT_TRUE(Commit(record.Create({"two", "tintype", "dev", {}}))
                  .error()
                  .Is(contexts::system::kGalleryRecorded));
  const auto found = Find();
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->id, "one");
  EXPECT_EQ(found->stack, "lego");
  EXPECT_EQ(found->environment, "prod");
  EXPECT_EQ(found->blobs, std::nullopt);
}

// Proves that the place of the photos is recorded once the storage has answered, and changed by
// nobody who has not read it.
TEST_F(GalleryRecordTest, ThePlaceOfPhotosIsAddedLater) {
  const GalleryRecord record(product().database);
  ASSERT_TRUE(Commit(record.Create({"one", "tintype", "dev", {}})).ok());
  const GalleryTerms first = Find().value();
  ASSERT_TRUE(Commit(record.SetBlobs(first, "files")).ok());
  EXPECT_EQ(Find()->blobs, "files");
  EXPECT_TRUE(
      Commit(record.SetBlobs(first, "s3 one two")).error().Is(contexts::system::kGalleryChanged));
  GalleryTerms other = Find().value();
  other.id = "another";
  EXPECT_TRUE(
      Commit(record.SetBlobs(other, "s3 one two")).error().Is(contexts::system::kGalleryChanged));
  ASSERT_TRUE(Commit(record.SetBlobs(Find().value(), "s3 one two")).ok());
  EXPECT_EQ(Find()->blobs, "s3 one two");
}

// Proves that a record which lacks something is not taken for none.
TEST_F(GalleryRecordTest, RefusesADamagedRecord) {
  tables::PutItemRequest put;
  put.table = "tintype";
  put.item = ItemBuilder().Text("PK", "GALLERY").Text("SK", "GALLERY").Text("id", "one").Build();
  ASSERT_TRUE(tables::BlockingDatabase(product().database).PutItem(std::move(put)).ok());
  const auto found = GalleryRecord(product().database).Find();
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().kind(), ErrorKind::kCorruption);
}

}  // namespace
}  // namespace tintype::product
