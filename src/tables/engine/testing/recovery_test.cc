#include "tables/engine/testing/recovery_test.h"

#include <filesystem>
#include <utility>

namespace tintype::tables::engine {

void RecoveryTest::SetRecovery(const std::string& table, bool on, std::optional<int64_t> days) {
  const auto updated =
      Call(&Backups::UpdateContinuousBackups, UpdateContinuousBackupsRequest{table, on, days});
  ASSERT_TRUE(updated.ok()) << updated.error().message();
}

Result<TableResponse> RecoveryTest::Restore(const std::string& source, const std::string& target,
                                            std::optional<int64_t> time_ms,
                                            RestoreOverrides overrides) {
  return Call(&Backups::RestoreTableToPointInTime,
              RestoreTableToPointInTimeRequest{source, target, time_ms, std::move(overrides)});
}

void RecoveryTest::RestoreAndWait(const std::string& source, const std::string& target,
                                  int64_t time_ms) {
  const auto restored = Restore(source, target, time_ms);
  ASSERT_TRUE(restored.ok()) << restored.error().message();
  ASSERT_TRUE(BecomesActive(target));
}

int64_t RecoveryTest::Moment() {
  clock_.AdvanceMs(5 * kSecondMs);
  const int64_t moment = clock_.NowMs();
  clock_.AdvanceMs(5 * kSecondMs);
  return moment;
}

BackupDetails RecoveryTest::Backup(const std::string& table, const std::string& name) {
  const auto created = Call(&Backups::CreateBackup, CreateBackupRequest{table, name});
  EXPECT_TRUE(created.ok()) << created.error().message();
  return created.ok() ? created->details : BackupDetails{};
}

std::optional<BackupStatus> RecoveryTest::StatusOf(const std::string& arn) {
  const auto described = Call(&Backups::DescribeBackup, DescribeBackupRequest{arn});
  return described.ok() ? std::optional(described->backup.details.status) : std::nullopt;
}

bool RecoveryTest::BecomesAvailable(const std::string& arn) {
  return Eventually([&] { return StatusOf(arn) == BackupStatus::kAvailable; });
}

Result<TableResponse> RecoveryTest::RestoreBackup(const std::string& arn,
                                                  const std::string& target) {
  return Call(&Backups::RestoreTableFromBackup, RestoreTableFromBackupRequest{arn, target, {}});
}

Result<BackupResponse> RecoveryTest::DeleteBackup(const std::string& arn) {
  return Call(&Backups::DeleteBackup, DeleteBackupRequest{arn});
}

Result<TableResponse> RecoveryTest::DeleteTable(const std::string& table) {
  return Call(&Database::DeleteTable, DeleteTableRequest{table});
}

std::vector<BackupSummary> RecoveryTest::Listed(ListBackupsRequest::Types types) {
  ListBackupsRequest request;
  request.types = types;
  return Call(&Backups::ListBackups, request)->backups;
}

bool RecoveryTest::BackupFilesGo() {
  return Eventually([&] { return std::filesystem::is_empty(BackupFolder()); });
}

}  // namespace tintype::tables::engine
