// Where followers stand, as the table `tintype` keeps it.

#include <gmock/gmock.h>

#include "base/strings.h"
#include "base/testing/eventually.h"
#include "pipeline/follower_positions.h"
#include "product_fixture.h"

namespace tintype::product {
namespace {

using contexts::ItemBuilder;
using contexts::Transaction;
using pipeline::FollowerPositions;
using tables::ShardName;
using testing::IsEmpty;

class FollowersTest : public ProductTest {
 protected:
  std::vector<tables::Item> Stored(const std::string& follower) {
    return Query("tintype", "", "PK = :follower",
                 {{}, {{":follower", tables::Value::String(StrCat("FOLLOWER#", follower))}}});
  }
  void DeleteOutside(const std::string& id) {
    const auto deleted =
        tables::BlockingDatabase(*database_)
            .DeleteItem(
                {"ImageMetadata",
                 ItemBuilder().Text("PK", StrCat("IMAGE#", id)).Text("SK", "METADATA").Build(),
                 {}});
    ASSERT_TRUE(deleted.ok());
  }
  bool IsQueued(const std::string& work) {
    const auto found = product().backlog.Find(work);
    return found.ok() && found->has_value();
  }
};

// A position is stored under its follower, its table and its shard, and found again; others' are
// not.
TEST_F(FollowersTest, PositionsAreFoundAgain) {
  const FollowerPositions mine("mine", database_->AsServer());
  const FollowerPositions others("others", database_->AsServer());
  const ShardName shard{"photos", "shardId-1"};
  ASSERT_TRUE(Transaction("store")
                  .Add(mine.Store({shard, "17", "read up to here"}))
                  .Add(others.Store({{"photos", "shardId-2"}, "18", ""}))
                  .Commit(database_->AsServer())
                  .ok());
  const auto item = Get("tintype", {{"PK", "FOLLOWER#mine"}, {"SK", "photos#shardId-1"}});
  EXPECT_EQ(TextOf(item, "position"), "17");
  EXPECT_EQ(TextOf(item, "text"), "read up to here");
  const auto loaded = mine.Load();
  ASSERT_TRUE(loaded.ok());
  ASSERT_EQ(loaded->size(), 1U);
  EXPECT_EQ(loaded->front().shard, shard);
  EXPECT_EQ(loaded->front().position, "17");
  ASSERT_TRUE(Transaction("remove").Add(mine.Remove(shard)).Commit(database_->AsServer()).ok());
  EXPECT_THAT(*mine.Load(), IsEmpty());
  EXPECT_EQ(others.Load()->size(), 1U);
}

// The one position of format 1 becomes that of every shard: what happened before it is not acted on
// again, what happened since is, in all tables.
TEST_F(FollowersTest, TakesTheOldPositionOver) {
  const flows::Account account = SignUp("ada");
  const std::string before = UploadDeveloped(account, "before").id;
  const std::string since = UploadDeveloped(account, "since").id;
  DeleteOutside(before);
  ASSERT_TRUE(tables::BlockingDatabase(database_->AsServer())
                  .PutItem({"tintype",
                            ItemBuilder()
                                .Text("PK", "POSITION#reconciler")
                                .Text("SK", "POSITION")
                                .Text("position", std::to_string(database_->CommitCount()))
                                .Build(),
                            {}})
                  .ok());
  DeleteOutside(since);
  RunningReconciler reconciler(product(), *database_);
  ASSERT_TRUE(Eventually([&] { return IsQueued(StrCat("delete-image-", since)); }));
  reconciler.Stop();
  EXPECT_FALSE(IsQueued(StrCat("delete-image-", before)));
  EXPECT_FALSE(Get("tintype", {{"PK", "POSITION#reconciler"}, {"SK", "POSITION"}}));
  EXPECT_EQ(Stored("reconciler").size(), 4 * reconciler.reconciler.tables().size());
}

// A gallery that was off for a week has missed nothing: its tables can be recovered, so that their
// changes are still there.
TEST_F(FollowersTest, GoesOnAfterALongRest) {
  const flows::Account account = SignUp("ada");
  const std::string id = UploadDeveloped(account, "pixels").id;
  {
    const RunningReconciler reconciler(product(), *database_);
    ASSERT_TRUE(Eventually(
        [&] { return Stored("reconciler").size() == 4 * reconciler.reconciler.tables().size(); }));
  }
  DeleteOutside(id);
  clock_.AdvanceMs(7 * kDayMs);
  Open();
  const RunningReconciler reconciler(product(), *database_);
  ASSERT_TRUE(Eventually([&] { return IsQueued(StrCat("delete-image-", id)); }));
}

}  // namespace
}  // namespace tintype::product
