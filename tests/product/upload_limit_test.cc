#include "flows/uploads/upload_limit.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "base/strings.h"
#include "flows/images/delete_image.h"
#include "flows/images/trash.h"
#include "product_fixture.h"
#include "tripwire.h"
#include "views/account.h"

// Limits that are set, raised and taken away, while uploads take from them and give back.

namespace tintype::product {
namespace {

using contexts::people::kUnlimited;
using contexts::people::kUploadLimitReached;
using flows::Account;
using testing::HasSubstr;
using testing::Not;

class UploadLimitTest : public ProductTest {
 protected:
  void SetLimit(const Account& account, int64_t limit) {
    const auto set = flows::ChangeUploadLimit(product(), account.email, {.to = limit});
    ASSERT_TRUE(set.ok()) << set.error().message();
    EXPECT_EQ(*set, limit);
  }
  /// Deletes an image for good, with all that follows.
  void Delete(const Account& account, const std::string& id) {
    ASSERT_TRUE(flows::DeleteImageNow(product(), account, id).ok());
    Drain();
  }
};

// Proves that an account without a limit takes nothing and gives nothing back, whatever becomes of
// its uploads.
TEST_F(UploadLimitTest, NothingCountsWithoutALimit) {
  const Account root = Administrator();
  const std::string id = Upload(root, "pixels").id;
  EXPECT_EQ(Limit(root), kUnlimited);
  const auto given_up = Begin(root, "photo.png");
  ASSERT_TRUE(flows::AbandonUpload(product(), given_up.id).ok());
  EXPECT_EQ(Limit(root), kUnlimited);
  EXPECT_EQ(Upload(root, "pixels").id, id) << "a duplicate";
  EXPECT_EQ(Limit(root), kUnlimited);
  Delete(root, id);
  EXPECT_EQ(Limit(root), kUnlimited);
  EXPECT_THAT(Findings(), testing::IsEmpty());
  EXPECT_EQ(*views::FindUploadLimit(views(), root), std::nullopt);

  const Account ada = SignUp("ada");
  EXPECT_EQ(*views::FindUploadLimit(views(), ada), 10);
  SetLimit(ada, kUnlimited);
  const std::string hers = Upload(ada, "pixels").id;
  Delete(ada, hers);
  EXPECT_EQ(Limit(ada), kUnlimited) << "for everybody who has none, not for administrators alone";
}

// Proves what a limit that is set anew means: so many uploads from now on, and one more for each
// image that goes and each upload that is given up, those from before included.
TEST_F(UploadLimitTest, ALimitSetAnewCountsFromThenOn) {
  const Account root = Administrator();
  const std::string first = Upload(root, "first").id;
  Upload(root, "second");
  const auto on_its_way = Begin(root, "photo.png");
  SetLimit(root, 1);
  Upload(root, "third");
  const auto refused = flows::BeginUpload(product(), root, {"photo.png"});
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(refused.error().Is(kUploadLimitReached));
  Delete(root, first);
  EXPECT_EQ(Limit(root), 1);
  ASSERT_TRUE(flows::AbandonUpload(product(), on_its_way.id).ok());
  EXPECT_EQ(Limit(root), 2);
  SetLimit(root, kUnlimited);
  Upload(root, "fourth");
  SetLimit(root, 0);
  EXPECT_FALSE(flows::BeginUpload(product(), root, {"photo.png"}).ok());
}

// Proves that somebody who has none left is told what they themselves can do.
TEST_F(UploadLimitTest, TellsEachWhatTheyCanDo) {
  const Account root = Administrator();
  const Account ada = SignUp("ada");
  SetLimit(root, 0);
  SetLimit(ada, 0);
  const auto hers = flows::BeginUpload(product(), ada, {"photo.png"});
  ASSERT_FALSE(hers.ok());
  EXPECT_THAT(hers.error().message(), HasSubstr("Delete photos for good, or ask the person"));
  EXPECT_THAT(hers.error().message(), Not(HasSubstr("tintype users")));
  const auto roots = flows::BeginUpload(product(), root, {"photo.png"});
  ASSERT_FALSE(roots.ok());
  EXPECT_THAT(roots.error().message(), HasSubstr("'tintype users limit root none'"));
  EXPECT_THAT(roots.error().message(), Not(HasSubstr("ask")));
}

// Proves that a limit which is changed between any two calls of an upload counts: the upload takes
// from the limit that there is when it begins, whatever it expected.
TEST_F(UploadLimitTest, AnUploadSeesALimitThatIsChangedMeanwhile) {
  const Account root = Administrator();
  const Account ada = SignUp("ada");
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), *blobs_);
  int changed_in_time = 0;
  for (const Account& account : {root, ada}) {
    for (const auto& [before, after] :
         {std::pair(kUnlimited, int64_t{5}), {7, kUnlimited}, {7, 5}, {0, 5}, {0, kUnlimited}}) {
      bool tripped_once = true;
      for (int n = 1; tripped_once; ++n) {
        ASSERT_LT(n, 20);
        SetLimit(account, before);
        wire.Interrupt(n, [&, to = after] { SetLimit(account, to); });
        const auto upload = flows::BeginUpload(tripped->product, account, {"photo.png"});
        tripped_once = wire.tripped();
        const auto what = StrCat(account.username, ": ", before, " to ", after, " at ", n);
        if (tripped_once && before == 0 && !upload.ok()) {
          // Refused already: this was the look into the trash, for what to say.
          EXPECT_EQ(Limit(account), after) << what;
          continue;
        }
        // Its last call is the one that counts, so a change before any call comes before it.
        const int64_t limit = tripped_once ? after : before;
        changed_in_time += tripped_once ? 1 : 0;
        ASSERT_EQ(upload.ok(), limit > 0) << what;
        EXPECT_EQ(Limit(account), limit > 0 && limit < kUnlimited ? limit - 1 : limit) << what;
      }
    }
  }
  EXPECT_GE(changed_in_time, 10);
}

