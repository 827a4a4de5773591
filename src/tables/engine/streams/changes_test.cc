// The change log as followers read it: every change once, shard by shard, in the order of commits.

#include <gtest/gtest.h>

#include <map>
#include <thread>

#include "base/strings.h"
#include "tables/engine/testing/engine_test.h"
#include "tables/language/errors.h"

namespace tintype::tables::engine {
namespace {

class ChangesTest : public EngineTest {
 protected:
  void CreateFollowed(const std::string& name) {
    CreateTableRequest request = Table(name);
    request.definition.stream = StreamView::kNewAndOldImages;
    Create(std::move(request));
  }

  std::vector<ChangeShard> Shards(const std::string& table) {
    return database_->ListShards(table).value();
  }
  /// All changes of a table, shard after shard, each read in pages of that size.
  std::vector<Change> ReadAll(const std::string& table, size_t limit = 1000) {
    std::vector<Change> changes;
    for (const ChangeShard& shard : Shards(table)) {
      ChangePosition position;
      bool more = true;
      while (more) {
        const auto page = database_->ReadChanges({shard.name, position, limit});
        EXPECT_TRUE(page.ok()) << page.error().message();
        for (const Change& change : page->changes) {
          EXPECT_TRUE(IsBefore(position, change.position));
          position = change.position;
          changes.push_back(change);
        }
        EXPECT_FALSE(IsBefore(page->next, position));
        position = page->next;
        more = page->more;
        EXPECT_FALSE(page->ended);
      }
    }
    return changes;
  }
};

// Every change of a table is in one of its shards, those of one item in their order and in the same
// shard, in pages of any size, across a reopened engine; tables without a stream have no shards.
TEST_F(ChangesTest, EveryChangeOnceInTheOrderOfItsItem) {
  CreateFollowed("a");
  CreateFollowed("other");
  Create(Table("silent"));
  std::map<std::string, std::vector<std::string>> expected;
  for (int i = 0; i < 60; ++i) {
    const std::string key = StrCat("k", i % 20);
    Put("a", With(key, "v", i));
    Put("other", With("x", "v", i));
    Put("silent", With("x", "v", i));
    expected[key].push_back(std::to_string(i));
    if (i == 30) {
      clock_.AdvanceMs(3 * kHourMs);  // Into another period of the log.
      Open();
    }
  }
  EXPECT_EQ(Shards("a").size(), 4U);
  EXPECT_EQ(Shards("silent").size(), 0U);
  EXPECT_EQ(Shards("unknown").size(), 0U);
  for (const size_t limit : {1U, 7U, 1000U}) {
    std::map<std::string, std::vector<std::string>> seen;
    for (const Change& change : ReadAll("a", limit)) {
      EXPECT_EQ(change.table, "a");
      seen[std::string(change.key.Find("pk")->AsString())].push_back(
          change.new_image->Find("v")->AsNumber().ToString());
    }
    EXPECT_EQ(seen, expected) << limit;
  }
}

// A change tells who made it and what was there before.
TEST_F(ChangesTest, TellsWhatHappened) {
  CreateFollowed("a");
  ASSERT_TRUE(Call(&Database::UpdateTimeToLive, UpdateTimeToLiveRequest{"a", true, "ttl"}).ok());
  Put("a", With("x", "ttl", clock_.NowMs() / kSecondMs - 1));
  ASSERT_TRUE(Eventually([&] { return !Get("a", "x"); }));
  const std::vector<Change> changes = ReadAll("a");
  ASSERT_EQ(changes.size(), 2U);
  EXPECT_EQ(changes[0].event, Change::Event::kInsert);
  EXPECT_EQ(changes[0].origin, Change::Origin::kClient);
  EXPECT_EQ(changes[0].time_ms, clock_.NowMs());
  EXPECT_EQ(changes[1].event, Change::Event::kRemove);
  EXPECT_EQ(changes[1].origin, Change::Origin::kExpiry);
  EXPECT_EQ(changes[1].key, Key("x"));
  EXPECT_EQ(changes[1].old_image, changes[0].new_image);
}

// Shards and positions are those that the table's stream shows to other programs, and the plain
// numbers of format 1 are understood.
TEST_F(ChangesTest, PositionsAreSequenceNumbers) {
  CreateFollowed("a");
  const uint64_t before = database_->CommitCount();
  Put("a", Key("x"));
  ListStreamsRequest list;
  list.table = "a";
  DescribeStreamRequest describe;
  describe.arn = Call(&Streams::ListStreams, list)->streams.at(0).arn;
  const auto stream = Call(&Streams::DescribeStream, describe);
  size_t found = 0;
  for (const ChangeShard& shard : Shards("a")) {
    EXPECT_EQ(shard.name.shard, stream->shards.at(found++).id);
    const auto iterator =
        Call(&Streams::GetShardIterator,
             GetShardIteratorRequest{
                 stream->stream.arn, shard.name.shard, ShardIteratorType::kTrimHorizon, {}});
    const auto records = Call(&Streams::GetRecords, GetRecordsRequest{iterator->iterator});
    const auto changes = database_->ReadChanges({shard.name, std::to_string(before)});
    ASSERT_EQ(changes->changes.size(), records->records.size());
    for (size_t i = 0; i < records->records.size(); ++i) {
      EXPECT_EQ(changes->changes[i].position, records->records[i].sequence_number);
      EXPECT_EQ(database_->ReadChanges({shard.name, changes->changes[i].position})->changes.size(),
                0U);
    }
  }
  EXPECT_EQ(database_->ReadChanges({Shards("a").front().name, "nonsense"}).error().kind(),
            ErrorKind::kValidation);
  EXPECT_EQ(database_->ReadChanges({{"a", "shardId-0"}, ""}).error().kind(), ErrorKind::kNotFound);
}

// A reader that waits is woken by a commit, and not before; one that has been away for too long
// learns that it has missed something.
TEST_F(ChangesTest, WaitsForCommitsAndTellsOfLostChanges) {
  CreateFollowed("a");
  const uint64_t before = database_->CommitCount();
  EXPECT_FALSE(database_->WaitForCommit(before, std::chrono::milliseconds(20)));
  const ShardName shard = Shards("a").front().name;
  const ChangePosition early = database_->ReadChanges({shard, ""})->next;
  std::thread writer([this] { Put("a", Key("x")); });
  EXPECT_TRUE(database_->WaitForCommit(before, std::chrono::seconds(20)));
  writer.join();
  EXPECT_EQ(ReadAll("a").size(), 1U);
  const ChangePosition all = database_->ReadChanges({shard, early})->next;
  clock_.AdvanceMs(kDayMs + kSecondMs);
  EXPECT_EQ(database_->ReadChanges({shard, early}).error().reason(), tables::reasons::kTrimmed);
  EXPECT_TRUE(database_->ReadChanges({shard, all}).ok());  // It had read everything.
  EXPECT_TRUE(database_->ReadChanges({shard, ""}).ok());
}

// While a table can be recovered, its changes are kept for as long as that reaches back.
TEST_F(ChangesTest, RecoveryKeepsChangesLonger) {
  CreateFollowed("a");
  ASSERT_TRUE(
      Call(&Backups::UpdateContinuousBackups, UpdateContinuousBackupsRequest{"a", true, {}}).ok());
  Put("a", Key("x"));
  const ChangePosition first = ReadAll("a").front().position;
  Put("a", With("x", "v", 1));
  clock_.AdvanceMs(10 * kDayMs);
  Put("a", With("x", "v", 2));
  size_t found = 0;
  for (const ChangeShard& shard : Shards("a")) {
    found += database_->ReadChanges({shard.name, first})->changes.size();
  }
  EXPECT_EQ(found, 2U);
  clock_.AdvanceMs(40 * kDayMs);
  EXPECT_EQ(database_->ReadChanges({Shards("a").front().name, first}).error().reason(),
            tables::reasons::kTrimmed);
}

}  // namespace
}  // namespace tintype::tables::engine
