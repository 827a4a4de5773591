// Backups and restores on a disk that is or becomes full: refused or given up with nothing left, or
// waited for; and as always once there is room.

#include <gtest/gtest.h>

#include "tables/engine/testing/faulty_recovery_test.h"

namespace tintype::tables::engine {
namespace {

class FullDiskTest : public FaultyRecoveryTest {
 protected:
  // So large that a backup looks at the disk while it is being written.
  void CreateAndFillLarge() {
    Create(IndexedTable("t"));
    for (int i = 0; i < kLargeItems; ++i) {
      Put("t", Item::Of({{"pk", Value::String(StrCat("k", i))},
                         {"n", Value::Integer(i)},
                         {"text", Value::String(std::string(size_t{100} << 10, 'x'))}}));
    }
  }
  void ExpectBackupsWork() {
    const BackupDetails backup = Backup("t", "again");
    ASSERT_TRUE(BecomesAvailable(backup.arn));
    ASSERT_TRUE(RestoreBackup(backup.arn, "r").ok());
    ASSERT_TRUE(BecomesActive("r"));
    EXPECT_EQ(Items("r"), Items("t"));
    EXPECT_EQ(Items("r", "by_n"), Items("t", "by_n"));
    ASSERT_TRUE(DeleteTable("r").ok());
    ASSERT_TRUE(DeleteBackup(backup.arn).ok());
    EXPECT_TRUE(BackupFilesGo());
  }

  static constexpr int kLargeItems = 30;
};

// Work that needs room is refused at once, as something that passes; work that makes room is not.
TEST_F(FullDiskTest, BackupsAndRestoresAreRefused) {
  CreateAndFill(IndexedTable("t"));
  SetRecovery("t", true);
  const BackupDetails backup = Backup("t", "b");
  const BackupDetails other = Backup("t", "other");
  ASSERT_TRUE(BecomesAvailable(backup.arn));
  ASSERT_TRUE(BecomesAvailable(other.arn));
  SetFreeBytes(kNearlyFullBytes);
  const auto created = Call(&Backups::CreateBackup, CreateBackupRequest{"t", "b"});
  const auto from_backup = RestoreBackup(backup.arn, "r");
  const auto to_moment = Restore("t", "r", std::nullopt);
  for (const Error* error : {created.ok() ? nullptr : &created.error(),
                             from_backup.ok() ? nullptr : &from_backup.error(),
                             to_moment.ok() ? nullptr : &to_moment.error()}) {
    ASSERT_NE(error, nullptr);
    EXPECT_EQ(error->kind(), ErrorKind::kUnavailable);
    EXPECT_NE(error->message().find("disk is full"), std::string::npos) << error->message();
  }
  EXPECT_FALSE(core().tables.FindOrNull("r"));
  EXPECT_EQ(Listed(ListBackupsRequest::Types::kAll).size(), 2U);
  EXPECT_TRUE(DeleteBackup(other.arn).ok());
  SetFreeBytes(kPlentyBytes);
  ASSERT_TRUE(RestoreBackup(backup.arn, "r").ok());
  ASSERT_TRUE(BecomesActive("r"));
  ExpectFilled("r");
}

// A backup that the disk becomes too full for is given up before it takes the last of it. On a disk
// that takes nothing at all, it is listed until that can be written, but never as available.
TEST_F(FullDiskTest, ABackupGivesWayToTheTables) {
  CreateAndFillLarge();
  for (const uint64_t free : {kNearlyFullBytes, kFullBytes}) {
    SCOPED_TRACE(free);
    full_with_next_backup_file_ = free;
    const BackupDetails backup = Backup("t", "too large");
    if (free == kFullBytes) {
      ASSERT_TRUE(Eventually([&] { return database_->disk_status().writes_refused; }));
      EXPECT_TRUE(BackupFilesGo());
      EXPECT_EQ(StatusOf(backup.arn), BackupStatus::kCreating);
      SetFreeBytes(kPlentyBytes);
    }
    EXPECT_TRUE(Eventually([&] { return !StatusOf(backup.arn); }));
    EXPECT_TRUE(Listed(ListBackupsRequest::Types::kAll).empty());
    EXPECT_TRUE(BackupFilesGo());
    SetFreeBytes(kPlentyBytes);
    EXPECT_EQ(Items("t").size(), size_t{kLargeItems});
    ExpectBackupsWork();
  }
}

// A backup that the disk refuses is given up with all of its files, whichever operation it was, and
// the tables are not touched by it.
TEST_F(FullDiskTest, ABackupThatDoesNotFitIsGivenUp) {
  CreateAndFillLarge();
  for (const FileOperation operation :
       {FileOperation::kCreate, FileOperation::kAppend, FileOperation::kSync}) {
    SCOPED_TRACE(static_cast<int>(operation));
    failing_on_backups_ = operation;
    const BackupDetails backup = Backup("t", "refused");
    EXPECT_TRUE(Eventually([&] { return !StatusOf(backup.arn); }));
    EXPECT_TRUE(BackupFilesGo());
    Put("t", Key("written meanwhile"));
    failing_on_backups_.reset();
    Open();
    EXPECT_TRUE(Listed(ListBackupsRequest::Types::kAll).empty());
    ExpectBackupsWork();
  }
}

// A restore that the disk becomes too full for goes on where it was once there is room, and begins
// anew when the engine was closed meanwhile. Until then there is no table to read.
TEST_F(FullDiskTest, ARestoreWaitsForRoom) {
  CreateAndFill(IndexedTable("t"));
  SetRecovery("t", true);
  const BackupDetails backup = Backup("t", "b");
  ASSERT_TRUE(BecomesAvailable(backup.arn));
  for (const bool from_backup : {true, false}) {
    for (const bool reopen : {false, true}) {
      SCOPED_TRACE(StrCat("from a backup ", from_backup, ", reopened ", reopen));
      FillDiskAfterWrites(3);
      ASSERT_TRUE((from_backup ? RestoreBackup(backup.arn, "r") : Restore("t", "r", {})).ok());
      ExpectHalfRestored("r");
      EXPECT_TRUE(Items("r").empty());
      if (reopen) {
        Open();
        EXPECT_EQ(Description("r").status, TableStatus::kCreating);
      }
      SetFreeBytes(kPlentyBytes);
      ASSERT_TRUE(BecomesActive("r"));
      ExpectFilled("r");
      ASSERT_TRUE(DeleteTable("r").ok());
    }
  }
}

}  // namespace
}  // namespace tintype::tables::engine
