// Backups of a data directory are made: whole, incremental, and without leaving anything behind.

#include "cli/backup/create.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "cli/backup/testing/backup_test.h"

namespace {

// A backup directory, and whether it was synced when it had its folder `tables` and no backup yet.
tintype::Mutex mutex;
std::string watched_directory GUARDED_BY(mutex);
bool synced_in_time GUARDED_BY(mutex) = false;

}  // namespace

// Takes the place of the C library's, to see what is on disk when.
extern "C" int fsync(int file) {
  std::error_code ignored;
  const auto path = std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(file), ignored);
  {
    const tintype::MutexLock lock(mutex);
    if (path == watched_directory && std::filesystem::exists(path / "tables", ignored) &&
        !std::filesystem::exists(path / "manifests/1", ignored)) {
      synced_in_time = true;
    }
  }
  return static_cast<int>(::syscall(SYS_fsync, file));
}

namespace tintype::cli {
namespace {

using tables::engine::EngineConfig;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
namespace fs = std::filesystem;

using CreateBackupTest = BackupTest;

// Proves that the names of the folders are on disk before the first backup counts as complete.
TEST_F(CreateBackupTest, FoldersAreSyncedBeforeTheManifestIsWritten) {
  {
    const MutexLock lock(mutex);
    watched_directory = fs::weakly_canonical(to_).string();
    synced_in_time = false;
  }
  ASSERT_TRUE(Create().ok());
  const MutexLock lock(mutex);
  EXPECT_TRUE(synced_in_time);
}

// Proves that tables which are not encrypted are backed up and verified without keys.
TEST_F(CreateBackupTest, PlainTablesNeedNoKeys) {
  const std::string data = temporary_.path() + "/plain";
  fs::create_directory(data);
  EngineConfig config;
  config.directory = data + "/tables";
  config.ballast_bytes = 1 << 20;
  const auto tables = OpenEngine(std::move(config));
  ASSERT_TRUE(tables.ok()) << tables.error().message();
  const auto made = CreateBackup(*(*tables)->embedded(), {data, to_, 0, ""}, clock_, GoOn);
  ASSERT_TRUE(made.ok()) << made.error().message();
  const auto verified = VerifyBackup(to_, 0, {}, GoOn);
  EXPECT_THAT(verified->damages, IsEmpty());
  EXPECT_TRUE(verified->tables_read);
}

// Proves that a file which cannot be copied fails the backup and is named, unless it is gone.
TEST_F(CreateBackupTest, NothingIsLeftOutSilently) {
  const std::string link = data_ + "/link";
  for (const char* target : {"link", "nowhere"}) {  // A link to itself, and one to nothing.
    fs::create_symlink(target, link);
    const auto refused = Create();
    ASSERT_FALSE(refused.ok()) << target;
    EXPECT_EQ(refused.error().kind(), ErrorKind::kIo);
    EXPECT_THAT(refused.error().message(), HasSubstr(link));
    EXPECT_THAT(Ids(), IsEmpty());
    fs::remove(link);
  }
  // The same when it becomes such a link after it was listed.
  const std::string file = data_ + "/secret";
  const auto create_and = [&](const auto& change) {
    return Create(0, [&](const ProgressStep& step) {
      if (step.stage == "compare files" && fs::is_regular_file(file)) {
        fs::remove(file);
        change();
      }
      return true;
    });
  };
  const auto refused = create_and([&] { fs::create_symlink("nowhere", file); });
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr(file));
  fs::remove(file);
  Write("secret", "secret\n");
  const auto made = create_and([] {});
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_FALSE(fs::exists(Restore(0) + "/secret"));
}

// Proves that the second backup copies little, and still is whole when the first is gone.
TEST_F(CreateBackupTest, LaterBackupsAreIncremental) {
  Put(0, 1000);
  const auto first = Create();
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->new_bytes, first->bytes);
  Put(1000, 1010);
  const auto second = Create(1);
  ASSERT_TRUE(second.ok()) << second.error().message();
  EXPECT_GT(second->bytes, size_t{3} << 20);
  EXPECT_LT(second->new_bytes, second->bytes / 4);
  EXPECT_EQ(second->removed, 1U);
  EXPECT_THAT(Ids(), ElementsAre(2));
  const auto verified = Verify(0);
  ASSERT_TRUE(verified.ok());
  EXPECT_THAT(verified->damages, IsEmpty());
  EXPECT_EQ(Count(Restore(0)), 1010U);
}

// Proves that nothing is left in the backup directory that belongs to no backup: neither of one
// that was removed, nor of one that was interrupted.
TEST_F(CreateBackupTest, NothingIsLeftBehind) {
  Put(0, 200);
  ASSERT_TRUE(Create().ok());
  Write("secret", "changed");
  Put(200, 400);
  ASSERT_TRUE(Create(1).ok());
  ExpectNothingElse();
  // As a crash leaves them.
  std::ofstream(to_ + "/manifests/3.tmp") << "half";
  std::ofstream(to_ + "/files/new.tmp") << "half";
  ASSERT_TRUE(Create().ok());
  ExpectNothingElse();
}