// Proves the same of an upload that is given up and an image that is deleted: each gives one back
// to a limit that is set before it goes, and none to one that is set after.
TEST_F(UploadLimitTest, GivingBackSeesALimitThatIsChangedMeanwhile) {
  const Account root = Administrator();
  const Account ada = SignUp("ada");
  Tripwire wire;
  TrippedStores stores(database_->AsServer(), *blobs_, wire);
  const auto tripped = Wire(stores.database(), *blobs_);
  int there = 0;
  int gone = 0;
  int content = 0;
  for (const bool whole : {false, true}) {
    for (const Account& account : {root, ada}) {
      for (const auto& [before, after] :
           {std::pair(kUnlimited, int64_t{5}), {7, kUnlimited}, {7, 5}}) {
        bool tripped_once = true;
        for (int n = 1; tripped_once; ++n) {
          ASSERT_LT(n, 60);
          SetLimit(account, kUnlimited);
          const std::string id = whole ? UploadDeveloped(account, StrCat("pixels ", ++content)).id
                                       : Begin(account, "photo.png").id;
          if (whole) {
            ASSERT_TRUE(flows::DeleteImageNow(product(), account, id).ok());
          }
          SetLimit(account, before);
          int64_t expected = before == kUnlimited ? before : before + 1;
          wire.Interrupt(n, [&, to = after] {
            const bool counts =
                whole ? ImageItem(id).has_value() : product().intake.FindUpload(id)->has_value();
            ++(counts ? there : gone);
            expected = to == kUnlimited ? to : to + (counts ? 1 : 0);
            SetLimit(account, to);
          });
          if (whole) {
            ASSERT_TRUE(DoOne(tripped->product));
          } else {
            ASSERT_TRUE(flows::AbandonUpload(tripped->product, id).ok());
          }
          tripped_once = wire.tripped();
          EXPECT_EQ(Limit(account), expected)
              << (whole ? "deleted " : "given up ") << account.username << ": " << before << " to "
              << after << " at " << n;
          EXPECT_FALSE(ImageItem(id));
        }
      }
    }
  }
  EXPECT_GE(there, 12);
  EXPECT_GE(gone, 12);
}

