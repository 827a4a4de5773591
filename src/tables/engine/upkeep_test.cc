// What the engine does so that its files stay within bounds.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "base/strings.h"
#include "tables/engine/commit/core.h"
#include "tables/engine/testing/recovery_test.h"

namespace tintype::tables::engine {
namespace {

constexpr uint64_t kMb = uint64_t{1} << 20;

class UpkeepTest : public RecoveryTest {
 protected:
  EngineConfig Config() override {
    EngineConfig config = RecoveryTest::Config();
    config.write_buffer_bytes = kMb;
    return config;
  }

  // Items of about 10 KB, which do not compress.
  void PutMegabytes(const std::string& table, uint64_t megabytes) {
    for (uint64_t i = 0; i < megabytes * 100; ++i) {
      std::string bytes(10'000, '\0');
      std::ranges::generate(bytes, [this] { return static_cast<char>(random_()); });
      Put(table, Item::Of({{"pk", Value::String(StrCat(i))}, {"b", Value::Binary(bytes)}}));
    }
  }

  uint64_t BytesOf(std::string_view extension) {
    uint64_t sum = 0;
    for (const auto& file : std::filesystem::directory_iterator(Config().directory)) {
      std::error_code gone;
      const uint64_t bytes = file.path().extension() == extension ? file.file_size(gone) : 0;
      sum += gone ? 0 : bytes;
    }
    return sum;
  }

  void SetMerging(bool on) {
    ASSERT_TRUE(core()
                    .storage->db()
                    .SetOptions(core().storage->data(),
                                {{"disable_auto_compactions", on ? "false" : "true"}})
                    .ok());
  }

  std::minstd_rand random_{1};
};

// Deleting a table gives its space back soon, on a disk with plenty of it, and without more writes.
TEST_F(UpkeepTest, ADeletedTableGivesItsSpaceBack) {
  Create(Table("gone"));
  Create(Table("kept"));
  PutMegabytes("kept", 1);
  PutMegabytes("gone", 8);
  const std::vector<Item> kept = Items("kept");
  ASSERT_TRUE(core().storage->Flush().ok());
  ASSERT_GT(BytesOf(".sst"), 8 * kMb);
  ASSERT_TRUE(DeleteTable("gone").ok());
  EXPECT_TRUE(Eventually([&] { return BytesOf(".sst") < 3 * kMb; })) << BytesOf(".sst");
  EXPECT_EQ(Items("kept"), kept);
}

// A restore waits when merging falls behind, before RocksDB slows down everybody's writes; then it
// goes on.
TEST_F(UpkeepTest, ARestoreWaitsForMerging) {
  Create(Table("t"));
  PutMegabytes("t", 16);
  const BackupDetails backup = Backup("t", "b");
  ASSERT_TRUE(BecomesAvailable(backup.arn));
  rocksdb::DB& db = core().storage->db();
  ASSERT_TRUE(db.CompactRange({}, core().storage->data(), nullptr, nullptr).ok());
  SetMerging(false);
  const uint64_t slowdowns_before = database_->stats().storage.write_slowdowns_total;
  ASSERT_TRUE(RestoreBackup(backup.arn, "r").ok());
  const auto new_files = [&] { return database_->stats().storage.level_files[0]; };
  ASSERT_TRUE(Eventually([&] { return core().storage->falls_behind() && new_files() >= 10; }));
  Put("t", Key("meanwhile"));
  EXPECT_LT(new_files(), 14U);
  EXPECT_EQ(Description("r").status, TableStatus::kCreating);
  EXPECT_EQ(database_->stats().storage.write_slowdowns_total, slowdowns_before);
  SetMerging(true);
  EXPECT_TRUE(BecomesActive("r"));
  EXPECT_EQ(Items("r").size(), 1600U);
}

// A clean stop leaves nothing to replay.
TEST_F(UpkeepTest, NothingIsLeftToReplayAfterACleanStop) {
  Create(IndexedTable("t"));
  SetRecovery("t", true);
  for (int i = 0; i < 100; ++i) {
    Put("t", With(StrCat(i), "n", i));
  }
  EXPECT_GT(BytesOf(".log"), 100 * 50U);
  database_.reset();
  EXPECT_LT(BytesOf(".log"), 200U);
  Open();
  EXPECT_EQ(Items("t").size(), 100U);
  EXPECT_EQ(Items("t", "by_n").size(), 100U);
}

// The log to replay at a start after a crash is bounded, although some buffers hardly ever fill.
TEST_F(UpkeepTest, TheLogIsBounded) {
  Create(Table("t"));
  uint64_t most = 0;
  for (int i = 0; i < 12; ++i) {
    PutMegabytes("t", 1);
    most = std::max(most, BytesOf(".log"));
  }
  EXPECT_LT(most, 7 * kMb);
}

}  // namespace
}  // namespace tintype::tables::engine
