#include <gmock/gmock.h>

#include <atomic>

#include "base/strings.h"
#include "flows/images/trash.h"
#include "flows/images/update_image.h"
#include "product_fixture.h"

// What a person changes about an image: details, who may see it.

namespace tintype::product {
namespace {

using contexts::catalog::DetailsChange;
using contexts::people::Visibility;
using flows::Account;
using testing::ElementsAre;
using testing::IsEmpty;

class ChangeTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    account_ = SignUp("ada");
    id_ = UploadDeveloped(account_, "pixels").id;
  }

  std::optional<tables::Item> Sparks() {
    return Get("sparks", {{"PK", id_}, {"SK", "UPLOADED_BY#ada@example.com"}});
  }
  std::vector<std::string> Feed() {
    const auto page = product().people.Feed(100, {});
    std::vector<std::string> ids;
    for (const auto& image : page->images) {
      ids.push_back(image.id);
    }
    return ids;
  }
  /// Which of the tags have a posting.
  std::vector<std::string> Posted(const std::vector<std::string>& tags) {
    std::vector<std::string> posted;
    for (const std::string& tag : tags) {
      if (Get("tintype", {{"PK", StrCat("TAG#", account_.id, "#", tag)}, {"SK", id_}})) {
        posted.push_back(tag);
      }
    }
    return posted;
  }
  Result<contexts::catalog::Image> SetTags(int64_t version, const std::vector<std::string>& tags) {
    DetailsChange change;
    change.tags = tags;
    return flows::UpdateImage(product(), account_, id_, version, change);
  }

  Account account_;
  std::string id_;
};

// Proves that a change is in the master and in every copy, that what is set to nothing is removed,
// and that each change raises the version.
TEST_F(ChangeTest, IsFollowedByCopiesAndPostings) {
  DetailsChange change;
  change.title = "T";
  change.description = "D";
  change.alt_text = "A";
  change.album_id = "summer";
  change.tags = {{"sea", "sun"}};
  const auto changed = flows::UpdateImage(product(), account_, id_, 1, change);
  ASSERT_TRUE(changed.ok()) << changed.error().message();
  EXPECT_EQ(changed->version, 2);
  EXPECT_EQ(TextOf(ImageItem(id_), "title"), "T");
  EXPECT_EQ(TextOf(ImageItem(id_), "GSI2PK"), "ALBUM#summer");
  EXPECT_EQ(TextOf(Get("photos", {{"username", "ada"}, {"id", id_}}), "description"), "D");
  EXPECT_THAT(contexts::ItemReader(*Sparks()).TextList("tags"), ElementsAre("sea", "sun"));
  EXPECT_THAT(Posted({"sea", "sun", "sky"}), ElementsAre("sea", "sun"));

  DetailsChange removal;
  removal.title = std::optional<std::string>();
  removal.description = std::optional<std::string>();
  removal.album_id = std::optional<std::string>();
  removal.tags = {{"sky", "sun"}};
  ASSERT_TRUE(flows::UpdateImage(product(), account_, id_, 2, removal).ok());
  const contexts::ItemReader read(*ImageItem(id_));
  for (const std::string_view gone : {"title", "description", "albumId", "GSI2PK", "GSI2SK"}) {
    EXPECT_FALSE(contexts::ItemReader(*ImageItem(id_)).Has(gone)) << gone;
  }
  EXPECT_EQ(TextOf(ImageItem(id_), "altText"), "A");
  EXPECT_EQ(TextOf(Get("photos", {{"username", "ada"}, {"id", id_}}), "description"), "");
  EXPECT_THAT(Posted({"sea", "sun", "sky"}), ElementsAre("sun", "sky"));
  EXPECT_THAT(Findings(), IsEmpty());
}

