// Backups of the tables: whole, incremental, and without effect on the tables when they fail.

#include "tables/engine/recovery/directory_backup.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rocksdb/file_system.h>

#include <atomic>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "base/random.h"
#include "base/strings.h"
#include "base/testing/eventually.h"
#include "base/testing/temporary_directory.h"
#include "tables/engine/rocks_database.h"
#include "tables/language/blocking_database.h"

namespace tintype::tables::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A disk of limited size for the files below one folder.
class SmallDisk : public rocksdb::FileSystemWrapper {
 public:
  explicit SmallDisk(std::string folder)
      : FileSystemWrapper(rocksdb::FileSystem::Default()), folder_(std::move(folder)) {}
  const char* Name() const override { return "SmallDisk"; }

  rocksdb::IOStatus NewWritableFile(const std::string& name, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* result,
                                    rocksdb::IODebugContext* context) override {
    rocksdb::IOStatus status = FileSystemWrapper::NewWritableFile(name, options, result, context);
    if (status.ok() && name.starts_with(folder_)) {
      *result = std::make_unique<File>(std::move(*result), room_);
    }
    return status;
  }

  void SetRoom(int64_t bytes) { room_ = bytes; }

 private:
  class File : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    File(std::unique_ptr<rocksdb::FSWritableFile> file, std::atomic<int64_t>& room)
        : FSWritableFileOwnerWrapper(std::move(file)), room_(room) {}
    rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* context) override {
      room_ -= static_cast<int64_t>(data.size());
      if (room_ < 0) {
        return rocksdb::IOStatus::NoSpace("No space left on device");
      }
      return FSWritableFileOwnerWrapper::Append(data, options, context);
    }
    rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                             const rocksdb::DataVerificationInfo& /*info*/,
                             rocksdb::IODebugContext* context) override {
      return Append(data, options, context);
    }

   private:
    std::atomic<int64_t>& room_;
  };

  const std::string folder_;
  std::atomic<int64_t> room_ = std::numeric_limits<int64_t>::max();
};

class DirectoryBackupTest : public ::testing::Test {
 protected:
  DirectoryBackupTest() {
    EngineConfig config;
    config.directory = temporary_.path() + "/tables";
    config.write_buffer_bytes = size_t{64} << 10;  // Small, so that items reach sorted files.
    config.relaxed_durability = true;              // Power stays on.
    config.ballast_bytes = 0;
    config.file_system = disk_;
    database_ = *RocksDatabase::Open(std::move(config), SystemClock());
    CreateTableRequest request;
    request.definition.name = "t";
    request.definition.billing_mode = BillingMode::kPayPerRequest;
    request.definition.attributes = {{"pk", Type::kNumber}};
    request.definition.keys = {{"pk"}, {}};
    EXPECT_TRUE(BlockingDatabase(*database_).CreateTable(request).ok());
  }

  void Put(int from, int to) {
    for (int i = from; i < to; ++i) {
      PutItemRequest request;
      request.table = "t";
      // Random, since sorted files are compressed.
      request.item =
          Item::Of({{"pk", Value::Integer(i)}, {"bytes", Value::Binary(RandomBytes(900))}});
      ASSERT_TRUE(BlockingDatabase(*database_).PutItem(request).ok());
    }
  }

  static int Count(RocksDatabase& database) {
    ScanRequest request;
    request.table = "t";
    const auto answer = BlockingDatabase(database).Scan(request);
    return answer.ok() ? static_cast<int>(answer->count) : -1;
  }

  std::unique_ptr<TablesBackups> Open() {
    auto opened = database_->OpenBackups(folder_);
    EXPECT_TRUE(opened.ok()) << opened.error().message();
    return *std::move(opened);
  }

  /// How many items the tables have that are made of a backup's files; -1 if they cannot be opened.
  int CountIn(const TablesBackup& backup) {
    const std::string directory = StrCat(temporary_.path(), "/restored-", backup.id);
    std::filesystem::create_directory(directory);
    for (const TablesBackupFile& file : backup.files) {
      if (!file.name.empty()) {
        std::filesystem::copy_file(StrCat(folder_, "/", file.stored),
                                   StrCat(directory, "/", file.name));
      }
    }
    EngineConfig config;
    config.directory = directory;
    config.ballast_bytes = 0;
    auto restored = RocksDatabase::Open(std::move(config), SystemClock());
    return restored.ok() ? Count(**restored) : -1;
  }

  static bool GoOn(uint64_t /*done*/, uint64_t /*total*/) { return true; }

  TemporaryDirectory temporary_;
  const std::string folder_ = temporary_.path() + "/backup";
  const std::shared_ptr<SmallDisk> disk_ = std::make_shared<SmallDisk>(folder_);
  std::unique_ptr<RocksDatabase> database_;
};

