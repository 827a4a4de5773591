#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "base/strings.h"
#include "tables/engine/changes/change_log.h"
#include "tables/engine/commit/core.h"
#include "tables/engine/testing/fault_file_system.h"
#include "tables/engine/testing/recovery_test.h"

namespace tintype::tables::engine {

/// Keeps the threads for long work busy, so that backups and restores do not begin until this is
/// gone.
class HeldLongWork {
 public:
  explicit HeldLongWork(Core& core) : held_(std::make_shared<std::atomic<int>>(0)) {
    constexpr int kThreads = 2;
    const std::shared_future<void> released = release_.get_future().share();
    for (int i = 0; i < kThreads; ++i) {
      core.long_work.Add([held = held_, released] {
        ++*held;
        released.wait();
      });
    }
    EXPECT_TRUE(Eventually([&] { return *held_ == kThreads; }));
  }
  ~HeldLongWork() { release_.set_value(); }
  HeldLongWork(const HeldLongWork&) = delete;
  HeldLongWork& operator=(const HeldLongWork&) = delete;

 private:
  std::promise<void> release_;
  // Outlives this with the work that counts in it.
  std::shared_ptr<std::atomic<int>> held_;
};

/// Recovery and backups on a disk that the test fills and has fail.
class FaultyRecoveryTest : public RecoveryTest {
 protected:
  FaultyRecoveryTest() {
    disk_->SetFreeBytes(kPlentyBytes);
    disk_->Intercept([this](FileKind kind, FileOperation operation, const std::string& name) {
      return Decide(kind, operation, name);
    });
  }

  // While all that Decide needs is there.
  void TearDown() override { database_.reset(); }

  EngineConfig Config() override {
    EngineConfig config = RecoveryTest::Config();
    config.file_system = disk_;
    config.min_free_bytes = uint64_t{80} << 20;
    return config;
  }

  /// What the disk does instead of an operation. Called as FaultFileSystem::Intercept says.
  virtual rocksdb::IOStatus Decide(FileKind kind, FileOperation operation,
                                   const std::string& name) {
    if (kind == FileKind::kLog && operation == FileOperation::kAppend && log_appends_left_ > 0 &&
        --log_appends_left_ == 0) {
      SetFreeBytes(kNearlyFullBytes);
    }
    const bool of_backup = name.starts_with(BackupFolder() + "/");
    if (of_backup && operation == FileOperation::kCreate && full_with_next_backup_file_) {
      SetFreeBytes(*std::exchange(full_with_next_backup_file_, std::nullopt));
    }
    if (of_backup && operation == failing_on_backups_) {
      return rocksdb::IOStatus::NoSpace(StrCat("While writing: ", name), "No space left on device");
    }
    return rocksdb::IOStatus::OK();
  }

  /// From now on the disk has so much room, and the engine knows.
  void SetFreeBytes(uint64_t bytes) {
    disk_->SetFreeBytes(bytes);
    core().disk_space.Check();
  }

  /// After so many more writes to the log the disk is nearly full: restores wait for room from then
  /// on. Set while nothing is being written.
  void FillDiskAfterWrites(int writes) { log_appends_left_ = writes; }

  /// A table with enough items that a restore takes several writes.
  void CreateAndFill(CreateTableRequest request) {
    const std::string name = request.definition.name;
    Create(std::move(request));
    for (int i = 0; i < kItems; ++i) {
      Put(name, With(StrCat("k", i), "n", i));
    }
  }
  void ExpectFilled(const std::string& table) {
    EXPECT_EQ(Items(table).size(), size_t{kItems});
    EXPECT_EQ(Items(table, "by_n").size(), size_t{kItems});
    EXPECT_EQ(Description(table).item_count, kItems);
    EXPECT_EQ(Get(table, "k7"), With("k7", "n", 7));
  }

  /// Waits until a restore that was begun after FillDiskAfterWrites waits for room.
  void ExpectHalfRestored(const std::string& table) {
    EXPECT_TRUE(Eventually([&] { return RestoredSoFar(table) > 0; }));
    EXPECT_TRUE(database_->disk_status().writes_refused);
    EXPECT_LT(RestoredSoFar(table), kItems);
    EXPECT_EQ(Description(table).status, TableStatus::kCreating);
  }

  /// How many items of a table that is being restored are there yet.
  int64_t RestoredSoFar(const std::string& table) {
    const TablePtr info = core().tables.FindOrNull(table);
    return info ? core().statistics.Get(info->id, kTableItself).count : -1;
  }

  /// How many of a table's changes the log has.
  int RecordsOf(const std::string& table) {
    int records = 0;
    for (uint8_t shard = 0; shard < kShards; ++shard) {
      ShardReader reader(*core().storage, core().tables.FindOrNull(table)->id, shard);
      for (reader.Seek(0); reader.valid(); reader.Next()) {
        ++records;
      }
    }
    return records;
  }

  static constexpr int kItems = 1500;
  static constexpr uint64_t kPlentyBytes = uint64_t{1} << 30;
  static constexpr uint64_t kNearlyFullBytes = uint64_t{50} << 20;  // Takes deletions.
  static constexpr uint64_t kFullBytes = uint64_t{5} << 20;         // Takes nothing.

  std::shared_ptr<FaultFileSystem> disk_ =
      std::make_shared<FaultFileSystem>(directory_.path() + "/tables", 1);
  std::atomic<int> log_appends_left_ = 0;
  // Set while no backup is being made.
  std::optional<uint64_t> full_with_next_backup_file_;
  std::optional<FileOperation> failing_on_backups_;
};

}  // namespace tintype::tables::engine