// Proves that somebody who saw an older version is refused and changes nothing, and so are
// strangers.
TEST_F(ChangeTest, IsRefusedOnAStaleVersion) {
  ASSERT_TRUE(SetTags(1, {"sea"}).ok());
  EXPECT_EQ(KindOf(SetTags(1, {"sky"})), ErrorKind::kConditionFailed);
  EXPECT_THAT(Posted({"sea", "sky"}), ElementsAre("sea"));
  const Account stranger = SignUp("bob");
  EXPECT_EQ(KindOf(flows::UpdateImage(product(), stranger, id_, 2, {})), ErrorKind::kNotFound);
  EXPECT_EQ(KindOf(flows::UpdateImage(product(), account_, "01ABC", 2, {})), ErrorKind::kNotFound);
  ASSERT_TRUE(flows::TrashImage(product(), account_, id_).ok());
  EXPECT_EQ(KindOf(SetTags(3, {"sky"})), ErrorKind::kNotFound);
}

// Proves that of two who change the same version one wins, and that its copies are the ones.
TEST_F(ChangeTest, IsWonByOneOfTwoEditors) {
  for (int64_t version = 1; version <= 20; ++version) {
    std::atomic<int> won = 0;
    InThreads(2, [&](int i) {
      const auto changed = SetTags(version, {StrCat("by ", i, " at ", version)});
      won += changed.ok() ? 1 : 0;
      EXPECT_TRUE(changed.ok() || changed.error().kind() == ErrorKind::kConditionFailed);
    });
    EXPECT_EQ(won, 1);
  }
  EXPECT_THAT(Findings(), IsEmpty());
  size_t postings = 0;
  for (const tables::Item& item : Items("tintype")) {
    postings += TextOf(item, "PK").starts_with("TAG#") ? 1 : 0;
  }
  EXPECT_EQ(postings, 1U);
}

// Proves the limits of what a person may say, each with the word for what is wrong.
TEST_F(ChangeTest, RefusesWhatBreaksALimit) {
  const std::string too_long(20'000, 'x');
  DetailsChange title;
  title.title = too_long;
  DetailsChange description;
  description.description = too_long;
  DetailsChange many;
  many.tags = std::vector<std::string>(21);
  for (size_t i = 0; i < many.tags->size(); ++i) {
    (*many.tags)[i] = StrCat("tag", i);
  }
  DetailsChange empty;
  empty.tags = {{""}};
  DetailsChange twice;
  twice.tags = {{"sea", "sea"}};
  DetailsChange broken;
  broken.alt_text = "\xC3";
  DetailsChange nowhere;
  nowhere.album_id = {{""}};
  const struct {
    DetailsChange change;
    std::string word;
  } cases[] = {{title, "title"},  {description, "description"},
               {many, "20 tags"}, {empty, "tag"},
               {twice, "twice"},  {broken, "UTF-8"},
               {nowhere, "null"}};
  for (const auto& test : cases) {
    const auto refused = flows::UpdateImage(product(), account_, id_, 1, test.change);
    ASSERT_EQ(KindOf(refused), ErrorKind::kValidation) << test.word;
    EXPECT_THAT(refused.error().message(), testing::HasSubstr(test.word));
  }
  many.tags->pop_back();
  EXPECT_TRUE(flows::UpdateImage(product(), account_, id_, 1, many).ok());
}

// Proves that sharing puts an image into the feed by the document's query and takes it out again,
// that it raises the version, and that asking twice changes nothing.
TEST_F(ChangeTest, SharesAndUnshares) {
  EXPECT_THAT(Feed(), IsEmpty());
  for (int i = 0; i < 2; ++i) {
    const auto shared = flows::SetImageVisibility(product(), account_, id_, Visibility::kShared);
    ASSERT_TRUE(shared.ok());
    EXPECT_EQ(shared->version, 2);
    EXPECT_THAT(Feed(), ElementsAre(id_));
    EXPECT_EQ(TextOf(Sparks(), "entityType"), "IMAGE");
  }
  ASSERT_TRUE(flows::SetImageVisibility(product(), account_, id_, Visibility::kPrivate).ok());
  EXPECT_THAT(Feed(), IsEmpty());
  EXPECT_EQ(KindOf(flows::SetImageVisibility(product(), SignUp("bob"), id_, Visibility::kShared)),
            ErrorKind::kNotFound);
}

}  // namespace
}  // namespace tintype::product
