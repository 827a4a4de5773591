// Tables made from the past: recovery to any second, backups on demand, deleted tables.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/strings.h"
#include "tables/engine/testing/engine_test.h"

namespace tintype::tables::engine {
namespace {

class RecoveryTest : public EngineTest {
 protected:
  void SetRecovery(const std::string& table, bool on, std::optional<int64_t> days = {}) {
    const auto updated =
        Call(&Backups::UpdateContinuousBackups, UpdateContinuousBackupsRequest{table, on, days});
    ASSERT_TRUE(updated.ok()) << updated.error().message();
  }
  Result<TableResponse> Restore(const std::string& source, const std::string& target,
                                std::optional<int64_t> time_ms, RestoreOverrides overrides = {}) {
    return Call(&Backups::RestoreTableToPointInTime,
                RestoreTableToPointInTimeRequest{source, target, time_ms, std::move(overrides)});
  }
  void RestoreAndWait(const std::string& source, const std::string& target, int64_t time_ms) {
    const auto restored = Restore(source, target, time_ms);
    ASSERT_TRUE(restored.ok()) << restored.error().message();
    ASSERT_TRUE(BecomesActive(target));
  }
  // A moment apart from what comes before and after it.
  int64_t Moment() {
    clock_.AdvanceMs(5 * kSecondMs);
    const int64_t moment = clock_.NowMs();
    clock_.AdvanceMs(5 * kSecondMs);
    return moment;
  }

