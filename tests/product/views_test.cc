#include <gmock/gmock.h>

#include <atomic>

#include "base/strings.h"
#include "database_wrapper.h"
#include "flows/images/edit_image.h"
#include "flows/images/trash.h"
#include "flows/images/update_image.h"
#include "product_fixture.h"
#include "views/account.h"
#include "views/feed.h"
#include "views/images.h"
#include "views/jobs.h"
#include "views/medium.h"
#include "views/records.h"
#include "views/similar_images.h"
#include "views/trash.h"

// What lists and records show, to whom, and how often the database is asked for it.

namespace tintype::product {
namespace {

using contexts::catalog::Image;
using contexts::people::Visibility;
using flows::Account;
using testing::ElementsAre;
using testing::IsEmpty;
using views::Sight;

/// Counts what passes by. May leave keys of a batch over, as a service does that is short of
/// something.
class CountingDatabase : public DatabaseWrapper<CountingDatabase> {
 public:
  explicit CountingDatabase(tables::Database& database) : database_(database) {}

  /// Calls since the last time.
  int Take() { return calls_.exchange(0); }
  /// So many keys of a batch are answered, the rest is left over.
  void AnswerAtMost(size_t keys) { answered_max_ = keys; }

  template <typename Request, typename Response>
  void Pass(void (Database::*operation)(Request, Done<Response>), Request request,
            Done<Response> done) {
    ++calls_;
    (database_.*operation)(std::move(request), std::move(done));
  }

  void BatchGetItem(tables::BatchGetItemRequest request,
                    Done<tables::BatchGetItemResponse> done) override {
    ++calls_;
    std::vector<tables::Item>& keys = request.tables.at(0).keys;
    EXPECT_LE(keys.size(), 100U);
    tables::BatchGetItemResponse::Unprocessed left_over;
    while (keys.size() > answered_max_) {
      left_over.keys.push_back(std::move(keys.back()));
      keys.pop_back();
    }
    auto answered = tables::BlockingDatabase(database_).BatchGetItem(std::move(request));
    if (answered.ok() && !left_over.keys.empty()) {
      answered->unprocessed.push_back(std::move(left_over));
    }
    done(std::move(answered));
  }

 private:
  tables::Database& database_;
  std::atomic<int> calls_ = 0;
  size_t answered_max_ = 100;
};

class ViewsTest : public ProductTest {
 protected:
  void SetUp() override {
    ProductTest::SetUp();
    counting_ = std::make_unique<CountingDatabase>(database_->AsServer());
    counted_ = Wire(*counting_, *blobs_);
    ada_ = SignUp("ada");
    bob_ = SignUp("bob");
  }

  /// Puts an image into the tables without bytes; a shared one is in the feed.
  std::string AddImage(const Account& account, Visibility visibility) {
    Image image;
    image.id = ids_.Next().value();
    image.user_id = account.id;
    image.uploaded_at = StrCat("2026-01-01T00:00:00.", image.id, "Z");
    image.processing_status = contexts::catalog::ProcessingStatus::kCompleted;
    contexts::people::SparksImage sparks;
    sparks.id = image.id;
    sparks.uploaded_by = account.email;
    sparks.visibility = visibility;
    contexts::Transaction add(StrCat("add ", image.id));
    add.Add(contexts::catalog::Catalog::Add(image)).Add(contexts::people::People::AddImage(sparks));
    CHECK(add.Commit(product().database, product().retries).ok());
    return image.id;
  }
  void Put(const std::string& table, contexts::ItemBuilder item) {
    tables::PutItemRequest put;
    put.table = table;
    put.item = item.Build();
    CHECK(tables::BlockingDatabase(*database_).PutItem(std::move(put)).ok());
  }
  void RemoveFromSparks(const std::string& id, const Account& account) {
    contexts::Transaction remove("remove");
    remove.Add(contexts::people::People::RemoveImage(id, account.email));
    CHECK(remove.Commit(product().database, product().retries).ok());
  }
  std::vector<std::string> Feed(const Account& viewer) {
    const auto feed = views::ListFeed(views(), viewer, {.limit = 100, .after = {}});
    CHECK(feed.ok());
    std::vector<std::string> ids;
    for (const views::FeedImage& image : feed->images) {
      ids.push_back(image.shared.id);
    }
    return ids;
  }
  Sight SightOfLink(const Account& viewer, const std::string& id) {
    const auto view = views::FindVisibleImage(views(), viewer, id);
    EXPECT_TRUE(view.ok() || view.error().kind() == ErrorKind::kNotFound);
    return view.ok() ? view->sight : Sight::kNothing;
  }

