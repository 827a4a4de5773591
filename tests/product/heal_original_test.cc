#include "flows/images/heal_original.h"

#include <gmock/gmock.h>

#include "base/strings.h"
#include "contexts/common/transaction.h"
#include "flows/images/trash.h"
#include "flows/media_keys.h"
#include "product_fixture.h"
#include "tripwire.h"

// Photos whose original was lost, and which their owner uploads again.

namespace tintype::product {
namespace {

using contexts::catalog::ProcessingStatus;
using flows::Size;
using testing::Contains;
using testing::IsEmpty;

class HealOriginalTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    account_ = SignUp("ada");
  }

  static std::string Original(const std::string& id) {
    return flows::StoredKey(id, 0, Size::kOriginal);
  }
  void Lose(const std::string& id) {
    ASSERT_TRUE(blobs_->Delete({"images", Original(id)}).ok());
    ASSERT_TRUE(blobs_->Delete({"images", flows::StoredKey(id, 0, Size::kLarge)}).ok());
  }
  void WriteOriginal(const std::string& id, const std::string& content) {
    const auto writer = blobs_->Create({"images", Original(id)});
    ASSERT_TRUE(writer.ok() && (*writer)->Write(content).ok() && (*writer)->Commit().ok());
  }
  std::string ReadOriginal(const std::string& id) {
    const auto blob = blobs_->Open({"images", Original(id)});
    if (!blob.ok()) {
      return "missing";
    }
    std::string content((*blob)->bytes(), '\0');
    return (*blob)->Read(0, content).ok() ? content : "unreadable";
  }

  flows::Account account_;
};

// Proves that the bytes of a duplicate replace an original that is gone, emptied or cut off, with
// all that is made of it; that nothing is left of the upload; and that one which is whole stays.
TEST_F(HealOriginalTest, TheSameBytesBringItBack) {
  const std::string id = UploadDeveloped(account_, "pixels").id;
  const auto lose = [&](const char* left) {
    Lose(id);
    if (left != nullptr) {
      WriteOriginal(id, left);
    }
  };
  for (const char* const left : {static_cast<const char*>(nullptr), "", "pix"}) {
    lose(left);
    ASSERT_EQ(Upload(account_, "pixels").id, id);
    EXPECT_EQ(Limit(account_), 9);
    Drain();
    EXPECT_EQ(ReadOriginal(id), "pixels");
    EXPECT_THAT(Blobs("uploads"), IsEmpty());
    EXPECT_THAT(Blobs("images"), Contains(flows::StoredKey(id, 0, Size::kLarge)));
    EXPECT_THAT(Findings(), IsEmpty());
    EXPECT_THAT(Items("so0050-tintype-backlog"), IsEmpty());
  }
  WriteOriginal(id, "PIXELS");
  ASSERT_EQ(Upload(account_, "pixels").id, id);
  EXPECT_EQ(Drain(), 0);
  EXPECT_EQ(ReadOriginal(id), "PIXELS") << "of the right size: no business of an upload";
}

// Proves the same of one that was in the trash, and of one that could not be developed because its
// bytes were lost before.
TEST_F(HealOriginalTest, WhateverItsState) {
  const std::string trashed = UploadDeveloped(account_, "trashed").id;
  ASSERT_TRUE(flows::TrashImage(product(), account_, trashed).ok());
  Lose(trashed);
  ASSERT_EQ(Upload(account_, "trashed").id, trashed);
  const std::string failed = Upload(account_, "failed").id;
  ASSERT_TRUE(blobs_->Delete({"uploads", flows::UploadKey(failed)}).ok());
  Drain();
  ASSERT_EQ((*product().catalog.Find(failed))->processing_status, ProcessingStatus::kFailed);
  ASSERT_EQ(Upload(account_, "failed").id, failed);
  // And of one that waits to be developed.
  const std::string pending = Upload(account_, "pending").id;
  ASSERT_TRUE(blobs_->Delete({"uploads", flows::UploadKey(pending)}).ok());
  ASSERT_EQ(Upload(account_, "pending").id, pending);
  Drain();
  for (const std::string& id : {trashed, failed, pending}) {
    EXPECT_EQ((*product().catalog.Find(id))->processing_status, ProcessingStatus::kCompleted);
  }
  EXPECT_EQ(ReadOriginal(failed), "failed");
  EXPECT_THAT(Blobs("uploads"), IsEmpty());
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that whatever call fails, and whether it was done or not, asking again heals the image,
// and that the bytes are never lost on the way.
TEST_F(HealOriginalTest, GoesOnAfterEveryFailure) {
  const std::string id = UploadDeveloped(account_, "pixels").id;
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), stores.blobs());
  for (FailingCalls calls(wire); calls.Next();) {
    Lose(id);
    const auto upload = Begin(account_, "again.png");
    const auto bytes = WriteBytes(upload.id, "pixels");
    calls.Arm();
    calls.Note(
        flows::CompleteUpload(tripped->product, account_, upload, {"again.png"}, bytes).ok());
    if (calls.n() % 2 == 0) {
      Drain();  // The work may be quicker than the second request.
    }
    const auto again = flows::CompleteUpload(product(), account_, upload, {"again.png"}, bytes);
    ASSERT_TRUE(again.ok()) << calls.n() << ": " << again.error().message();
    EXPECT_EQ(again->image.id, id);
    Drain();
    ASSERT_EQ(ReadOriginal(id), "pixels") << calls.n();
    EXPECT_THAT(Blobs("uploads"), IsEmpty());
    EXPECT_THAT(TracesOf(upload.id), IsEmpty());
    EXPECT_THAT(Findings(), IsEmpty());
    EXPECT_EQ(Limit(account_), 9);
  }
}

// Proves that an image which is deleted at this very moment is not given bytes that nobody owns,
// and that the upload keeps its own.
TEST_F(HealOriginalTest, LeavesWhatWasDeletedAlone) {
  const auto image = UploadDeveloped(account_, "pixels");
  Lose(image.id);
  const auto upload = Begin(account_, "again.png");
  WriteBytes(upload.id, "pixels");
  ASSERT_TRUE(contexts::Transaction("somebody")
                  .Add(contexts::catalog::Catalog::Remove(image.id))
                  .Commit(product().database, product().retries)
                  .ok());
  EXPECT_EQ(KindOf(flows::HealOriginal(product(), image, upload)), ErrorKind::kNotFound);
  EXPECT_THAT(Blobs("uploads"), testing::ElementsAre(flows::UploadKey(upload.id)));
  EXPECT_FALSE(*product().backlog.Find(StrCat("rebuild-image-", image.id)));
}

}  // namespace
}  // namespace tintype::product
