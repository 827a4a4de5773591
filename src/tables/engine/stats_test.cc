// The figures for metrics: each moves when what it stands for happens.

#include <gtest/gtest.h>
#include <sys/statvfs.h>

#include <chrono>
#include <future>
#include <numeric>
#include <thread>

#include "base/strings.h"
#include "tables/engine/commit/core.h"
#include "tables/engine/testing/engine_test.h"

namespace tintype::tables::engine {
namespace {

class StatsTest : public EngineTest {
 protected:
  EngineConfig Config() override {
    EngineConfig config = EngineTest::Config();
    config.relaxed_durability = false;
    config.cache_bytes = size_t{8} << 20;
    return config;
  }

  // The engine trims its change log once after it was opened, which is a group of its own.
  void SetUp() override {
    EngineTest::SetUp();
    while (database_->stats().commits.groups_total == 0) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }

  void PutMany(int from, int to, size_t bytes = 1000) {
    for (int i = from; i < to; ++i) {
      Put("t", Item::Of({{"pk", Value::String(StrCat(i))},
                         {"text", Value::String(std::string(bytes, 'x'))}}));
    }
  }

  static uint64_t Total(const metrics::Distribution& distribution) {
    return std::accumulate(distribution.counts.begin(), distribution.counts.end(), uint64_t{0});
  }

  void Flush() {
    rocksdb::DB& db = core().storage->db();
    ASSERT_TRUE(db.Flush(rocksdb::FlushOptions(), core().storage->data()).ok());
  }
};

// A write that nothing waits beside is a group of one task with one sync.
TEST_F(StatsTest, CountsGroupsTasksAndSyncs) {
  Create(Table("t"));
  const EngineStats before = database_->stats();
  PutMany(0, 10);
  const EngineStats after = database_->stats();
  EXPECT_EQ(after.commits.groups_total - before.commits.groups_total, 10);
  EXPECT_EQ(after.commits.tasks_total - before.commits.tasks_total, 10);
  EXPECT_EQ(after.commits.groups_by_tasks[0] - before.commits.groups_by_tasks[0], 10);
  EXPECT_GE(after.commits.bytes_total - before.commits.bytes_total, 10 * 1000);
  EXPECT_GT(after.commits.write_durations.sum, before.commits.write_durations.sum);
  EXPECT_EQ(Total(after.storage.log_syncs) - Total(before.storage.log_syncs), 10);
  EXPECT_GT(after.storage.log_syncs.sum, before.storage.log_syncs.sum);
  EXPECT_GE(after.storage.log_written_bytes_total - before.storage.log_written_bytes_total,
            10 * 1000);
  EXPECT_GE(after.storage.log_bytes, 10 * 1000);
  EXPECT_EQ(after.commits.waiting, 0);
  EXPECT_EQ(after.commits.refused_total, 0);
}

// Writes that wait for the commit thread together are one group, and counted by their number.
TEST_F(StatsTest, CountsGroupsByTheirTasks) {
  Create(Table("t"));
  const EngineStats before = database_->stats();
  std::promise<void> held;
  std::promise<void> released;
  // An answer is given on the commit thread, which waits here while three writes gather.
  database_->PutItem({.table = "t", .item = Key("first"), .options = {}},
                     [&](const Result<WriteItemResponse>&) {
                       held.set_value();
                       released.get_future().wait();
                     });
  held.get_future().wait();
  std::vector<std::promise<void>> answered(3);
  for (size_t i = 0; i < answered.size(); ++i) {
    database_->PutItem(
        {.table = "t", .item = Key(StrCat(i)), .options = {}},
        [&answered, i](const Result<WriteItemResponse>&) { answered[i].set_value(); });
  }
  EXPECT_EQ(database_->stats().commits.waiting, 3);
  released.set_value();
  for (std::promise<void>& each : answered) {
    each.get_future().wait();
  }
  const EngineStats after = database_->stats();
  EXPECT_EQ(after.commits.groups_total - before.commits.groups_total, 2);
  EXPECT_EQ(after.commits.tasks_total - before.commits.tasks_total, 4);
  EXPECT_EQ(after.commits.groups_by_tasks[0] - before.commits.groups_by_tasks[0], 1);
  EXPECT_EQ(after.commits.groups_by_tasks[2] - before.commits.groups_by_tasks[2], 1);  // Up to 4.
}

TEST_F(StatsTest, CountsFlushesCompactionsAndFiles) {
  Create(Table("t"));
  PutMany(0, 100, 40'000);
  EXPECT_GE(database_->stats().storage.memtable_bytes, 100 * 1000);
  Flush();
  PutMany(0, 100, 40'001);
  Flush();
  // RocksDB tells of what it did a moment after it was done.
  EXPECT_TRUE(Eventually([&] { return database_->stats().storage.flushes_total >= 2; }));
  StorageStats stats = database_->stats().storage;
  EXPECT_GT(stats.flush_written_bytes_total, 0);
  EXPECT_EQ(stats.level_files[0], 2);
  EXPECT_GT(stats.level_bytes[0], 0);
  EXPECT_EQ(stats.compactions_total, 0);
  rocksdb::DB& db = core().storage->db();
  ASSERT_TRUE(
      db.CompactRange(rocksdb::CompactRangeOptions(), core().storage->data(), nullptr, nullptr)
          .ok());
  EXPECT_TRUE(
      Eventually([&] { return database_->stats().storage.compaction_cpu_seconds_total > 0; }));
  stats = database_->stats().storage;
  EXPECT_GE(stats.compactions_total, 1);
  EXPECT_GT(stats.compaction_read_bytes_total, 0);
  EXPECT_GT(stats.compaction_written_bytes_total, 0);
  EXPECT_EQ(stats.level_files[0], 0);
  EXPECT_EQ(std::accumulate(stats.level_files.begin(), stats.level_files.end(), uint64_t{0}), 1);
}

TEST_F(StatsTest, TellsTheCachesUseAndLimit) {
  Create(Table("t"));
  PutMany(0, 100);
  Flush();
  const uint64_t before = database_->stats().storage.cache_bytes;
  EXPECT_TRUE(Get("t", "7"));
  const StorageStats stats = database_->stats().storage;
  EXPECT_GT(stats.cache_bytes, before);
  EXPECT_EQ(stats.cache_bytes_limit, size_t{8} << 20);
  EXPECT_GT(stats.table_reader_bytes, 0);
}

// A disk may keep a part for root, or for nobody: that part is not what writes can count on.
TEST_F(StatsTest, FreeBytesAreThoseThatAProcessMayUse) {
  struct statvfs disk {};
  ASSERT_EQ(::statvfs(directory_.path().c_str(), &disk), 0);
  const auto available = static_cast<double>(disk.f_bavail * disk.f_frsize);
  const std::optional<uint64_t> told = FreeBytes(core().config);
  ASSERT_TRUE(told);
  // Other programs write meanwhile.
  EXPECT_NEAR(static_cast<double>(*told), available, 0.05 * available);
}

}  // namespace
}  // namespace tintype::tables::engine