// Proves that a backup has what was written before it, from sorted files and from the log alike,
// and nothing of what came later; and that its files are named as the tables expect them.
TEST_F(DirectoryBackupTest, HasTheTablesOfItsMoment) {
  Put(0, 1);  // In the log alone.
  const auto backups = Open();
  const auto first = backups->Create(GoOn);
  ASSERT_TRUE(first.ok()) << first.error().message();
  Put(1, 300);
  const auto second = backups->Create(GoOn);
  ASSERT_TRUE(second.ok()) << second.error().message();
  Put(300, 310);
  EXPECT_EQ(CountIn(*first), 1);
  EXPECT_EQ(CountIn(*second), 300);
  EXPECT_THAT(backups->ids(), ElementsAre(1, 2));
  EXPECT_THAT(backups->damaged_ids(), IsEmpty());
  for (const uint32_t id : {1U, 2U}) {
    const Status whole = VerifyTablesBackup(disk_, folder_, id);
    EXPECT_TRUE(whole.ok()) << whole.error().message();
  }
  EXPECT_EQ(VerifyTablesBackup(disk_, folder_, 3).error().kind(), ErrorKind::kNotFound);
}

// Proves that a removed backup takes nothing along that another needs, and that damage is noticed
// and named by the file.
TEST_F(DirectoryBackupTest, BackupsStandAlone) {
  Put(0, 300);
  auto backups = Open();
  ASSERT_TRUE(backups->Create(GoOn).ok());
  Put(300, 400);
  const auto second = backups->Create(GoOn);
  ASSERT_TRUE(second.ok());
  ASSERT_TRUE(backups->Delete(1).ok());
  EXPECT_THAT(backups->ids(), ElementsAre(2));
  EXPECT_TRUE(VerifyTablesBackup(disk_, folder_, 2).ok());
  EXPECT_EQ(CountIn(*second), 400);
  std::string shared;
  for (const TablesBackupFile& file : second->files) {
    shared = file.stored.starts_with("shared_checksum/") ? file.stored : shared;
  }
  ASSERT_FALSE(shared.empty());
  const std::string path = StrCat(folder_, "/", shared);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  const Status damaged = VerifyTablesBackup(disk_, folder_, 2);
  ASSERT_FALSE(damaged.ok());
  EXPECT_EQ(damaged.error().kind(), ErrorKind::kCorruption);
  EXPECT_THAT(damaged.error().message(), HasSubstr(shared));
  std::filesystem::remove(path);
  backups = Open();
  EXPECT_THAT(backups->ids(), IsEmpty());
  EXPECT_THAT(backups->damaged_ids(), ElementsAre(2));
}

// Proves that a full disk at any point of a backup says so, leaves earlier backups and the tables
// alone, and does not keep the next one from succeeding.
TEST_F(DirectoryBackupTest, FullDiskFailsTheBackupAlone) {
  Put(0, 200);
  auto backups = Open();
  ASSERT_TRUE(backups->Create(GoOn).ok());
  int count = 200;
  for (const int64_t room : {0, 20, 500, 5'000, 20'000, 60'000}) {
    Put(count, count + 100);
    count += 100;
    disk_->SetRoom(room);
    backups = Open();
    const auto refused = backups->Create(GoOn);
    ASSERT_FALSE(refused.ok()) << room;
    EXPECT_EQ(refused.error().kind(), ErrorKind::kIo);
    EXPECT_THAT(refused.error().message(), HasSubstr("No space left on device"));
    EXPECT_THAT(backups->ids(), ElementsAre(1));
  }
  disk_->SetRoom(std::numeric_limits<int64_t>::max());
  Put(count, count + 1);
  backups = Open();
  const auto made = backups->Create(GoOn);
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_EQ(CountIn(*made), count + 1);
  EXPECT_TRUE(VerifyTablesBackup(disk_, folder_, 1).ok());
}

// Proves that giving up leaves no backup, and that the totals it is told are about right.
TEST_F(DirectoryBackupTest, CanBeCancelled) {
  Put(0, 3000);
  const auto backups = Open();
  int calls = 0;
  const auto cancelled = backups->Create([&](uint64_t done, uint64_t total) {
    EXPECT_GT(total, uint64_t{1} << 20);
    EXPECT_LE(done, total);
    return ++calls < 2;
  });
  ASSERT_FALSE(cancelled.ok());
  EXPECT_EQ(cancelled.error().kind(), ErrorKind::kUnavailable);
  EXPECT_EQ(calls, 2);
  EXPECT_THAT(backups->ids(), IsEmpty());
  EXPECT_FALSE(backups->Create([](uint64_t, uint64_t) { return false; }).ok());
}

// Proves that what is expected to be copied does not count what earlier backups have.
TEST_F(DirectoryBackupTest, ExpectsOnlyWhatIsNew) {
  Put(0, 2000);
  const auto expected = [this] {
    uint64_t bytes = 0;
    EXPECT_TRUE(Open()->Create([&](uint64_t, uint64_t total) { return (bytes = total) > 0; }).ok());
    return bytes;
  };
  const uint64_t first = expected();
  // While files are still being merged, there are new ones.
  EXPECT_TRUE(Eventually([&] { return expected() < first / 4; }));
}

}  // namespace
}  // namespace tintype::tables::engine
