#include "flows/images/expire_image.h"

#include <gmock/gmock.h>

#include "base/strings.h"
#include "base/testing/eventually.h"
#include "flows/images/trash.h"
#include "product_fixture.h"
#include "tripwire.h"

// Temporary images: that they go in time, and do not when they should stay.

namespace tintype::product {
namespace {

using flows::Account;
using testing::IsEmpty;

class ExpireImageTest : public ProductTest {
 protected:
  /// Follows what removes expired items, which may be quicker than our own work.
  std::unique_ptr<RunningReconciler> StartReconciler() {
    return std::make_unique<RunningReconciler>(product(), *database_);
  }
  /// Whether the image goes, with everything that there is of it.
  bool Vanishes(const std::string& id) {
    return Eventually([&] {
      Drain();
      return TracesOf(id).empty();
    });
  }
};

// Proves that a temporary image goes at its time as any deleted one does, and not before, whatever
// call fails.
TEST_F(ExpireImageTest, VanishAtTheirTime) {
  const Account account = SignUp("ada");
  flows::UploadRequest request{"photo.png"};
  request.image_lifetime_s = 60;
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), *blobs_);
  const auto reconciler = StartReconciler();
  const std::string lasting = UploadDeveloped(account, "lasting").id;
  for (FailingCalls calls(wire); calls.Next();) {
    const std::string id = Upload(account, StrCat("temporary ", calls.turn()), request).id;
    EXPECT_EQ(IntegerOf(ImageItem(id), "ttl"), clock_.NowMs() / 1000 + 60);
    Drain();
    clock_.AdvanceMs(59 * kSecondMs);
    EXPECT_EQ(Drain(), 0);
    EXPECT_TRUE(ImageItem(id));
    clock_.AdvanceMs(kSecondMs);
    calls.Arm();
    while (DoOne(tripped->product)) {
    }
    calls.Note(!wire.tripped());
    wire.Set(0, Tripwire::When::kNever);
    ASSERT_TRUE(product().backlog.EndLeases().ok());
    clock_.AdvanceMs(kHourMs);
    EXPECT_TRUE(Vanishes(id)) << calls.n();
    EXPECT_EQ(Limit(account), 9);
  }
  EXPECT_TRUE(ImageItem(lasting));
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that a temporary image which is uploaded again stays as long as the later upload says, for
// ever if that says nothing; and that the trash does not keep it longer.
TEST_F(ExpireImageTest, CanBeMadeToLast) {
  const Account account = SignUp("ada");
  flows::UploadRequest minute{"photo.png"};
  minute.image_lifetime_s = 60;
  flows::UploadRequest hour{"photo.png"};
  hour.image_lifetime_s = 3600;
  const auto reconciler = StartReconciler();
  const std::string kept = Upload(account, "kept", minute).id;
  const std::string longer = Upload(account, "longer", minute).id;
  const std::string trashed = Upload(account, "trashed", minute).id;
  EXPECT_EQ(Upload(account, "kept").id, kept);
  EXPECT_EQ(Upload(account, "longer", hour).id, longer);
  EXPECT_EQ(Upload(account, "longer", minute).id, longer);
  ASSERT_TRUE(flows::TrashImage(product(), account, trashed).ok());
  Drain();
  clock_.AdvanceMs(60 * kSecondMs);
  EXPECT_TRUE(Vanishes(trashed));
  EXPECT_TRUE(ImageItem(longer));
  clock_.AdvanceMs(kHourMs);
  EXPECT_TRUE(Vanishes(longer));
  clock_.AdvanceMs(100 * kDayMs);
  Drain();
  EXPECT_TRUE(ImageItem(kept));
  EXPECT_EQ(IntegerOf(ImageItem(kept), "ttl"), std::nullopt);
  EXPECT_EQ(Limit(account), 9);
  EXPECT_THAT(Findings(), IsEmpty());

  flows::UploadRequest never{"photo.png"};
  never.image_lifetime_s = 0;
  EXPECT_EQ(KindOf(flows::BeginUpload(product(), account, never)), ErrorKind::kValidation);
}

}  // namespace
}  // namespace tintype::product