// Proves that nothing is lost and nothing counts twice while many upload, give up and delete, and
// somebody raises the limit.
TEST_F(UploadLimitTest, RaisingIsExactWhileOthersUpload) {
  const Account ada = SignUp("ada");
  constexpr int kThreads = 6;
  constexpr int kRounds = 12;
  std::atomic<int> images = 0;
  std::atomic<int> refused = 0;
  InThreads(kThreads, [&](int i) {
    for (int round = 0; round < kRounds; ++round) {
      if (i == 0) {
        EXPECT_TRUE(flows::ChangeUploadLimit(product(), ada.email, {.more = 3}).ok());
        continue;
      }
      const auto upload = flows::BeginUpload(product(), ada, {"photo.png"});
      if (!upload.ok()) {
        EXPECT_TRUE(upload.error().Is(kUploadLimitReached)) << upload.error().message();
        ++refused;
      } else if (round % 3 == 0) {
        EXPECT_TRUE(flows::AbandonUpload(product(), upload->id).ok());
      } else {
        const auto bytes = WriteBytes(upload->id, StrCat("pixels ", i, " ", round));
        EXPECT_TRUE(flows::CompleteUpload(product(), ada, *upload, {"photo.png"}, bytes).ok());
        ++images;
      }
    }
  });
  EXPECT_EQ(Limit(ada), 10 + 3 * kRounds - images) << refused << " were refused";
}

// Proves that of many uploads at once exactly as many are admitted as are set, once they are set.
TEST_F(UploadLimitTest, ALimitSetWhileManyUploadAdmitsExactlySoMany) {
  const Account root = Administrator();
  std::atomic<int> admitted = 0;

  InThreads(6, [&](int i) {
    if (i == 0) {
      while (admitted < 20) {
        std::this_thread::yield();
      }
      // The uploads left afterwards are for others to take already.
      EXPECT_TRUE(flows::ChangeUploadLimit(product(), root.email, {.to = 5}).ok());
      return;
    }
    // Far more than there are until the limit is set: without it this would not end.
    for (int j = 0; j < 2000; ++j) {
      const auto upload = flows::BeginUpload(product(), root, {"photo.png"});
      if (!upload.ok()) {
        EXPECT_TRUE(upload.error().Is(kUploadLimitReached)) << upload.error().message();
        return;
      }
      ++admitted;
    }
  });
  EXPECT_EQ(Limit(root), 0);
  EXPECT_GE(admitted, 25);
  // All of them are on their way, and each gives one back.
  int given_back = 0;
  for (const tables::Item& item : Items("tintype")) {
    if (TextOf(item, "SK") == "UPLOAD") {
      ASSERT_TRUE(flows::AbandonUpload(product(), TextOf(item, "id")).ok());
      ++given_back;
    }
  }
  EXPECT_EQ(given_back, admitted);
  EXPECT_EQ(Limit(root), admitted);
}

