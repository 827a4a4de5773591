// Backups of tables on demand, and of tables that were deleted.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/strings.h"
#include "tables/engine/testing/recovery_test.h"
#include "tables/language/errors.h"

namespace tintype::tables::engine {
namespace {

using BackupsTest = RecoveryTest;

// M2C-13: a backup is of the moment it was asked for, whatever is written after, and can be
// restored more than once, also when the table is gone.
TEST_F(BackupsTest, BackupsAreOfTheirMoment) {
  Create(IndexedTable("t"));
  for (int i = 0; i < 1500; ++i) {  // More than one chunk.
    Put("t", With(StrCat("k", i), "n", i));
  }
  const BackupDetails backup = Backup("t", "first");
  EXPECT_EQ(backup.status, BackupStatus::kCreating);
  Put("t", With("k0", "n", -1));
  Put("t", With("later", "n", 1));
  ASSERT_TRUE(BecomesAvailable(backup.arn));
  ASSERT_TRUE(DeleteTable("t").ok());
  Open();
  for (const char* target : {"r1", "r2"}) {
    const auto restored = RestoreBackup(backup.arn, target);
    ASSERT_TRUE(restored.ok()) << restored.error().message();
    ASSERT_TRUE(BecomesActive(target));
    EXPECT_EQ(Items(target).size(), 1500U);
    EXPECT_EQ(Items(target, "by_n").size(), 1500U);
    EXPECT_EQ(Get(target, "k0"), With("k0", "n", 0));
  }
  const auto described = Call(&Backups::DescribeBackup, DescribeBackupRequest{backup.arn});
  EXPECT_EQ(described->backup.table.item_count, 1500);
  EXPECT_EQ(described->backup.details.name, "first");
  ASSERT_EQ(Listed(ListBackupsRequest::Types::kUser).size(), 1U);

  const auto deleted = DeleteBackup(backup.arn);
  ASSERT_TRUE(deleted.ok());
  EXPECT_EQ(deleted->backup.details.status, BackupStatus::kDeleted);
  EXPECT_TRUE(Listed(ListBackupsRequest::Types::kAll).empty());
  EXPECT_EQ(RestoreBackup(backup.arn, "r3").error().reason(), tables::reasons::kBackupNotFound);
  EXPECT_TRUE(BackupFilesGo());
}

// A restart loses the moment that an unfinished backup was to show. The backup is made anew, of a
// moment after the restart, and says which.
TEST_F(BackupsTest, AnInterruptedBackupIsOfTheMomentItTells) {
  Create(Table("t"));
  for (int i = 0; i < 500; ++i) {
    Put("t", With(StrCat("k", i), "n", i));
  }
  // They are made one after the other, so that the last ones have not begun at the restart.
  std::vector<std::string> arns;
  arns.reserve(30);
  for (int i = 0; i < 30; ++i) {
    arns.push_back(Backup("t", StrCat("backup", i)).arn);
  }
  const int64_t asked_ms = clock_.NowMs();
  clock_.AdvanceMs(kHourMs);
  Put("t", Key("later"));
  Open();
  for (const std::string& arn : arns) {
    ASSERT_TRUE(BecomesAvailable(arn));
  }
  int made_anew = 0;
  for (size_t i = 0; i < arns.size(); i += 29) {
    const auto described = Call(&Backups::DescribeBackup, DescribeBackupRequest{arns[i]});
    ASSERT_TRUE(described.ok());
    const BackupDetails& details = described->backup.details;
    const bool anew = details.created_ms != asked_ms;
    EXPECT_EQ(details.created_ms, anew ? asked_ms + kHourMs : asked_ms);
    EXPECT_EQ(*details.expires_ms, details.created_ms + 365 * kDayMs);
    EXPECT_EQ(described->backup.table.item_count, anew ? 501 : 500);
    const std::string target = StrCat("r", i);
    ASSERT_TRUE(RestoreBackup(arns[i], target).ok());
    ASSERT_TRUE(BecomesActive(target));
    EXPECT_EQ(Get(target, "later").has_value(), anew);
    made_anew += anew ? 1 : 0;
  }
  EXPECT_GE(made_anew, 1);
}

// A backup any of whose files is damaged or missing is refused, and leaves no table behind.
TEST_F(BackupsTest, DamagedBackupsAreRefused) {
  Create(Table("t"));
  for (int i = 0; i < 100; ++i) {
    Put("t", With(StrCat("k", i), "n", i));
  }
  const BackupDetails backup = Backup("t", "damaged");
  ASSERT_TRUE(BecomesAvailable(backup.arn));
  const std::string id = backup.arn.substr(backup.arn.rfind('/') + 1);
  const std::string folder = BackupFolder() + "/" + id;
  int files = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    ++files;
    const auto size = std::filesystem::file_size(file);
    std::string sound(size, '\0');
    std::ifstream(file.path(), std::ios::binary)
        .read(sound.data(), static_cast<std::streamsize>(size));
    const auto write = [&](const std::string& bytes) {
      std::ofstream(file.path(), std::ios::binary | std::ios::trunc) << bytes;
    };
    for (const size_t at : {size / 4, size / 2, size - 10}) {
      std::string damaged = sound;
      damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
      write(damaged);
      const auto refused = RestoreBackup(backup.arn, "r");
      ASSERT_FALSE(refused.ok()) << file.path() << " at " << at;
      EXPECT_NE(refused.error().message().find("damaged"), std::string::npos);
    }
    std::filesystem::remove(file.path());
    EXPECT_FALSE(RestoreBackup(backup.arn, "r").ok());
    write(sound);
  }
  EXPECT_EQ(files, 2);
  EXPECT_EQ(Call(&Database::DescribeTable, DescribeTableRequest{"r"}).error().kind(),
            ErrorKind::kNotFound);
  ASSERT_TRUE(RestoreBackup(backup.arn, "r").ok());
  EXPECT_TRUE(BecomesActive("r"));
}

// Finished backups that these tables do not know stay, since they may be all that is left of
// others; what was not finished goes.
TEST_F(BackupsTest, UnknownBackupsStay) {
  const std::string folder = BackupFolder() + "/";
  std::filesystem::create_directories(folder + "01750000000000-0123abcd");
  std::filesystem::create_directories(folder + "01750000000000-4567abcd.new");
  Open();
  EXPECT_TRUE(std::filesystem::exists(folder + "01750000000000-0123abcd"));
  EXPECT_FALSE(std::filesystem::exists(folder + "01750000000000-4567abcd.new"));
}

// JOB-9: backups are kept for a year, then deleted with their files.
TEST_F(BackupsTest, BackupsAreKeptForAYear) {
  Create(Table("t"));
  const BackupDetails backup = Backup("t", "old");
  ASSERT_TRUE(BecomesAvailable(backup.arn));
  clock_.AdvanceMs(364 * kDayMs);
  Open();
  EXPECT_EQ(Listed(ListBackupsRequest::Types::kUser).size(), 1U);
  clock_.AdvanceMs(kDayMs + kHourMs);
  EXPECT_TRUE(Eventually([&] { return Listed(ListBackupsRequest::Types::kAll).empty(); }));
  EXPECT_TRUE(BackupFilesGo());
}

// A table that is deleted while recovery is on can be restored for as long as its window.
TEST_F(BackupsTest, DeletedTablesAreKept) {
  Create(IndexedTable("t"));
  SetRecovery("t", true, 7);
  Put("t", With("a", "n", 1));
  ASSERT_TRUE(DeleteTable("t").ok());
  Create(Table("t"));
  Put("t", Key("another table"));
  const std::vector<BackupSummary> kept = Listed(ListBackupsRequest::Types::kSystem);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].details.name, "t$DeletedTableBackup");
  EXPECT_EQ(kept[0].details.expires_ms, clock_.NowMs() + 7 * kDayMs);
  Open();
  ASSERT_TRUE(RestoreBackup(kept[0].details.arn, "r").ok());
  ASSERT_TRUE(BecomesActive("r"));
  EXPECT_EQ(Items("r"), std::vector{With("a", "n", 1)});
  EXPECT_EQ(Items("r", "by_n").size(), 1U);
  clock_.AdvanceMs(7 * kDayMs + kHourMs);
  EXPECT_TRUE(Eventually([&] { return Listed(ListBackupsRequest::Types::kSystem).empty(); }));
  EXPECT_EQ(Items("t").size(), 1U);
  EXPECT_EQ(Items("r").size(), 1U);
}

}  // namespace
}  // namespace tintype::tables::engine
