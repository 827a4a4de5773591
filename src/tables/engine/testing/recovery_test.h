#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tables/engine/testing/engine_test.h"

namespace tintype::tables::engine {

/// An engine with words for backups and for recovery to a moment.
class RecoveryTest : public EngineTest {
 protected:
  void SetRecovery(const std::string& table, bool on, std::optional<int64_t> days = {});
  Result<TableResponse> Restore(const std::string& source, const std::string& target,
                                std::optional<int64_t> time_ms, RestoreOverrides overrides = {});
  void RestoreAndWait(const std::string& source, const std::string& target, int64_t time_ms);
  /// A moment apart from what comes before and after it.
  int64_t Moment();

  BackupDetails Backup(const std::string& table, const std::string& name);
  /// Nothing when there is no such backup.
  std::optional<BackupStatus> StatusOf(const std::string& arn);
  bool BecomesAvailable(const std::string& arn);
  Result<TableResponse> RestoreBackup(const std::string& arn, const std::string& target);
  Result<BackupResponse> DeleteBackup(const std::string& arn);
  Result<TableResponse> DeleteTable(const std::string& table);
  std::vector<BackupSummary> Listed(ListBackupsRequest::Types types);
  std::string BackupFolder() { return Config().directory + "/backups"; }
  bool BackupFilesGo();
};

}  // namespace tintype::tables::engine
