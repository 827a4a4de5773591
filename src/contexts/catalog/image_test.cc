#include "contexts/catalog/image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/strings.h"
#include "contexts/catalog/catalog.h"
#include "contexts/common/item.h"
#include "contract/limits.h"

namespace tintype::contexts::catalog {
namespace {

using testing::ElementsAre;

// Proves that an image comes back from its item as it was, with and without what is optional, and
// that its index keys come and go with album and trash.
TEST(ImageTest, ReadsWhatWasWritten) {
  Image image;
  image.id = "1";
  image.user_id = "u";
  image.uploaded_at = "2025-01-01T00:00:00.000Z";
  image.aspect_ratio = 1.5;
  const tables::Item plain = ToItem(image);
  EXPECT_EQ(ToItem(ImageFromItem(plain)), plain);
  EXPECT_EQ(ItemReader(plain).Text("GSI1SK"), "UPLOADED#2025-01-01T00:00:00.000Z");
  EXPECT_FALSE(ItemReader(plain).Has("GSI2PK"));
  EXPECT_FALSE(ItemReader(plain).Has("tags"));

  image.album_id = "a";
  image.tags = {"x", "y"};
  image.exif = Exif{.camera = "camera",
                    .lens = {},
                    .iso = 100,
                    .shutter_speed = "1/250",
                    .taken_at = {},
                    .aperture = 2.8,
                    .focal_length = {},
                    .place = Place{-33.856784, 151.215297, 12.5}};
  image.appearance = {"L00000fQfQfQ", {"#c81e1e", "#000000"}};
  image.perceptual_hash = 0xF00D;
  image.title = "t";
  image.ttl = 7;
  image.version = 3;
  image.revision = 2;
  image.reverted_to = 1;
  image.original = OriginalPicture{30, 20, {"L00000fQfQfQ", {"#000000"}}};
  image.processing_status = ProcessingStatus::kFailed;
  image.processing_error = "why";
  image.processing_warning = {"truncated", "It ends early.", 37};
  const tables::Item full = ToItem(image);
  EXPECT_EQ(ToItem(ImageFromItem(full)), full);
  EXPECT_EQ(ItemReader(full).Text("GSI2PK"), "ALBUM#a");
  const Image read = ImageFromItem(full);
  EXPECT_EQ(read.exif->iso, 100);
  EXPECT_EQ(read.exif->place->latitude, -33.856784);
  EXPECT_EQ(read.exif->place->altitude, 12.5);
  EXPECT_EQ(read.exif->focal_length, std::nullopt);
  EXPECT_EQ(read.appearance.blurhash, "L00000fQfQfQ");
  EXPECT_THAT(read.appearance.dominant_colors, ElementsAre("#c81e1e", "#000000"));
  EXPECT_EQ(read.perceptual_hash, 0xF00DU);
  EXPECT_EQ(read.processing_warning->code, "truncated");
  EXPECT_EQ(read.processing_warning->percent_there, 37);
  EXPECT_FALSE(ItemReader(plain).Has("processingWarning"));
  EXPECT_EQ(read.picture(), 1);
  ASSERT_TRUE(read.original);
  EXPECT_EQ(read.original->width, 30);
  EXPECT_THAT(read.original->appearance.dominant_colors, ElementsAre("#000000"));
  EXPECT_EQ(ItemReader(full).Text("perceptualHash"), "000000000000f00d");
  EXPECT_FALSE(ItemReader(plain).Has("blurhash"));
  EXPECT_FALSE(ItemReader(plain).Has("perceptualHash"));

  image.trashed_at = "2025-01-02T00:00:00.000Z";
  const tables::Item trashed = ToItem(image);
  for (const std::string_view gone : {"GSI1SK", "GSI2PK", "GSI2SK"}) {
    EXPECT_FALSE(ItemReader(trashed).Has(gone)) << gone;
  }
  EXPECT_TRUE(ItemReader(trashed).Has("GSI1PK"));
}

// Proves that items of others read as something: no version is the first one.
TEST(ImageTest, ReadsForeignItems) {
  const Image image = ImageFromItem(ItemBuilder()
                                        .Text("id", "1")
                                        .Text("processingStatus", "thinking")
                                        .Text("width", "wide")
                                        .Integer("title", 7)
                                        .Text("perceptualHash", "of mine")
                                        .Integer("dominantColors", 3)
                                        .Text("processingWarning", "of mine")
                                        .Build());
  EXPECT_EQ(image.version, 1);
  EXPECT_EQ(image.width, 0);
  EXPECT_EQ(image.title, std::nullopt);
  EXPECT_EQ(image.perceptual_hash, std::nullopt);
  EXPECT_FALSE(image.processing_warning.has_value());
  EXPECT_TRUE(image.appearance.dominant_colors.empty());
  EXPECT_EQ(image.processing_status, ProcessingStatus::kPending);
}

// Proves that versions read as they were written, and that those from before there were bases have
// none.
TEST(ImageVersionTest, ReadsWhatItWrites) {
  ImageVersion version;
  version.image_id = "1";
  version.revision = 12;
  version.job_id = "job";
  const tables::Item before = ToItem(version);
  EXPECT_EQ(ToItem(VersionFromItem(before)), before);
  EXPECT_EQ(VersionFromItem(before).base, std::nullopt);
  EXPECT_EQ(VersionFromItem(before).picture(), 12);

  version.job_id = "";
  version.completed = true;
  version.base = 0;
  version.operations = "[]";
  version.reverted_to = 3;
  version.appearance = {"L00000fQfQfQ", {"#000000"}};
  const tables::Item reverted = ToItem(version);
  EXPECT_EQ(ToItem(VersionFromItem(reverted)), reverted);
  EXPECT_FALSE(ItemReader(reverted).Has("jobId"));
  EXPECT_EQ(VersionFromItem(reverted).base, 0);
  EXPECT_EQ(VersionFromItem(reverted).picture(), 3);
}

// Proves which tags are posted of a list that somebody else wrote.
TEST(PostedTagsTest, TakesTheFirstUsableOnes) {
  EXPECT_THAT(PostedTags({"b", "", "a", "b", std::string(129, 'x'), std::string(128, 'y')}),
              ElementsAre("b", "a", std::string(128, 'y')));
  std::vector<std::string> many(30);
  for (size_t i = 0; i < many.size(); ++i) {
    many[i] = StrCat("tag", i);
  }
  EXPECT_EQ(PostedTags(many).size(), limits::kTags.max);
  EXPECT_EQ(PostedTags(many).back(), "tag19");
}

}  // namespace
}  // namespace tintype::contexts::catalog
