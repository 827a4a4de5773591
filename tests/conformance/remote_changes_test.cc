// Changes of tables as the client of tables/remote follows them, against our own server.

#include "tables/remote/remote_changes.h"

#include <gtest/gtest.h>

#include <map>

#include "base/strings.h"
#include "local_server.h"
#include "tables/language/await.h"
#include "tables/language/blocking_database.h"
#include "tables/language/errors.h"
#include "tables/remote/remote_database.h"

namespace tintype::conformance {
namespace {

using tables::Change;
using tables::ChangePosition;
using tables::Item;
using tables::ShardName;
using tables::Value;

class RemoteChangesTest : public testing::Test {
 protected:
  RemoteChangesTest() {
    tables::remote::RemoteConfig config;
    config.endpoint = StrCat("http://127.0.0.1:", server_.port());
    config.credentials = server_.credentials();
    database_ = tables::remote::RemoteDatabase::Open(config, SystemClock()).value();
    changes_ = std::make_unique<tables::remote::RemoteChanges>(
        tables::remote::RemoteChangesConfig(), *database_, SystemClock());
    tables::CreateTableRequest request;
    request.definition.name = "abc";
    request.definition.keys.hash = {"pk"};
    request.definition.attributes = {{"pk"}};
    request.definition.billing_mode = tables::BillingMode::kPayPerRequest;
    request.definition.stream = tables::StreamView::kNewAndOldImages;
    EXPECT_TRUE(database().CreateTable(request).ok());
  }

  tables::BlockingDatabase database() { return tables::BlockingDatabase(*database_); }
  static Item ItemOf(const std::string& key, int value) {
    return Item::Of({{"pk", Value::String(key)}, {"v", Value::Integer(value)}});
  }
  void Put(const std::string& key, int value) {
    ASSERT_TRUE(database().PutItem({"abc", ItemOf(key, value), {}}).ok());
  }
  /// What comes after the positions, by item, and moves them on.
  std::map<std::string, std::vector<Change>> Follow(size_t limit) {
    std::map<std::string, std::vector<Change>> seen;
    const auto shards = changes_->ListShards("abc");
    EXPECT_EQ(shards->size(), 4U);
    for (const tables::ChangeShard& shard : *shards) {
      bool more = true;
      while (more) {
        const auto page = changes_->ReadChanges({shard.name, positions_[shard.name], limit});
        EXPECT_TRUE(page.ok()) << page.error().message();
        for (const Change& change : page->changes) {
          seen[std::string(change.key.Find("pk")->AsString())].push_back(change);
        }
        positions_[shard.name] = page->next;
        more = page->more;
      }
    }
    return seen;
  }

  LocalServer server_;
  std::unique_ptr<tables::remote::RemoteDatabase> database_;
  std::unique_ptr<tables::remote::RemoteChanges> changes_;
  std::map<ShardName, ChangePosition> positions_;
};

// Every change is given once, those of an item in their order and with what was there before; later
// looks go on from where the last one ended, also with iterators of another reader.
TEST_F(RemoteChangesTest, EveryChangeOnce) {
  for (int i = 0; i < 60; ++i) {
    Put(StrCat("k", i % 20), i);
  }
  const auto first = Follow(7);
  ASSERT_EQ(first.size(), 20U);
  for (const auto& [key, changes] : first) {
    ASSERT_EQ(changes.size(), 3U) << key;
    EXPECT_EQ(changes[0].event, Change::Event::kInsert);
    EXPECT_FALSE(changes[0].old_image);
    for (size_t i = 1; i < changes.size(); ++i) {
      EXPECT_EQ(changes[i].event, Change::Event::kModify);
      EXPECT_EQ(changes[i].old_image, changes[i - 1].new_image);
      EXPECT_TRUE(tables::IsBefore(changes[i - 1].position, changes[i].position));
    }
    EXPECT_EQ(changes[0].origin, Change::Origin::kUnknown);
  }
  EXPECT_TRUE(Follow(1000).empty());
  Put("k1", 100);
  ASSERT_TRUE(database().DeleteItem({"abc", Item::Of({{"pk", Value::String("k2")}}), {}}).ok());
  changes_ = std::make_unique<tables::remote::RemoteChanges>(tables::remote::RemoteChangesConfig(),
                                                             *database_, SystemClock());
  const auto second = Follow(1000);
  ASSERT_EQ(second.size(), 2U);
  EXPECT_EQ(second.at("k1").front().new_image, ItemOf("k1", 100));
  EXPECT_EQ(second.at("k2").front().event, Change::Event::kRemove);
}

// Tables without a stream have no shards. A position that the service refuses counts as trimmed.
TEST_F(RemoteChangesTest, RefusesWhatIsNotThere) {
  EXPECT_TRUE(changes_->ListShards("unknown")->empty());
  EXPECT_EQ(changes_->ReadChanges({{"unknown", "shard"}}).error().kind(), ErrorKind::kNotFound);
  const ShardName shard = changes_->ListShards("abc")->front().name;
  EXPECT_EQ(
      changes_->ReadChanges({{"abc", "shardId-00000000000000000000-00000000"}}).error().kind(),
      ErrorKind::kNotFound);
  EXPECT_TRUE(changes_->ReadChanges({shard, "12"}).error().Is(tables::reasons::kTrimmed));
}

// Recovery is turned on and off where the tables are.
TEST_F(RemoteChangesTest, TurnsRecoveryOn) {
  tables::Backups& backups = *database_;
  EXPECT_FALSE(
      tables::Await(backups, &tables::Backups::DescribeContinuousBackups, {"abc"})->recovery);
  ASSERT_TRUE(
      tables::Await(backups, &tables::Backups::UpdateContinuousBackups, {"abc", true, 7}).ok());
  const auto described =
      tables::Await(backups, &tables::Backups::DescribeContinuousBackups, {"abc"});
  ASSERT_TRUE(described.ok() && described->recovery);
  EXPECT_EQ(described->recovery->days, 7);
  EXPECT_TRUE(tables::Await(backups, &tables::Backups::ListBackups, {})
                  .error()
                  .Is(tables::reasons::kUnknownOperation));
}

}  // namespace
}  // namespace tintype::conformance