  std::unique_ptr<CountingDatabase> counting_;
  std::unique_ptr<Wiring> counted_;
  Account ada_;
  Account bob_;
};

// Proves that a page of 100 images is two calls of the database, and a page of the trash or of the
// feed three, whoever shared what is on it.
TEST_F(ViewsTest, APageOfAHundredTakesAtMostThreeCalls) {
  for (int i = 0; i < 101; ++i) {
    AddImage(ada_, i % 2 == 0 ? Visibility::kShared : Visibility::kPrivate);
    AddImage(bob_, Visibility::kShared);
  }
  counting_->Take();
  const views::PageRequest page{.limit = 100, .after = {}};
  const auto list = views::ListImages(counted_->views, ada_, page);
  ASSERT_TRUE(list.ok());
  EXPECT_EQ(counting_->Take(), 2);
  ASSERT_EQ(list->images.size(), 100U);
  EXPECT_TRUE(list->next.has_value());
  EXPECT_EQ(list->images[0].visibility, Visibility::kShared);
  EXPECT_EQ(list->images[1].visibility, Visibility::kPrivate);
  EXPECT_GT(list->images[0].image.uploaded_at, list->images[1].image.uploaded_at);

  for (const views::ImageView& view : list->images) {
    ASSERT_TRUE(flows::TrashImage(product(), ada_, view.image.id).ok());
    clock_.AdvanceMs(1);
  }
  const auto trash = views::ListTrash(counted_->views, ada_, page, clock_.NowMs());
  ASSERT_TRUE(trash.ok());
  EXPECT_EQ(counting_->Take(), 3);
  ASSERT_EQ(trash->images.size(), 100U);
  EXPECT_EQ(trash->images[0].view.image.id, list->images[99].image.id);
  EXPECT_EQ(trash->images[0].view.visibility, list->images[99].visibility);

  const auto feed = views::ListFeed(counted_->views, ada_, page);
  ASSERT_TRUE(feed.ok());
  EXPECT_EQ(counting_->Take(), 3);
  ASSERT_EQ(feed->images.size(), 100U);
  EXPECT_TRUE(feed->images[0].record.has_value());
}

// Proves how many calls the records take: none of them depends on how much there is.
TEST_F(ViewsTest, ARecordTakesAFewCalls) {
  const std::string image = UploadDeveloped(ada_, "pixels").id;
  ASSERT_TRUE(flows::SetImageVisibility(product(), ada_, image, Visibility::kShared).ok());
  ASSERT_TRUE(flows::CreateJob(product(), ada_, {image, "local", "[]"}).ok());
  counting_->Take();
  const views::Sources& sources = counted_->views;
  EXPECT_TRUE(views::FindOwnImage(sources, ada_, image).ok());
  EXPECT_EQ(counting_->Take(), 2);
  EXPECT_TRUE(views::FindVisibleImage(sources, ada_, image).ok());
  EXPECT_EQ(counting_->Take(), 2);
  EXPECT_TRUE(views::FindVisibleImage(sources, bob_, image).ok());
  EXPECT_EQ(counting_->Take(), 3);
  EXPECT_TRUE(views::FindMediaRecord(sources, ada_, image).ok());
  EXPECT_EQ(counting_->Take(), 2);
  EXPECT_TRUE(views::FindAnalysisRecord(sources, ada_, image).ok());
  EXPECT_EQ(counting_->Take(), 2);
  const auto jobs = views::ListJobs(sources, ada_, {});
  ASSERT_TRUE(jobs.ok());
  EXPECT_EQ(jobs->jobs.size(), 1U);
  EXPECT_EQ(counting_->Take(), 1);
  EXPECT_EQ(*views::FindUploadLimit(sources, ada_), Limit(ada_));
  EXPECT_TRUE(*views::IsSetUp(sources));
  const auto medium = views::FindMedium(sources, image);
  ASSERT_TRUE(medium.ok() && *medium);
  EXPECT_EQ((*medium)->owner_id, ada_.id);
  EXPECT_FALSE(views::FindMedium(sources, "none")->has_value());
}

// Proves that keys which a batch leaves over are asked for again, repeated keys once, impossible
// ones never; and that a service which answers nothing is given up.
TEST_F(ViewsTest, BatchesAreReadToTheirEnd) {
  std::vector<std::string> ids;
  ids.reserve(154);
  for (int i = 0; i < 150; ++i) {
    ids.push_back(AddImage(ada_, Visibility::kPrivate));
  }
  ids.insert(ids.end(), {ids[0], ids[1], "none", std::string(3000, 'x')});
  counting_->AnswerAtMost(40);
  const auto found = counted_->views.catalog.FindAll(ids);
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(found->size(), 150U);
  EXPECT_EQ(found->at(ids[7]).id, ids[7]);
  counting_->AnswerAtMost(0);
  EXPECT_EQ(KindOf(counted_->views.catalog.FindAll(ids)), ErrorKind::kUnavailable);
}

// Proves that links, records and the feed agree about who sees what.
TEST_F(ViewsTest, OneRuleForListsRecordsAndLinks) {
  const std::string shared = AddImage(ada_, Visibility::kShared);
  const std::string secret = AddImage(ada_, Visibility::kPrivate);
  EXPECT_THAT(Feed(ada_), ElementsAre(shared));
  EXPECT_THAT(Feed(bob_), ElementsAre(shared));
  EXPECT_EQ(SightOfLink(ada_, secret), Sight::kEverything);
  EXPECT_EQ(SightOfLink(bob_, shared), Sight::kRenditions);
  EXPECT_EQ(SightOfLink(bob_, secret), Sight::kNothing);
  EXPECT_EQ(KindOf(views::FindOwnImage(views(), bob_, shared)), ErrorKind::kNotFound);
  EXPECT_EQ(KindOf(views::FindMediaRecord(views(), bob_, shared)), ErrorKind::kNotFound);

  ASSERT_TRUE(flows::TrashImage(product(), ada_, shared).ok());
  EXPECT_THAT(Feed(bob_), IsEmpty());
  EXPECT_EQ(SightOfLink(ada_, shared), Sight::kNothing);
  EXPECT_EQ(SightOfLink(bob_, shared), Sight::kNothing);
  EXPECT_EQ(KindOf(views::FindOwnImage(views(), ada_, shared)), ErrorKind::kNotFound);
  const auto list = views::ListImages(views(), ada_, {});
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->images.size(), 1U);
  EXPECT_EQ(list->images[0].image.id, secret);
}

// Proves that an image without an item in sparks is private everywhere, though uploads be shared by
// default.
TEST_F(ViewsTest, WhatNobodySharedIsPrivate) {
  product().config.visibility = Visibility::kShared;
  const std::string id = AddImage(ada_, Visibility::kShared);
  RemoveFromSparks(id, ada_);
  const auto list = views::ListImages(views(), ada_, {});
  ASSERT_TRUE(list.ok());
  ASSERT_EQ(list->images.size(), 1U);
  EXPECT_EQ(list->images[0].visibility, Visibility::kPrivate);
  EXPECT_EQ(views::FindOwnImage(views(), ada_, id)->visibility, Visibility::kPrivate);
  EXPECT_EQ(SightOfLink(bob_, id), Sight::kNothing);
}

// Proves that nobody shares another account's image by writing an item about it into sparks, and
// that an image in sparks alone is in the feed as it is.
TEST_F(ViewsTest, OnlyItsOwnerSharesAnImage) {
  const std::string secret = AddImage(ada_, Visibility::kPrivate);
  const auto put = [this](const std::string& id) {
    Put("sparks", contexts::ItemBuilder()
                      .Text("PK", id)
                      .Text("SK", StrCat("UPLOADED_BY#", bob_.email))
                      .Text("entityType", "IMAGE")
                      .Text("imageId", id)
                      .Text("uploadedBy", ada_.email));
  };
  put(secret);
  EXPECT_THAT(Feed(bob_), IsEmpty());
  put("elsewhere");
  EXPECT_THAT(Feed(bob_), ElementsAre("elsewhere"));
}

// Proves that the feed shows one's own address and others' usernames, of an image in sparks alone
// nothing, and addresses to all if the operator says so.
TEST_F(ViewsTest, FeedHidesAddresses) {
  AddImage(ada_, Visibility::kShared);
  const auto shown = [](const views::Sources& sources, const Account& viewer) {
    const auto feed = views::ListFeed(sources, viewer, {.limit = 100, .after = {}});
    CHECK(feed.ok() && feed->images.size() == 1);
    return std::pair(feed->images[0].shared.uploaded_by, feed->images[0].username);
  };
  const std::optional<std::string> username = ada_.username;
  EXPECT_EQ(shown(views(), ada_), std::pair(ada_.email, username));
  EXPECT_EQ(shown(views(), bob_), std::pair(ada_.username, username));
  views::Sources open = views();
  open.config.addresses = true;
  EXPECT_EQ(shown(open, bob_), std::pair(ada_.email, username));
}

// Proves that jobs are shown to their owner alone.
TEST_F(ViewsTest, JobsAreTheirOwners) {
  const std::string image = UploadDeveloped(ada_, "pixels").id;
  const auto job = flows::CreateJob(product(), ada_, {image, "local", "[]"});
  ASSERT_TRUE(job.ok());
  EXPECT_EQ(views::FindJob(views(), ada_, job->id)->id, job->id);
  EXPECT_EQ(KindOf(views::FindJob(views(), bob_, job->id)), ErrorKind::kNotFound);
  EXPECT_THAT(views::ListJobs(views(), bob_, {})->jobs, IsEmpty());
}

// Proves that similar images are read in batches, however many there are.
TEST_F(ViewsTest, SimilarImagesAreReadInBatches) {
  const std::string image = UploadDeveloped(ada_, "look 00000000000000ff").id;
  const auto calls = [&] {
    counting_->Take();
    const auto similar = views::FindSimilarImages(counted_->views, ada_, {image, 5, 100});
    EXPECT_TRUE(similar.ok());
    return std::pair(similar->images.size(), counting_->Take());
  };
  UploadDeveloped(ada_, "look 00000000000000ff once more");
  const auto [one, calls_for_one] = calls();
  for (int i = 0; i < 5; ++i) {
    UploadDeveloped(ada_, StrCat("look 00000000000000ff number ", i));
  }
  const auto [six, calls_for_six] = calls();
  EXPECT_EQ(one, 1U);
  EXPECT_EQ(six, 6U);
  EXPECT_EQ(calls_for_six, calls_for_one);
}

}  // namespace
}  // namespace tintype::product
