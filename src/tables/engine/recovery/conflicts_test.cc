// What is refused while a table is being backed up or restored, and that both come out whole
// whatever is asked for meanwhile.

#include <gtest/gtest.h>

#include <thread>

#include "tables/engine/recovery/table_backup.h"
#include "tables/engine/testing/faulty_recovery_test.h"
#include "tables/language/errors.h"

namespace tintype::tables::engine {
namespace {

using ConflictsTest = FaultyRecoveryTest;

// What an operation that is refused is refused with.
template <typename Response>
Reason ReasonOf(const Result<Response>& result) {
  EXPECT_FALSE(result.ok());
  return result.ok() ? Reason(ErrorKind::kInternal) : result.error().reason();
}

// While its backup is being made, a table cannot be deleted, and the backup can be neither deleted
// nor restored. Writes made meanwhile are not in it.
TEST_F(ConflictsTest, ATableThatIsBeingBackedUpStays) {
  CreateAndFill(IndexedTable("t"));
  BackupDetails backup;
  {
    const HeldLongWork held(core());
    backup = Backup("t", "held");
    EXPECT_EQ(ReasonOf(DeleteTable("t")), ErrorKind::kInUse);
    EXPECT_EQ(ReasonOf(DeleteBackup(backup.arn)), tables::reasons::kBackupInUse);
    EXPECT_EQ(ReasonOf(RestoreBackup(backup.arn, "r")), tables::reasons::kBackupInUse);
    Put("t", With("k7", "n", -1));
    Delete("t", "k8");
    EXPECT_EQ(StatusOf(backup.arn), BackupStatus::kCreating);
  }
  ASSERT_TRUE(BecomesAvailable(backup.arn));
  ASSERT_TRUE(DeleteTable("t").ok());
  Open();
  ASSERT_TRUE(RestoreBackup(backup.arn, "r").ok());
  ASSERT_TRUE(BecomesActive("r"));
  ExpectFilled("r");
  ASSERT_TRUE(DeleteBackup(backup.arn).ok());
  EXPECT_TRUE(BackupFilesGo());
}

// Asked for at once, a backup and the deletion of its table come out in one of two ways: the table
// was gone already, or it goes once the backup is whole. Neither leaves anything else behind.
TEST_F(ConflictsTest, ABackupAndADeletionAtOnce) {
  int backups = 0;
  for (int round = 0; round < 20; ++round) {
    const std::string name = StrCat("table", round);
    Create(Table(name));
    for (int i = 0; i < 20; ++i) {
      Put(name, With(StrCat("k", i), "n", i));
    }
    std::thread deletion([&] {
      EXPECT_TRUE(Eventually([&] {
        const auto deleted = DeleteTable(name);
        EXPECT_TRUE(deleted.ok() || deleted.error().kind() == ErrorKind::kInUse);
        return deleted.ok();
      }));
    });
    const auto created = Call(&Backups::CreateBackup, CreateBackupRequest{name, "b"});
    deletion.join();
    EXPECT_FALSE(core().tables.FindOrNull(name));
    if (!created.ok()) {
      EXPECT_EQ(created.error().reason(), tables::reasons::kTableNotFound);
      continue;
    }
    ++backups;
    // It was whole before the table went.
    EXPECT_EQ(StatusOf(created->details.arn), BackupStatus::kAvailable);
    ASSERT_TRUE(RestoreBackup(created->details.arn, "r").ok());
    ASSERT_TRUE(BecomesActive("r"));
    EXPECT_EQ(Items("r").size(), 20U);
    ASSERT_TRUE(DeleteTable("r").ok());
  }
  Open();
  EXPECT_TRUE(Call(&Database::ListTables, ListTablesRequest{})->names.empty());
  const std::vector<BackupSummary> listed = Listed(ListBackupsRequest::Types::kAll);
  EXPECT_EQ(listed.size(), static_cast<size_t>(backups));
  for (const BackupSummary& each : listed) {
    EXPECT_TRUE(DeleteBackup(each.details.arn).ok());
  }
  EXPECT_TRUE(!std::filesystem::exists(BackupFolder()) || BackupFilesGo());
}

// A backup that had not begun when the engine was closed is made by the next one, of the table as
// it is then.
TEST_F(ConflictsTest, ABackupIsMadeAfterReopening) {
  CreateAndFill(IndexedTable("t"));
  BackupDetails backup;
  {
    const HeldLongWork held(core());
    backup = Backup("t", "held");
    core().long_work.RequestStop();
  }
  Open();
  ASSERT_TRUE(BecomesAvailable(backup.arn));
  ASSERT_TRUE(DeleteTable("t").ok());
  ASSERT_TRUE(RestoreBackup(backup.arn, "r").ok());
  ASSERT_TRUE(BecomesActive("r"));
  ExpectFilled("r");
}

// A table that is being restored is described and nothing else: it is not there to read or write,
// and being created for whoever would change it.
TEST_F(ConflictsTest, ATableThatIsBeingRestoredIsNotThereYet) {
  CreateAndFill(IndexedTable("t"));
  SetRecovery("t", true);
  {
    const HeldLongWork held(core());
    const auto restored = Restore("t", "r", std::nullopt);
    ASSERT_TRUE(restored.ok()) << restored.error().message();
    const std::string arn = restored->table.arn;
    EXPECT_EQ(Description("r").status, TableStatus::kCreating);

    UpdateTableRequest update;
    update.table = "r";
    update.deletion_protection = true;
    EXPECT_EQ(ReasonOf(Call(&Database::UpdateTable, update)), ErrorKind::kInUse);
    EXPECT_EQ(ReasonOf(Call(&Database::CreateTable, Table("r"))), ErrorKind::kInUse);
    EXPECT_EQ(ReasonOf(DeleteTable("r")), ErrorKind::kInUse);
    EXPECT_EQ(ReasonOf(Call(&Database::TagResource, TagResourceRequest{arn, {{"k", "v"}}})),
              ErrorKind::kInUse);
    EXPECT_EQ(ReasonOf(Call(&Database::UntagResource, UntagResourceRequest{arn, {"k"}})),
              ErrorKind::kInUse);
    EXPECT_EQ(
        ReasonOf(Call(&Database::UpdateTimeToLive, UpdateTimeToLiveRequest{"r", true, "ttl"})),
        ErrorKind::kNotFound);
    EXPECT_EQ(ReasonOf(Call(&Backups::UpdateContinuousBackups,
                            UpdateContinuousBackupsRequest{"r", true, std::nullopt})),
              tables::reasons::kTableNotFound);
    EXPECT_EQ(ReasonOf(Call(&Backups::CreateBackup, CreateBackupRequest{"r", "b"})),
              tables::reasons::kTableNotFound);
    EXPECT_EQ(ReasonOf(Restore("r", "r2", std::nullopt)), tables::reasons::kTableNotFound);
    EXPECT_EQ(ReasonOf(Restore("t", "r", std::nullopt)), tables::reasons::kTableExists);

    GetItemRequest get;
    get.table = "r";
    get.key = Key("k1");
    EXPECT_EQ(ReasonOf(Call(&Database::GetItem, get)), ErrorKind::kNotFound);
    ScanRequest scan;
    scan.table = "r";
    EXPECT_EQ(ReasonOf(Call(&Database::Scan, scan)), ErrorKind::kNotFound);
    EXPECT_EQ(ReasonOf(Call(&Database::PutItem, PutItemRequest{"r", Key("new"), {}})),
              ErrorKind::kNotFound);
    EXPECT_EQ(ReasonOf(Call(&Database::DeleteItem, DeleteItemRequest{"r", Key("k1"), {}})),
              ErrorKind::kNotFound);
    EXPECT_EQ(ReasonOf(Call(&Database::UpdateItem, UpdateItemRequest{"r", Key("k1"), {}, {}})),
              ErrorKind::kNotFound);
    BatchWriteItemRequest batch;
    batch.tables.push_back({"r", {BatchWriteItemRequest::Put{Key("new")}}});
    EXPECT_EQ(ReasonOf(Call(&Database::BatchWriteItem, batch)), ErrorKind::kNotFound);
    TransactWriteItemsRequest transaction;
    transaction.actions.emplace_back();
    transaction.actions[0].table = "r";
    transaction.actions[0].what = TransactWriteItemsRequest::Put{Key("new")};
    EXPECT_EQ(ReasonOf(Call(&Database::TransactWriteItems, transaction)), ErrorKind::kNotFound);
    EXPECT_EQ(Description("r").status, TableStatus::kCreating);
  }
  ASSERT_TRUE(BecomesActive("r"));
  ExpectFilled("r");
  EXPECT_TRUE(DeleteTable("r").ok());
}

// The source of a restore to a moment is needed until the end: it can be written, but neither be
// deleted nor forget its past. Its records stay beyond their time, also for a restore that has to
// begin anew.
TEST_F(ConflictsTest, TheSourceOfARestoreStays) {
  CreateAndFill(IndexedTable("t"));
  SetRecovery("t", true, 1);
  CreateTableRequest other = Table("other");
  other.definition.stream = StreamView::kKeysOnly;
  Create(other);
  Put("other", Key("a"));
  const int64_t moment = Moment();
  Put("t", With("k7", "n", -7));
  Delete("t", "k8");
  Put("t", Key("later"));
  FillDiskAfterWrites(3);
  ASSERT_TRUE(Restore("t", "r", moment).ok());
  ExpectHalfRestored("r");
  EXPECT_EQ(ReasonOf(DeleteTable("t")), ErrorKind::kInUse);
  EXPECT_EQ(ReasonOf(Call(&Backups::UpdateContinuousBackups,
                          UpdateContinuousBackupsRequest{"t", false, std::nullopt})),
            ErrorKind::kInUse);
  EXPECT_EQ(ReasonOf(DeleteTable("r")), ErrorKind::kInUse);
  Delete("t", "k9");

  clock_.AdvanceMs(3 * kDayMs);
  ASSERT_TRUE(Eventually([&] { return RecordsOf("other") == 0; }));  // The log has been trimmed.
  EXPECT_EQ(RecordsOf("t"), 4);
  disk_->SetFreeBytes(kPlentyBytes);
  Open();
  ASSERT_TRUE(BecomesActive("r"));
  ExpectFilled("r");
  clock_.AdvanceMs(kHourMs);
  EXPECT_TRUE(Eventually([&] { return RecordsOf("t") == 0; }));
  SetRecovery("t", false);
  EXPECT_TRUE(DeleteTable("t").ok());
}

// A backup that is being restored cannot be deleted; its table can, and is not needed. Another
// restore can begin beside the first.
TEST_F(ConflictsTest, ABackupThatIsBeingRestoredStays) {
  CreateAndFill(IndexedTable("t"));
  const BackupDetails backup = Backup("t", "b");
  ASSERT_TRUE(BecomesAvailable(backup.arn));
  FillDiskAfterWrites(3);
  ASSERT_TRUE(RestoreBackup(backup.arn, "r").ok());
  ExpectHalfRestored("r");
  EXPECT_EQ(ReasonOf(DeleteBackup(backup.arn)), tables::reasons::kBackupInUse);
  EXPECT_EQ(ReasonOf(RestoreBackup(backup.arn, "r")), ErrorKind::kUnavailable);
  EXPECT_TRUE(DeleteTable("t").ok());
  SetFreeBytes(kPlentyBytes);
  const auto second = RestoreBackup(backup.arn, "r2");
  EXPECT_TRUE(second.ok());
  for (const char* table : {"r", "r2"}) {
    ASSERT_TRUE(BecomesActive(table));
    ExpectFilled(table);
  }
  EXPECT_EQ(ReasonOf(RestoreBackup(backup.arn, "r")), tables::reasons::kTableExists);
  ASSERT_TRUE(DeleteBackup(backup.arn).ok());
  EXPECT_TRUE(BackupFilesGo());
}

// JOB-9: a backup whose year ends while it is being restored, asked for or of a deleted table,
// goes once it is not needed any more; the restore comes out whole, also after reopening.
TEST_F(ConflictsTest, ABackupThatExpiresIsRestoredFirst) {
  for (const bool deleted_table : {false, true}) {
    for (const bool reopen : {false, true}) {
      SCOPED_TRACE(StrCat("deleted table ", deleted_table, ", reopened ", reopen));
      CreateAndFill(IndexedTable("t"));
      Create(Table("other"));
      const BackupDetails unused = Backup("other", "unused");
      ASSERT_TRUE(BecomesAvailable(unused.arn));
      std::string arn;
      if (deleted_table) {
        SetRecovery("t", true);
        ASSERT_TRUE(DeleteTable("t").ok());
        arn = Listed(ListBackupsRequest::Types::kSystem).at(0).details.arn;
      } else {
        arn = Backup("t", "b").arn;
        ASSERT_TRUE(BecomesAvailable(arn));
        ASSERT_TRUE(DeleteTable("t").ok());
      }
      FillDiskAfterWrites(3);
      ASSERT_TRUE(RestoreBackup(arn, "r").ok());
      ExpectHalfRestored("r");
      clock_.AdvanceMs(366 * kDayMs);
      ASSERT_TRUE(Eventually([&] { return !StatusOf(unused.arn); }));
      EXPECT_EQ(StatusOf(arn), BackupStatus::kAvailable);
      if (reopen) {
        disk_->SetFreeBytes(kPlentyBytes);
        Open();
      } else {
        SetFreeBytes(kPlentyBytes);
      }
      ASSERT_TRUE(BecomesActive("r"));
      ExpectFilled("r");
      clock_.AdvanceMs(kHourMs);
      EXPECT_TRUE(Eventually([&] { return !StatusOf(arn); }));
      EXPECT_TRUE(BackupFilesGo());
      ExpectFilled("r");
      ASSERT_TRUE(DeleteTable("r").ok());
      ASSERT_TRUE(DeleteTable("other").ok());
    }
  }
}

// A backup that is deleted while its restore is being decided on was not found, whether its files
// are gone by then or not: it was not damaged, and no table is left.
TEST_F(ConflictsTest, ABackupThatGoesFirstIsNotFound) {
  Create(Table("t"));
  Put("t", Key("a"));
  for (const bool with_files : {false, true}) {
    const BackupDetails backup = Backup("t", "b");
    ASSERT_TRUE(BecomesAvailable(backup.arn));
    std::promise<Result<TableResponse>> restored;
    {
      const HeldLongWork held(core());
      database_->RestoreTableFromBackup({backup.arn, "r", {}}, [&](Result<TableResponse> answer) {
        restored.set_value(std::move(answer));
      });
      ASSERT_TRUE(DeleteBackup(backup.arn).ok());
      if (with_files) {
        RemoveBackupFiles(core(), backup.arn.substr(backup.arn.rfind('/') + 1));
      }
    }
    EXPECT_EQ(ReasonOf(restored.get_future().get()), tables::reasons::kBackupNotFound);
    EXPECT_FALSE(core().tables.FindOrNull("r"));
    EXPECT_TRUE(BackupFilesGo());
  }
}

}  // namespace
}  // namespace tintype::tables::engine