// Proves which numbers are limits, and that raising what has no limit changes nothing.
TEST_F(UploadLimitTest, RefusesWhatIsNoLimit) {
  const Account ada = SignUp("ada");
  for (const flows::LimitChange& change : {flows::LimitChange{},
                                           {.to = -1},
                                           {.to = 1'000'000'001},
                                           {.to = kUnlimited - 1},
                                           {.more = 0},
                                           {.more = -5},
                                           {.more = 1'000'000'001}}) {
    EXPECT_EQ(KindOf(flows::ChangeUploadLimit(product(), ada.email, change)),
              ErrorKind::kValidation);
  }
  EXPECT_EQ(Limit(ada), 10);
  EXPECT_EQ(*flows::ChangeUploadLimit(product(), ada.email, {.more = 5}), 15);
  SetLimit(ada, kUnlimited);
  EXPECT_EQ(*flows::ChangeUploadLimit(product(), ada.email, {.more = 5}), kUnlimited);
  EXPECT_EQ(Limit(ada), kUnlimited);
}

// Proves that a limit which somebody has removed from the table does not stop deletions, and can be
// set again.
TEST_F(UploadLimitTest, ALimitThatWasRemovedCanBeSetAgain) {
  const Account ada = SignUp("ada");
  const std::string id = Upload(ada, "pixels").id;
  const auto key = contexts::ItemBuilder()
                       .Text("PK", "LIMIT#ada@example.com")
                       .Text("SK", "ada@example.com")
                       .Build();
  ASSERT_TRUE(tables::BlockingDatabase(*database_).DeleteItem({"sparks", key, {}}).ok());
  EXPECT_FALSE(flows::BeginUpload(product(), ada, {"photo.png"}).ok());
  Delete(ada, id);
  EXPECT_FALSE(ImageItem(id));
  EXPECT_EQ(*flows::ChangeUploadLimit(product(), ada.email, {.more = 5}), 5);
  ASSERT_TRUE(tables::BlockingDatabase(*database_).DeleteItem({"sparks", key, {}}).ok());
  SetLimit(ada, 2);
  EXPECT_EQ(TextOf(Get("sparks", {{"PK", "LIMIT#ada@example.com"}, {"SK", "ada@example.com"}}),
                   "entityType"),
            "DEFAULT_LIMIT");
  Upload(ada, "pixels");
  EXPECT_EQ(Limit(ada), 1);
}

// Proves that the upgrade takes the limit away from administrators of before, page by page, from
// nobody else, and not where somebody has set it since.
TEST_F(UploadLimitTest, TheUpgradeFreesAdministrators) {
  const Account root = Administrator();
  const Account ada = SignUp("ada");
  const Account decided = SignUp("zoe");
  for (int i = 0; i < 120; ++i) {
    tables::PutItemRequest user;
    user.table = "sparks";
    user.item = contexts::ItemBuilder()
                    .Text("PK", StrCat("many", i, "@example.com"))
                    .Text("SK", StrCat("many", i, "@example.com"))
                    .Text("entityType", "USER")
                    .Build();
    ASSERT_TRUE(tables::BlockingDatabase(*database_).PutItem(std::move(user)).ok());
  }
  const auto update = [&](const std::string& table, tables::Item key, std::string_view text,
                          const contexts::Bindings& bindings) {
    ASSERT_TRUE(tables::BlockingDatabase(*database_)
                    .UpdateItem({table, std::move(key), contexts::UpdateOf(text, bindings), {}})
                    .ok());
  };
  // As they were before: an administrator with what was left of 500.
  update("sparks",
         contexts::ItemBuilder()
             .Text("PK", "LIMIT#root@example.com")
             .Text("SK", "root@example.com")
             .Build(),
         "SET #l = :l REMOVE setAt", {{{"#l", "limit"}}, {{":l", tables::Value::Integer(493)}}});
  update("tintype",
         contexts::ItemBuilder()
             .Text("PK", StrCat("ACCOUNT#", decided.id))
             .Text("SK", "ACCOUNT")
             .Build(),
         "SET administrator = :yes", {{}, {{":yes", tables::Value::Bool(true)}}});
  SetLimit(decided, 6);
  const flows::UpgradeParts parts{product().database, product().backlog, clock_, product().retries};
  for (int run = 0; run < 2; ++run) {
    std::optional<flows::UpgradePosition> position = flows::UpgradePosition();
    int turns = 0;
    while (position) {
      ASSERT_LT(++turns, 10);
      auto next = flows::FreeAdministrators(parts, *position);
      ASSERT_TRUE(next.ok()) << next.error().message();
      position = *std::move(next);
    }
    EXPECT_GE(turns, 2);
    EXPECT_EQ(Limit(root), kUnlimited);
    EXPECT_EQ(Limit(ada), 10);
    EXPECT_EQ(Limit(decided), 6);
  }
}

}  // namespace
}  // namespace tintype::product
