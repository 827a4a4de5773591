#include "flows/media_keys.h"

#include <gtest/gtest.h>

#include "contexts/backlog/work.h"
#include "flows/images/work_tags.h"

namespace tintype::flows {
namespace {

// Proves that every size of every revision has a key that is understood as just that.
TEST(MediaKeysTest, UnderstandsItsOwnKeys) {
  for (const SizeSpec& spec : kSizes) {
    for (const int64_t revision : {0, 1, 12}) {
      const auto name = ResolveMediaKey(StoredKey("01ID", revision, spec.size), 7);
      ASSERT_TRUE(name);
      EXPECT_EQ(name->id, "01ID");
      EXPECT_EQ(name->revision, revision);
      EXPECT_EQ(name->size, spec.size);
    }
  }
  EXPECT_EQ(StoredKey("1", 0, Size::kLarge), "images/1/LARGE");
  EXPECT_EQ(StoredKey("1", 3, Size::kThumb), "images/1/v3/THUMB");
  EXPECT_EQ(StoredKey("1", 3, Size::kFull), "images/1/v3/FULL");
  EXPECT_EQ(ResolveMediaKey("images/1/v3/FULL", 0)->size, Size::kFull);
}

// Proves that the documents' spellings mean what they say, in the revision that is asked for.
TEST(MediaKeysTest, UnderstandsTheDocumentsSpellings) {
  const struct {
    std::string key;
    Size size;
    int64_t revision = 4;
  } cases[] = {
      {ImageServiceKey("u", "1"), Size::kLarge},
      {ImageServiceThumbnailKey("u", "1"), Size::kThumb},
      {SparksOriginalKey("1"), Size::kOriginal, 0},
      {SparksLargeKey("1"), Size::kLarge},
      {SparksMediumKey("1"), Size::kMedium},
  };
  for (const auto& test : cases) {
    const auto name = ResolveMediaKey(test.key, 4);
    ASSERT_TRUE(name) << test.key;
    EXPECT_EQ(name->id, "1");
    EXPECT_EQ(name->revision, test.revision);
    EXPECT_EQ(name->size, test.size);
  }
}

// Proves that nothing else is understood.
TEST(MediaKeysTest, RefusesEverythingElse) {
  for (const std::string key : {"",
                                "/",
                                "images",
                                "images/",
                                "images/1",
                                "images//LARGE",
                                "images//LARGE/",
                                "images//v1/LARGE",
                                "images/1/large",
                                "images/1/v0/LARGE",
                                "images/1/v-1/LARGE",
                                "images/1/v1x/LARGE",
                                "images/1/v/LARGE",
                                "images/1/v1/HUGE",
                                "images/1/v1/LARGE/x",
                                "images/1/v99999999999999999999/LARGE",
                                "images/u/.webp",
                                "images/u/thumbnails/.webp",
                                "images/u/thumbs/1.webp",
                                "originals/.jpg",
                                "originals/1.png",
                                "originals/a/1.jpg",
                                "processed/1.webp",
                                "processed/_large.webp",
                                "uploads/1",
                                "persons/1.jpg",
                                "Images/1/LARGE"}) {
    EXPECT_FALSE(ResolveMediaKey(key, 0)) << key;
  }
}

// Proves that portraits of persons are known by their keys, and nothing else is taken for one.
TEST(MediaKeysTest, KnowsPersons) {
  EXPECT_TRUE(IsPersonKey("persons/p1.jpg"));
  for (const std::string key :
       {"persons/.jpg", "persons/p1.png", "persons/a/b.jpg", "persons", "images/1/LARGE"}) {
    EXPECT_FALSE(IsPersonKey(key)) << key;
  }
}

// Proves that the keys of profile pictures are the document's, tell whose they are, and are apart
// from each other for emails with slashes in them.
TEST(MediaKeysTest, KnowsProfilePictures) {
  EXPECT_EQ(ProfilePictureKey("a@b.c"), "profile-pictures/a@b.c/profile.jpg");
  EXPECT_EQ(ProfilePictureLinkKey("01ARZ"), "profile-pictures/01ARZ/profile.jpg");
  EXPECT_EQ(ProfilePictureOwner("profile-pictures/01ARZ/profile.jpg"), "01ARZ");
  for (const std::string email : {"a@b.c", "a@b/profile.jpg", "../a@b", "100%@b", "a%2fb@c"}) {
    EXPECT_EQ(ProfilePictureOwner(ProfilePictureKey(email)), email);
  }
  for (const std::string key :
       {"profile-pictures//profile.jpg", "profile-pictures/a/other.jpg",
        "profile-pictures/profile.jpg", "profile-pictures/a/b/profile.jpg",
        "profile-pictures/a%/profile.jpg", "persons/p1.jpg", "images/1/LARGE"}) {
    EXPECT_EQ(ProfilePictureOwner(key), std::nullopt) << key;
  }
}

// Proves that a link names its revision, so that its bytes never change.
TEST(MediaKeysTest, LinksToARevision) {
  EXPECT_EQ(MediaUrl("http://host", "images/1/LARGE", 2),
            "http://host/media/images/1/LARGE?revision=2");
}

// Proves that tags travel with work whatever is in them, each once, and not without end.
TEST(WorkTagsTest, KeepsEachTagOnce) {
  contexts::backlog::Work work;
  work.input = {{"userId", "u"}};
  AddWorkTags(work, {"a\nb", "c", "tag#0"});
  AddWorkTags(work, {"c", "d"});
  const std::vector<std::string> expected = {"a\nb", "c", "tag#0", "d"};
  EXPECT_EQ(WorkTags(work), expected);
  for (int i = 0; i < 2000; ++i) {
    AddWorkTags(work, {std::to_string(i)});
  }
  EXPECT_EQ(WorkTags(work).size(), kWorkTagsMax);
}

}  // namespace
}  // namespace tintype::flows
