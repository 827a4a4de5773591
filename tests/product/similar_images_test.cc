#include "flows/images/keep_hash.h"

#include <gmock/gmock.h>

#include <random>

#include "base/strings.h"
#include "contexts/catalog/similarity.h"
#include "flows/images/delete_image.h"
#include "flows/images/edit_image.h"
#include "flows/images/trash.h"
#include "product_fixture.h"
#include "views/similar_images.h"

// Images that look alike: what is kept of it, and what is found by it.

namespace tintype::product {
namespace {

using contexts::catalog::HashText;
using contexts::catalog::ImageHash;
using contexts::catalog::kSimilarDistanceDefault;
using contexts::catalog::kSimilarDistanceMax;
using contexts::catalog::SimilarityIndex;
using flows::Account;
using testing::ElementsAre;
using testing::IsEmpty;

class SimilarImagesTest : public ProductTest {
 protected:
  std::string UploadHashed(const Account& account, uint64_t hash, std::string_view note = "") {
    return UploadDeveloped(account, StrCat("look ", HashText(hash), " ", note)).id;
  }
  std::vector<std::string> Similar(const Account& account, const std::string& id,
                                   int distance = kSimilarDistanceDefault, size_t limit = 100) {
    const auto similar = views::FindSimilarImages(views(), account, {id, distance, limit});
    CHECK(similar.ok());
    EXPECT_TRUE(similar->complete);
    std::vector<std::string> found;
    for (const views::SimilarImage& each : similar->images) {
      found.push_back(StrCat(each.view.image.id, " ", each.distance));
    }
    return found;
  }
  size_t HashItems() {
    size_t count = 0;
    for (const tables::Item& item : Items("tintype")) {
      count += TextOf(item, "PK").starts_with("LOOK") ? 1 : 0;
    }
    return count;
  }
};

// Proves that the nearest come first, up to the distance and the limit, and of one account alone.
TEST_F(SimilarImagesTest, FindsTheNearestFirst) {
  const Account ada = SignUp("ada");
  const Account bob = SignUp("bob");
  constexpr uint64_t kHash = 0x0123'4567'89AB'CDEF;
  const std::string image = UploadHashed(ada, kHash);
  const std::string three = UploadHashed(ada, kHash ^ 0x8000'0001'0000'0001);
  const std::string same = UploadHashed(ada, kHash, "once more");
  const std::string eleven = UploadHashed(ada, kHash ^ 0x7FF);
  UploadHashed(ada, ~kHash);
  UploadHashed(bob, kHash);
  EXPECT_THAT(Similar(ada, image), ElementsAre(StrCat(same, " 0"), StrCat(three, " 3")));
  EXPECT_THAT(Similar(ada, image, 11),
              ElementsAre(StrCat(same, " 0"), StrCat(three, " 3"), StrCat(eleven, " 11")));
  EXPECT_THAT(Similar(ada, image, 0), ElementsAre(StrCat(same, " 0")));
  EXPECT_THAT(Similar(ada, image, 11, 1), ElementsAre(StrCat(same, " 0")));
  EXPECT_EQ(KindOf(views::FindSimilarImages(views(), bob, {image, 10, 10})), ErrorKind::kNotFound);
  EXPECT_EQ(TextOf(ImageItem(image), "perceptualHash"), "0123456789abcdef");
}

// Proves the promise: whatever is within the distance is found, wherever the bits differ. Random
// differences, and the worst that there are: those spread evenly over all bands.
TEST_F(SimilarImagesTest, FindsEverythingWithinTheDistance) {
  std::mt19937_64 random(5);
  SimilarityIndex index(*database_);
  for (int distance = 0; distance <= kSimilarDistanceMax; ++distance) {
    for (int i = 0; i < 25; ++i) {
      const uint64_t hash = random();
      uint64_t other = hash;
      const bool even = i % 2 == 0;
      for (int bit = 0; contexts::catalog::HashDistance(hash, other) < distance; ++bit) {
        const uint64_t at = even ? static_cast<uint64_t>(bit) * 11 % 64 : random() % 64;
        other = hash ^ ((other ^ hash) | uint64_t{1} << at);
      }
      const std::string user = StrCat("user-", distance, "-", i);
      contexts::Transaction put("put");
      put.Add(SimilarityIndex::Put({"other", user, other}, {}));
      ASSERT_TRUE(put.Commit(*database_).ok());
      const auto found = index.FindSimilar({"image", user, hash}, distance);
      ASSERT_TRUE(found.ok());
      ASSERT_EQ(found->images.size(), 1U) << distance << ' ' << HashText(hash ^ other);
      EXPECT_EQ(found->images[0].distance, distance);
      if (distance > 0) {
        const auto nearer = index.FindSimilar({"image", user, hash}, distance - 1);
        ASSERT_TRUE(nearer.ok());
        EXPECT_THAT(nearer->images, IsEmpty());
      }
    }
  }
}

// Proves that a hash goes with its image, and comes back when the image is developed again; and
// that an image without one has nothing like it.
TEST_F(SimilarImagesTest, GoesWithItsImage) {
  const Account ada = SignUp("ada");
  const std::string plain = UploadDeveloped(ada, "plain white").id;
  EXPECT_EQ(HashItems(), 0U);
  EXPECT_THAT(Similar(ada, plain), IsEmpty());
  const std::string image = UploadHashed(ada, 7);
  const std::string other = UploadHashed(ada, 3);
  EXPECT_EQ(HashItems(), 14U);
  EXPECT_THAT(Findings(), IsEmpty());

  ASSERT_TRUE(flows::TrashImage(product(), ada, other).ok());
  EXPECT_THAT(Similar(ada, image), IsEmpty());
  EXPECT_EQ(KindOf(views::FindSimilarImages(views(), ada, {other, 10, 10})), ErrorKind::kNotFound);
  ASSERT_TRUE(flows::RestoreImage(product(), ada, other).ok());
  EXPECT_THAT(Similar(ada, image), ElementsAre(StrCat(other, " 1")));

  ASSERT_TRUE(flows::DeleteImageNow(product(), ada, other).ok());
  Drain();
  EXPECT_THAT(TracesOf(other), IsEmpty());
  EXPECT_EQ(HashItems(), 7U);
  EXPECT_THAT(Similar(ada, image), IsEmpty());
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that a hash that has changed, as with another version of its algorithm, leaves nothing
// of the old one; and that without the lease nothing is kept.
TEST_F(SimilarImagesTest, ReplacesItself) {
  const Account ada = SignUp("ada");
  const std::string image = UploadHashed(ada, 1);
  contexts::backlog::Work work;
  work.id = StrCat("develop-", image);
  work.uuid = image;
  EXPECT_FALSE(flows::KeepHash(product(), work, 99).ok());
  contexts::Transaction change("change");
  change.Add(SimilarityIndex::Put({image, ada.id, 0xFFFF'FFFF}, ImageHash{image, ada.id, 1}));
  ASSERT_TRUE(change.Commit(*database_).ok());
  EXPECT_EQ(HashItems(), 7U);
  // The record says another one, and the scrub notices.
  EXPECT_THAT(Findings(),
              ElementsAre(StrCat("missing-posting ", image, " its perceptual hash is not posted")));
}

// Proves that an edit changes what is painted first, and not what the image is found by.
TEST_F(SimilarImagesTest, StaysThroughEdits) {
  const Account ada = SignUp("ada");
  const std::string image = UploadHashed(ada, 7);
  ASSERT_TRUE(flows::CreateJob(product(), ada, {image, "stub", "[]"}).ok());
  Drain();
  EXPECT_EQ(IntegerOf(ImageItem(image), "revision"), 1);
  EXPECT_EQ(TextOf(ImageItem(image), "perceptualHash"), HashText(7));
  EXPECT_EQ(TextOf(ImageItem(image), "blurhash"), "L00000fQfQfQ");
  EXPECT_THAT(Findings(), IsEmpty());
}

}  // namespace
}  // namespace tintype::product