// Proves that wherever a backup is given up, earlier ones stay, it is not listed, and the next one
// succeeds and cleans up.
TEST_F(CreateBackupTest, CanBeCancelledAnywhere) {
  Put(0, 1000);
  ASSERT_TRUE(Create().ok());
  int steps = 0;
  for (int allowed = 0;; ++allowed) {
    Put(1000 + allowed * 10, 1010 + allowed * 10);
    Write("backups/one/part", std::string(3 << 20, static_cast<char>('a' + allowed)));
    steps = 0;
    const auto outcome = Create(0, [&](const ProgressStep& step) {
      EXPECT_LE(step.done, step.total);
      return steps++ < allowed;
    });
    if (outcome.ok()) {
      break;
    }
    EXPECT_EQ(outcome.error().kind(), ErrorKind::kUnavailable);
    EXPECT_THAT(Ids(), ElementsAre(1));
    ASSERT_LT(allowed, 100);
  }
  EXPECT_GT(steps, 5);
  // A number that was given up is not used again.
  EXPECT_EQ(Ids().size(), 2U);
  ExpectNothingElse();
  for (const uint32_t id : Ids()) {
    EXPECT_THAT(Verify(id)->damages, IsEmpty());
  }
  EXPECT_EQ(Count(Restore(1)), 1000U);
}

// Proves that a backup which cannot be read keeps new ones from removing its files, until its
// manifest is given up.
TEST_F(CreateBackupTest, UnreadableBackupsAreNotCollected) {
  Put(0, 200);
  ASSERT_TRUE(Create().ok());
  Flip(to_ + "/tables/meta/1");
  fs::resize_file(to_ + "/tables/meta/1", 5);
  const std::vector<std::string> before = FilesIn(to_);
  const auto refused = Create();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind(), ErrorKind::kCorruption);
  EXPECT_THAT(refused.error().message(), HasSubstr(to_ + "/manifests/1"));
  EXPECT_EQ(FilesIn(to_), before);
  fs::remove(to_ + "/manifests/1");
  const auto made = Create();
  ASSERT_TRUE(made.ok()) << made.error().message();
  EXPECT_THAT(Verify(0)->damages, IsEmpty());
}

// Proves that a backup is not built upon a file of an earlier one that is evidently damaged.
TEST_F(CreateBackupTest, DamagedFilesAreNotReused) {
  Put(0, 200);
  ASSERT_TRUE(Create().ok());
  const BackupManifest manifest = *FindBackup({to_}, 1);
  for (const BackupFile& file : manifest.files) {
    if (file.stored.ends_with(".sst")) {
      fs::resize_file(StrCat(to_, "/", file.stored), file.sum.bytes - 1);
      const auto refused = Create();
      ASSERT_FALSE(refused.ok());
      EXPECT_THAT(refused.error().message(), HasSubstr(fs::path(file.stored).filename().string()));
      EXPECT_THAT(Ids(), ElementsAre(1));
      return;
    }
  }
  FAIL() << "no sorted file";
}

// Proves that directories which are something else, in use or inside one another are refused and
// left as they are.
TEST_F(CreateBackupTest, WrongDirectoriesAreRefused) {
  const auto create_to = [&](const std::string& to) {
    const auto outcome = CreateBackup(*tables_->embedded(), {data_, to, 0, ""}, clock_, GoOn);
    EXPECT_FALSE(outcome.ok()) << to;
    return outcome.ok() ? std::string() : outcome.error().message();
  };
  EXPECT_THAT(create_to(data_), HasSubstr("inside the data directory"));
  EXPECT_THAT(create_to(data_ + "/backups"), HasSubstr("inside the data directory"));
  EXPECT_THAT(create_to(data_ + "/new/../newer"), HasSubstr("inside the data directory"));
  EXPECT_FALSE(fs::exists(data_ + "/newer"));
  EXPECT_THAT(create_to(temporary_.path() + "/no/such"), HasSubstr("Cannot create"));
  const std::string photos = temporary_.path() + "/photos";
  fs::create_directory(photos);
  std::ofstream(photos + "/a.jpg") << "x";
  EXPECT_THAT(create_to(photos), HasSubstr("'a.jpg'"));
  EXPECT_THAT(FilesIn(photos), ElementsAre("a.jpg"));

  ASSERT_TRUE(Create().ok());
  // A link that leads from the data directory to the backups.
  fs::create_directory_symlink(to_, data_ + "/link");
  EXPECT_THAT(Create().error().message(), HasSubstr(data_ + "/link"));
  fs::remove(data_ + "/link");
  {
    const auto reader = OpenBackupsForReading(to_);
    ASSERT_TRUE(reader.ok());
    EXPECT_EQ(Create().error().kind(), ErrorKind::kInUse);
    EXPECT_TRUE(OpenBackupsForReading(to_).ok());
  }
  const auto writer = OpenBackupsForWriting(to_);
  EXPECT_EQ(Verify(0).error().kind(), ErrorKind::kInUse);
  EXPECT_EQ(VerifyBackup(photos, 0, {}, GoOn).error().kind(), ErrorKind::kNotFound);
}

}  // namespace
}  // namespace tintype::cli
