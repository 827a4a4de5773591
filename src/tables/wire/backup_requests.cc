#include "tables/language/limits.h"
#include "tables/language/schema_validation.h"
#include "tables/wire/codec.h"
#include "tables/wire/internal/parameters.h"
#include "tables/wire/internal/shapes.h"
#include "tables/wire/internal/table_name.h"
#include "tables/wire/internal/table_parameters.h"

// CreateBackup, DescribeBackup, DeleteBackup, ListBackups, RestoreTableFromBackup;
// UpdateContinuousBackups, DescribeContinuousBackups, RestoreTableToPointInTime.
namespace tintype::tables::wire {

namespace {

ListBackupsRequest::Types DecodeBackupTypes(const JsonObject& json) {
  const std::string_view types = json.String("BackupType").value_or("USER");
  return types == "USER"         ? ListBackupsRequest::Types::kUser
         : types == "SYSTEM"     ? ListBackupsRequest::Types::kSystem
         : types == "AWS_BACKUP" ? ListBackupsRequest::Types::kAwsBackup
                                 : ListBackupsRequest::Types::kAll;
}

Result<RestoreOverrides> DecodeOverrides(const JsonObject& json) {
  RestoreOverrides overrides;
  overrides.billing_mode = DecodeBillingMode(json, "BillingModeOverride");
  overrides.throughput = DecodeThroughput(json, "ProvisionedThroughputOverride");
  overrides.on_demand_throughput = DecodeOnDemandThroughput(json, "OnDemandThroughputOverride");
  if (overrides.billing_mode == BillingMode::kPayPerRequest && overrides.throughput) {
    return InvalidParameter(
        "Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is "
        "PAY_PER_REQUEST");
  }
  if (overrides.throughput) {
    RETURN_IF_ERROR(ValidateThroughputBounds(*overrides.throughput));
  }
  // An empty list is a restored table without such indexes.
  ASSIGN_OR_RETURN(overrides.global_indexes, DecodeIndexes(json, "GlobalSecondaryIndexOverride"));
  ASSIGN_OR_RETURN(overrides.local_indexes, DecodeIndexes(json, "LocalSecondaryIndexOverride"));
  ASSIGN_OR_RETURN(overrides.encryption, DecodeEncryption(json, "SSESpecificationOverride"));
  return overrides;
}

/// The source can be given by name, by ARN, or by both if they agree.
Result<std::string> DecodeSourceTable(const JsonObject& json) {
  const auto name = json.String("SourceTableName");
  const auto arn = json.String("SourceTableArn");
  if (!arn) {
    if (!name) {
      return InvalidParameter("Either SourceTableArn or SourceTableName must be specified");
    }
    return std::string(*name);
  }
  RETURN_IF_ERROR(DecodeTableArn(*arn));
  const std::string_view named = TableNameOf(*arn);
  if (name && *name != named) {
    return InvalidParameter("SourceTableArn and SourceTableName are of different tables");
  }
  return std::string(named);
}

/// Nothing for the latest time.
Result<std::optional<int64_t>> DecodeRestoreTime(const JsonObject& json) {
  const auto time_ms = json.TimeMs("RestoreDateTime");
  const bool latest = json.Bool("UseLatestRestorableTime").value_or(false);
  if (latest && time_ms) {
    return InvalidParameter("RestoreDateTime and UseLatestRestorableTime cannot both be specified");
  }
  if (!latest && !time_ms) {
    return InvalidParameter("Either RestoreDateTime or UseLatestRestorableTime must be specified");
  }
  return time_ms;
}

}  // namespace

Result<CreateBackupRequest> DecodeCreateBackup(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kCreateBackupShape));
  return CreateBackupRequest{DecodeTableName(json), std::string(json.RequiredString("BackupName"))};
}

Result<DescribeBackupRequest> DecodeDescribeBackup(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kNameBackupShape));
  return DescribeBackupRequest{std::string(json.RequiredString("BackupArn"))};
}

Result<DeleteBackupRequest> DecodeDeleteBackup(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kNameBackupShape));
  return DeleteBackupRequest{std::string(json.RequiredString("BackupArn"))};
}

Result<ListBackupsRequest> DecodeListBackups(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kListBackupsShape));
  ListBackupsRequest request;
  if (const auto table = json.String("TableName")) {
    request.table = std::string(TableNameOf(*table));
  }
  request.types = DecodeBackupTypes(json);
  request.from_ms = json.TimeMs("TimeRangeLowerBound");
  request.until_ms = json.TimeMs("TimeRangeUpperBound");
  request.exclusive_start_arn = json.String("ExclusiveStartBackupArn");
  request.limit = static_cast<size_t>(json.Integer("Limit").value_or(limits::kListedBackups));
  return request;
}

Result<RestoreTableFromBackupRequest> DecodeRestoreTableFromBackup(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kRestoreTableFromBackupShape));
  RestoreTableFromBackupRequest request;
  request.backup_arn = std::string(json.RequiredString("BackupArn"));
  request.target_table = std::string(json.RequiredString("TargetTableName"));
  ASSIGN_OR_RETURN(request.overrides, DecodeOverrides(json));
  return request;
}

Result<UpdateContinuousBackupsRequest> DecodeUpdateContinuousBackups(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kUpdateContinuousBackupsShape));
  const JsonObject specification = json.RequiredObject("PointInTimeRecoverySpecification");
  UpdateContinuousBackupsRequest request;
  request.table = DecodeTableName(json);
  request.recovery = specification.Bool("PointInTimeRecoveryEnabled").value();
  request.recovery_days = specification.Integer("RecoveryPeriodInDays");
  if (!request.recovery && request.recovery_days) {
    return InvalidParameter(
        "RecoveryPeriodInDays can only be specified when PointInTimeRecoveryEnabled is true");
  }
  return request;
}

Result<DescribeContinuousBackupsRequest> DecodeDescribeContinuousBackups(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kNameTableShape));
  return DescribeContinuousBackupsRequest{DecodeTableName(json)};
}

Result<RestoreTableToPointInTimeRequest> DecodeRestoreTableToPointInTime(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kRestoreTableToPointInTimeShape));
  RestoreTableToPointInTimeRequest request;
  ASSIGN_OR_RETURN(request.source_table, DecodeSourceTable(json));
  request.target_table = std::string(json.RequiredString("TargetTableName"));
  ASSIGN_OR_RETURN(request.time_ms, DecodeRestoreTime(json));
  ASSIGN_OR_RETURN(request.overrides, DecodeOverrides(json));
  return request;
}

}  // namespace tintype::tables::wire
