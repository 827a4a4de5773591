#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tables/language/database.h"
#include "tables/language/schema.h"

/// DynamoDB's backups and point-in-time recovery as C++ types.
namespace tintype::tables {

// Backups of one table, on demand.

enum class BackupStatus { kCreating, kDeleted, kAvailable };
/// kSystem: made when a table with recovery was deleted.
enum class BackupType { kUser, kSystem };

struct BackupDetails {
  std::string arn;
  std::string name;
  int64_t size_bytes = 0;
  BackupStatus status = BackupStatus::kCreating;
  BackupType type = BackupType::kUser;
  int64_t created_ms = 0;
  std::optional<int64_t> expires_ms;
};

struct BackupDescription {
  BackupDetails details;
  /// The table as it was, its indexes included.
  TableDescription table;
  std::optional<std::string> expiry_attribute;  // Of its TTL, if that was on.
};

struct BackupSummary {
  BackupDetails details;
  std::string table;
  std::string table_id;
  std::string table_arn;
};

struct CreateBackupRequest {
  std::string table;
  std::string name;
};
struct CreateBackupResponse {
  BackupDetails details;
};
struct DescribeBackupRequest {
  std::string arn;
};
struct DeleteBackupRequest {
  std::string arn;
};
struct BackupResponse {
  BackupDescription backup;
};
struct ListBackupsRequest {
  /// kAwsBackup: made by the service AWS Backup, so there are none.
  enum class Types { kUser, kSystem, kAwsBackup, kAll };
  std::optional<std::string> table;
  Types types = Types::kUser;
  std::optional<int64_t> from_ms;   // Inclusive.
  std::optional<int64_t> until_ms;  // Exclusive.
  std::optional<std::string> exclusive_start_arn;
  size_t limit = limits::kListedBackups;
};
struct ListBackupsResponse {
  std::vector<BackupSummary> backups;
  std::optional<std::string> last_evaluated_arn;
};

// Recovery to a point in time.

struct UpdateContinuousBackupsRequest {
  std::string table;
  bool recovery = false;
  std::optional<int64_t> recovery_days;  // 1 to 35.
};
struct DescribeContinuousBackupsRequest {
  std::string table;
};
struct ContinuousBackupsResponse {
  struct Recovery {
    int64_t days = 35;
    int64_t earliest_ms = 0;
    int64_t latest_ms = 0;
  };
  std::optional<Recovery> recovery;  // Absent while it is off.
};

/// What a restored table may have otherwise than its source.
struct RestoreOverrides {
  std::optional<BillingMode> billing_mode;
  std::optional<Throughput> throughput;
  std::optional<Throughput> on_demand_throughput;
  /// Engaged to replace the source's: only indexes that the source had may be named.
  std::optional<std::vector<IndexDefinition>> global_indexes;
  std::optional<std::vector<IndexDefinition>> local_indexes;
  std::optional<EncryptionSpecification> encryption;
};
struct RestoreTableFromBackupRequest {
  std::string backup_arn;
  std::string target_table;
  RestoreOverrides overrides;
};
struct RestoreTableToPointInTimeRequest {
  std::string source_table;
  std::string target_table;
  std::optional<int64_t> time_ms;  // Absent: the latest.
  RestoreOverrides overrides;
};

/// Errors beside those of Database: kBackupNotFound, kBackupInUse, kRecoveryUnavailable when
/// recovery is off for the table, kInvalidRestoreTime, kTableExists and kTableNotFound, which these
/// operations tell apart from kInUse and kNotFound. Thread-safe.
class Backups {
 public:
  virtual ~Backups() = default;

  virtual void CreateBackup(CreateBackupRequest request, Done<CreateBackupResponse> done) = 0;
  virtual void DescribeBackup(DescribeBackupRequest request, Done<BackupResponse> done) = 0;
  virtual void DeleteBackup(DeleteBackupRequest request, Done<BackupResponse> done) = 0;
  virtual void ListBackups(ListBackupsRequest request, Done<ListBackupsResponse> done) = 0;
  virtual void RestoreTableFromBackup(RestoreTableFromBackupRequest request,
                                      Done<TableResponse> done) = 0;

  virtual void UpdateContinuousBackups(UpdateContinuousBackupsRequest request,
                                       Done<ContinuousBackupsResponse> done) = 0;
  virtual void DescribeContinuousBackups(DescribeContinuousBackupsRequest request,
                                         Done<ContinuousBackupsResponse> done) = 0;
  virtual void RestoreTableToPointInTime(RestoreTableToPointInTimeRequest request,
                                         Done<TableResponse> done) = 0;
};

}  // namespace tintype::tables