  BackupDetails Backup(const std::string& table, const std::string& name) {
    const auto created = Call(&Backups::CreateBackup, CreateBackupRequest{table, name});
    EXPECT_TRUE(created.ok()) << created.error().message();
    return created.ok() ? created->details : BackupDetails{};
  }
  bool BecomesAvailable(const std::string& arn) {
    return Eventually([&] {
      const auto described = Call(&Backups::DescribeBackup, DescribeBackupRequest{arn});
      return described.ok() && described->backup.details.status == BackupStatus::kAvailable;
    });
  }
  Result<TableResponse> RestoreBackup(const std::string& arn, const std::string& target) {
    return Call(&Backups::RestoreTableFromBackup, RestoreTableFromBackupRequest{arn, target, {}});
  }
  std::vector<BackupSummary> Listed(ListBackupsRequest::Types types) {
    ListBackupsRequest request;
    request.types = types;
    return Call(&Backups::ListBackups, request)->backups;
  }
};

// M2C-13: each second shows what was there then: items, deletions and index contents. Restored
// tables stand on their own.
TEST_F(RecoveryTest, RestoresEachMoment) {
  Create(IndexedTable("t"));
  Put("t", With("before", "n", 0));
  SetRecovery("t", true);
  const int64_t empty = Moment();
  Put("t", With("a", "n", 1));
  const int64_t one = Moment();
  Put("t", With("a", "n", 2));
  Put("t", With("b", "n", 7));
  const int64_t two = Moment();
  Delete("t", "a");
  Put("t", Key("b"));  // Leaves the index.
  Delete("t", "before");
  const int64_t three = Moment();
  Put("t", With("a", "n", 9));

  RestoreAndWait("t", "empty", empty);
  EXPECT_EQ(Items("empty"), std::vector{With("before", "n", 0)});
  RestoreAndWait("t", "one", one);
  EXPECT_EQ(Get("one", "a"), With("a", "n", 1));
  EXPECT_EQ(Get("one", "b"), std::nullopt);
  EXPECT_EQ(Items("one", "by_n").size(), 2U);
  RestoreAndWait("t", "two", two);
  EXPECT_EQ(Get("two", "a"), With("a", "n", 2));
  EXPECT_EQ(Get("two", "b"), With("b", "n", 7));
  EXPECT_EQ(Items("two", "by_n").size(), 3U);
  EXPECT_EQ(Description("two").item_count, 3);
  EXPECT_EQ(Description("two").global_indexes[0].item_count, 3);
  RestoreAndWait("t", "three", three);
  EXPECT_EQ(Items("three"), std::vector{Key("b")});
  EXPECT_TRUE(Items("three", "by_n").empty());
  const auto latest = Restore("t", "latest", std::nullopt);
  ASSERT_TRUE(latest.ok());
  ASSERT_TRUE(BecomesActive("latest"));
  EXPECT_EQ(Get("latest", "a"), With("a", "n", 9));

  Put("two", With("c", "n", 1));
  EXPECT_EQ(Get("t", "c"), std::nullopt);
  Open();
  EXPECT_EQ(Items("two").size(), 4U);
  EXPECT_EQ(Items("t").size(), 2U);
}

// The window: from when it was turned on, for as many days as asked.
TEST_F(RecoveryTest, OnlyWithinTheWindow) {
  Create(Table("t"));
  const auto code = [&](std::optional<int64_t> time_ms) {
    return Restore("t", "r", time_ms).error().code();
  };
  EXPECT_EQ(code(std::nullopt), ErrorCode::kRecoveryUnavailable);
  SetRecovery("t", true, 3);
  EXPECT_EQ(code(clock_.NowMs() - kSecondMs), ErrorCode::kInvalidRestoreTime);
  EXPECT_EQ(code(clock_.NowMs() + kSecondMs), ErrorCode::kInvalidRestoreTime);
  clock_.AdvanceMs(10 * kDayMs);
  const auto described =
      Call(&Backups::DescribeContinuousBackups, DescribeContinuousBackupsRequest{"t"});
  ASSERT_TRUE(described->recovery);
  EXPECT_EQ(described->recovery->days, 3);
  EXPECT_EQ(described->recovery->earliest_ms, clock_.NowMs() - 3 * kDayMs);
  EXPECT_EQ(described->recovery->latest_ms, clock_.NowMs());
  EXPECT_EQ(code(clock_.NowMs() - 3 * kDayMs - kSecondMs), ErrorCode::kInvalidRestoreTime);
  EXPECT_TRUE(Restore("t", "r", clock_.NowMs() - 3 * kDayMs).ok());
  ASSERT_TRUE(BecomesActive("r"));
  EXPECT_EQ(Restore("none", "r2", std::nullopt).error().code(), ErrorCode::kTableNotFound);
  EXPECT_EQ(Restore("t", "r", std::nullopt).error().code(), ErrorCode::kTableExists);
  SetRecovery("t", false);
  EXPECT_EQ(Restore("t", "r2", std::nullopt).error().code(), ErrorCode::kRecoveryUnavailable);
}

// A window that was short has let go what a longer one would reach back to.
TEST_F(RecoveryTest, ALongerWindowHasToGrow) {
  Create(Table("t"));
  SetRecovery("t", true, 1);
  clock_.AdvanceMs(20 * kDayMs);
  SetRecovery("t", true, 35);
  const auto described =
      Call(&Backups::DescribeContinuousBackups, DescribeContinuousBackupsRequest{"t"});
  EXPECT_EQ(described->recovery->earliest_ms, clock_.NowMs() - kDayMs);
  EXPECT_EQ(Restore("t", "r", clock_.NowMs() - 10 * kDayMs).error().code(),
            ErrorCode::kInvalidRestoreTime);
}

// The latest state is that of the request, also when the clock was set back.
TEST_F(RecoveryTest, LatestIsTheMomentOfTheRequest) {
  Create(Table("t"));
  SetRecovery("t", true);
  Put("t", With("a", "v", 1));
  clock_.AdvanceMs(-kHourMs);
  Put("t", With("a", "v", 2));
  ASSERT_TRUE(Restore("t", "r", std::nullopt).ok());
  Put("t", With("a", "v", 3));
  ASSERT_TRUE(BecomesActive("r"));
  EXPECT_EQ(Get("r", "a"), With("a", "v", 2));
}

// JOB-9: what is 34 days old can be restored while records older than that have gone.
TEST_F(RecoveryTest, KeepsThirtyFiveDays) {
  Create(Table("t"));
  SetRecovery("t", true);
  Put("t", With("a", "v", 0));
  for (int day = 1; day <= 40; ++day) {
    clock_.AdvanceMs(kDayMs);
    Put("t", With("a", "v", day));
  }
  clock_.AdvanceMs(kHourMs);
  Open();  // Trims.
  RestoreAndWait("t", "r", clock_.NowMs() - 34 * kDayMs);
  EXPECT_EQ(Get("r", "a"), With("a", "v", 6));
}

// What a restored table takes over, and what may be asked for instead.
TEST_F(RecoveryTest, SettingsOfARestoredTable) {
  CreateTableRequest request = IndexedTable("t");
  request.definition.stream = StreamView::kKeysOnly;
  request.tags = {{"k", "v"}};
  Create(request);
  SetRecovery("t", true);
  Put("t", With("a", "n", 1));
  RestoreOverrides overrides;
  overrides.billing_mode = BillingMode::kProvisioned;
  overrides.throughput = Throughput{5, 6};
  overrides.global_indexes.emplace();
  const auto restored = Restore("t", "r", clock_.NowMs(), overrides);
  ASSERT_TRUE(restored.ok()) << restored.error().message();
  EXPECT_EQ(restored->table.status, TableStatus::kCreating);
  ASSERT_TRUE(BecomesActive("r"));
  const TableDescription table = Description("r");
  EXPECT_EQ(table.definition.throughput, (Throughput{5, 6}));
  EXPECT_TRUE(table.global_indexes.empty());
  EXPECT_EQ(table.definition.attributes.size(), 1U);
  EXPECT_FALSE(table.definition.stream);
  EXPECT_EQ(Call(&Database::DescribeTimeToLive, DescribeTimeToLiveRequest{"r"})->status,
            TimeToLiveStatus::kDisabled);
  EXPECT_FALSE(
      Call(&Backups::DescribeContinuousBackups, DescribeContinuousBackupsRequest{"r"})->recovery);
  overrides.global_indexes = {Index("other")};
  EXPECT_EQ(Restore("t", "r2", clock_.NowMs(), overrides).error().code(), ErrorCode::kValidation);
}

// M2C-13: a backup is of the moment it was asked for, whatever is written after, and can be
// restored more than once, also when the table is gone.
TEST_F(RecoveryTest, BackupsAreOfTheirMoment) {
  Create(IndexedTable("t"));
  for (int i = 0; i < 1500; ++i) {  // More than one chunk.
    Put("t", With(StrCat("k", i), "n", i));
  }
  const BackupDetails backup = Backup("t", "first");
  EXPECT_EQ(backup.status, BackupStatus::kCreating);
  Put("t", With("k0", "n", -1));
  Put("t", With("later", "n", 1));
  ASSERT_TRUE(BecomesAvailable(backup.arn));
  ASSERT_TRUE(Call(&Database::DeleteTable, DeleteTableRequest{"t"}).ok());
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

  const auto deleted = Call(&Backups::DeleteBackup, DeleteBackupRequest{backup.arn});
  ASSERT_TRUE(deleted.ok());
  EXPECT_EQ(deleted->backup.details.status, BackupStatus::kDeleted);
  EXPECT_TRUE(Listed(ListBackupsRequest::Types::kAll).empty());
  EXPECT_EQ(RestoreBackup(backup.arn, "r3").error().code(), ErrorCode::kBackupNotFound);
  EXPECT_TRUE(
      Eventually([&] { return std::filesystem::is_empty(Config().directory + "/backups"); }));
}

// A backup any of whose files is damaged or missing is refused, and leaves no table behind.
TEST_F(RecoveryTest, DamagedBackupsAreRefused) {
  Create(Table("t"));
  for (int i = 0; i < 100; ++i) {
    Put("t", With(StrCat("k", i), "n", i));
  }
  const BackupDetails backup = Backup("t", "damaged");
  ASSERT_TRUE(BecomesAvailable(backup.arn));
  const std::string id = backup.arn.substr(backup.arn.rfind('/') + 1);
  const std::string folder = Config().directory + "/backups/" + id;
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
  EXPECT_EQ(Call(&Database::DescribeTable, DescribeTableRequest{"r"}).error().code(),
            ErrorCode::kNotFound);
  ASSERT_TRUE(RestoreBackup(backup.arn, "r").ok());
  EXPECT_TRUE(BecomesActive("r"));
}

// Finished backups that these tables do not know stay, since they may be all that is left of
// others; what was not finished goes.
TEST_F(RecoveryTest, UnknownBackupsStay) {
  const std::string folder = Config().directory + "/backups/";
  std::filesystem::create_directories(folder + "01750000000000-0123abcd");
  std::filesystem::create_directories(folder + "01750000000000-4567abcd.new");
  Open();
  EXPECT_TRUE(std::filesystem::exists(folder + "01750000000000-0123abcd"));
  EXPECT_FALSE(std::filesystem::exists(folder + "01750000000000-4567abcd.new"));
}

// JOB-9: backups are kept for a year, then deleted with their files.
TEST_F(RecoveryTest, BackupsAreKeptForAYear) {
  Create(Table("t"));
  const BackupDetails backup = Backup("t", "old");
  ASSERT_TRUE(BecomesAvailable(backup.arn));
  clock_.AdvanceMs(364 * kDayMs);
  Open();
  EXPECT_EQ(Listed(ListBackupsRequest::Types::kUser).size(), 1U);
  clock_.AdvanceMs(kDayMs + kHourMs);
  EXPECT_TRUE(Eventually([&] { return Listed(ListBackupsRequest::Types::kAll).empty(); }));
  EXPECT_TRUE(
      Eventually([&] { return std::filesystem::is_empty(Config().directory + "/backups"); }));
}

// A table that is deleted while recovery is on can be had back for as long as its window.
TEST_F(RecoveryTest, DeletedTablesAreKept) {
  Create(IndexedTable("t"));
  SetRecovery("t", true, 7);
  Put("t", With("a", "n", 1));
  ASSERT_TRUE(Call(&Database::DeleteTable, DeleteTableRequest{"t"}).ok());
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
