#include <gmock/gmock.h>

#include "base/strings.h"
#include "contexts/common/transaction.h"
#include "darkroom/imaging/testing/pictures.h"
#include "flows/images/edit_image.h"
#include "flows/upkeep/rebuild.h"
#include "product_fixture.h"

// The pipeline with the real helper and pictures made on the spot.

namespace tintype::product {
namespace {

using flows::Account;
using testing::HasSubstr;
using testing::IsEmpty;

class DarkroomTest : public ProductTest {
 protected:
  static void SetUpTestSuite() { darkroom::StartPictures(); }
  std::string HelperPath() const override { return TINTYPE_DARKROOM_HELPER; }

  std::string Bytes(const std::string& key) {
    const auto blob = blobs_->Open({"images", key});
    CHECK(blob.ok());
    std::string bytes((*blob)->bytes(), '\0');
    CHECK((*blob)->Read(0, bytes).ok());
    return bytes;
  }
};

// Proves that a photo has all its sizes, none larger than it is, and what was found out about it.
TEST_F(DarkroomTest, DevelopsAPhoto) {
  const Account account = SignUp("ada");
  const std::string id = UploadDeveloped(account, darkroom::Jpeg(darkroom::Quadrants(600, 400))).id;
  EXPECT_EQ(TextOf(ImageItem(id), "processingStatus"), "completed");
  EXPECT_EQ(IntegerOf(ImageItem(id), "width"), 600);
  EXPECT_EQ(IntegerOf(ImageItem(id), "height"), 400);
  const std::pair<std::string, int> sizes[] = {
      {"LARGE", 600}, {"MEDIUM", 600}, {"SMALL", 512}, {"THUMB", 256}};
  for (const auto& [name, width] : sizes) {
    const vips::VImage image = darkroom::Decode(Bytes(StrCat("images/", id, "/", name)));
    EXPECT_EQ(image.width(), width) << name;
    EXPECT_TRUE(darkroom::HasUprightQuadrants(image)) << name;
  }
  EXPECT_THAT(Bytes(StrCat(id, "/image/properties.json")), HasSubstr("dominantColors"));
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that an edit is a new revision with sizes of its own, from the upload whatever was done to
// it before, and that the original stays: two edits one after the other lose no more than one.
TEST_F(DarkroomTest, EditsAPhoto) {
  const Account account = SignUp("ada");
  const std::string original = darkroom::Png(darkroom::Photo(300, 200));
  const std::string id = UploadDeveloped(account, original).id;
  for (const std::string operations :
       {R"([{"op":"rotate","degrees":90}])",
        R"([{"op":"crop","left":0,"top":0,"width":100,"height":80}])"}) {
    ASSERT_TRUE(flows::CreateJob(product(), account, {id, "local", operations}).ok());
    Drain();
  }
  EXPECT_EQ(IntegerOf(ImageItem(id), "revision"), 2);
  EXPECT_EQ(IntegerOf(ImageItem(id), "width"), 100);
  const vips::VImage turned = darkroom::Decode(Bytes(StrCat("images/", id, "/v1/LARGE")));
  EXPECT_EQ(turned.width(), 200);
  EXPECT_EQ(turned.height(), 300);
  EXPECT_EQ(darkroom::Decode(Bytes(StrCat("images/", id, "/v2/THUMB"))).height(), 80);
  // The same edit of a photo that was not edited before.
  const std::string other = darkroom::Png(darkroom::Photo(300, 200)) + "other bytes";
  const std::string direct = UploadDeveloped(account, other).id;
  ASSERT_TRUE(flows::CreateJob(
                  product(), account,
                  {direct, "local", R"([{"op":"crop","left":0,"top":0,"width":100,"height":80}])"})
                  .ok());
  Drain();
  const vips::VImage twice = darkroom::Decode(Bytes(StrCat("images/", id, "/v2/FULL")));
  const vips::VImage once = darkroom::Decode(Bytes(StrCat("images/", direct, "/v1/FULL")));
  EXPECT_EQ((twice - once).abs().max(), 0) << "the largest difference of any pixel";
  EXPECT_EQ(Bytes(StrCat("images/", id, "/ORIGINAL")), original);
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that files which are not what they seem end as failed images with a reason and their
// original, and that a crop outside of the picture fails its job alone.
TEST_F(DarkroomTest, FailsWithAReason) {
  const Account account = SignUp("ada");
  const std::string photo = darkroom::Png(darkroom::Photo(64, 64));
  const std::string files[] = {
      "not a picture at all",
      photo.substr(0, 40),
      darkroom::PngBomb(20'000, true),
      std::string("\xFF\xD8\xFF\xE0", 4),
  };
  for (const std::string& file : files) {
    const std::string id = UploadDeveloped(account, file).id;
    EXPECT_EQ(TextOf(ImageItem(id), "processingStatus"), "failed");
    EXPECT_NE(TextOf(ImageItem(id), "processingError"), "");
    EXPECT_EQ(Bytes(StrCat("images/", id, "/ORIGINAL")), file);
  }
  const std::string good = UploadDeveloped(account, photo).id;
  EXPECT_EQ(TextOf(ImageItem(good), "processingStatus"), "completed");
  const auto job = flows::CreateJob(
      product(), account,
      {good, "local", R"([{"op":"crop","left":60,"top":0,"width":60,"height":8}])"});
  ASSERT_TRUE(job.ok());
  Drain();
  const auto failed = Get("photoeditor-dev-jobs", {{"jobId", job->id}});
  EXPECT_EQ(TextOf(failed, "status"), "FAILED");
  EXPECT_EQ(contexts::ItemReader(*failed).Map("error").Text("code"), "PROVIDER_INVALID_REQUEST");
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that a photo whose file ends early is developed as far as it goes and says so, that
// rebuilding it says it of a record that is older than the warning, and that an edit changes
// nothing about it.
TEST_F(DarkroomTest, SaysThatAFileEndsEarly) {
  const Account account = SignUp("ada");
  const std::string whole = darkroom::Jpeg(darkroom::Scene(800, 600));
  const std::string torn = whole.substr(0, whole.size() * 6 / 10);
  const std::string id = UploadDeveloped(account, torn).id;
  const auto expect_warning = [&] {
    EXPECT_EQ(TextOf(ImageItem(id), "processingStatus"), "completed");
    const auto item = ImageItem(id);
    const contexts::ItemReader warning = contexts::ItemReader(*item).Map("processingWarning");
    EXPECT_EQ(warning.Text("code"), "truncated");
    EXPECT_NEAR(static_cast<double>(warning.Integer("percentThere")), 60, 12);
    EXPECT_THAT(warning.Text("message"),
                HasSubstr(StrCat("About ", warning.Integer("percentThere"), " % of the picture")));
  };
  expect_warning();
  EXPECT_EQ(Bytes(StrCat("images/", id, "/ORIGINAL")), torn);
  ASSERT_TRUE(
      flows::CreateJob(product(), account, {id, "local", R"([{"op":"rotate","degrees":90}])"})
          .ok());
  Drain();
  EXPECT_EQ(IntegerOf(ImageItem(id), "revision"), 1);
  expect_warning();

  contexts::catalog::Image older = **product().catalog.Find(id);
  older.processing_warning.reset();
  ASSERT_TRUE(contexts::Transaction("older")
                  .Add(contexts::PutPiece("ImageMetadata", contexts::catalog::ToItem(older)))
                  .Commit(product().database, product().retries)
                  .ok());
  EXPECT_FALSE(contexts::ItemReader(*ImageItem(id)).Has("processingWarning"));
  flows::RebuildRequest rebuild;
  rebuild.which = flows::RebuildRequest::Which::kImages;
  rebuild.image_ids = {id};
  ASSERT_TRUE(flows::StartRebuild(product(), rebuild).ok());
  for (int turn = 0; flows::FindRebuild(product())->has_value(); ++turn) {
    ASSERT_LT(turn, 100);
    Drain();
    clock_.AdvanceMs(kSecondMs);
  }
  expect_warning();

  // The whole file is another photo, and has nothing to say.
  const std::string sound = UploadDeveloped(account, whole).id;
  EXPECT_NE(sound, id);
  EXPECT_FALSE(contexts::ItemReader(*ImageItem(sound)).Has("processingWarning"));
  EXPECT_THAT(Findings(), IsEmpty());
}

}  // namespace
}  // namespace tintype::product
