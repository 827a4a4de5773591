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
    return InvalidRequest(
        "Cannot override ProvisionedThroughput if BillingMode is overridden to PAY_PER_REQUEST");
  }
  if (overrides.billing_mode == BillingMode::kProvisioned && !overrides.throughput) {
    return InvalidRequest(
        "Must override ProvisionedThroughput if BillingMode is overridden to PROVISIONED");
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

/// The source can be given by name or by ARN.
Result<std::string> DecodeSourceTable(const JsonObject& json) {
  const auto name = json.String("SourceTableName");
  const auto arn = json.String("SourceTableArn");
  if (name && arn) {
    return InvalidRequest("Must provide exactly one of: sourceTableArn, sourceTableName");
  }
  if (name) {
    return std::string(*name);
  }
  if (!arn) {
    return Error::Validation(
        "The parameter 'TableName' is required but was not present in the request");
  }
  RETURN_IF_ERROR(DecodeTableArn(*arn));
  return std::string(TableNameOf(*arn));
}

/// A table's ARN, then the backup's id.
Result<std::string> DecodeBackupArn(const JsonObject& json) {
  const std::string_view arn = json.RequiredString("BackupArn");
  constexpr std::string_view kBackup = "/backup/";
  const size_t table_end = arn.find(kBackup);
  if (table_end == std::string_view::npos || table_end + kBackup.size() == arn.size() ||
      !IsTableArn(arn.substr(0, table_end))) {
    return Error::Validation("Invalid Backup ARN");
  }
  return std::string(arn);
}

/// Nothing for the latest time.
Result<std::optional<int64_t>> DecodeRestoreTime(const JsonObject& json) {
  const auto time_ms = json.TimeMs("RestoreDateTime");
  const bool latest = json.Bool("UseLatestRestorableTime").value_or(false);
  if (latest && time_ms) {
    return InvalidRequest(
        "Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore "
        "request. Please specify either RestoreDateTime time or UseLatestRestorableTime");
  }
  if (!latest && !time_ms) {
    return InvalidRequest(
        "Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both");
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
  ASSIGN_OR_RETURN(std::string arn, DecodeBackupArn(json));
  return DescribeBackupRequest{std::move(arn)};
}

Result<DeleteBackupRequest> DecodeDeleteBackup(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kNameBackupShape));
  ASSIGN_OR_RETURN(std::string arn, DecodeBackupArn(json));
  return DeleteBackupRequest{std::move(arn)};
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
  if (request.from_ms && request.until_ms && *request.from_ms > *request.until_ms) {
    return InvalidParameter("Time range lower bound must be less than or equal to upper bound");
  }
  request.exclusive_start_arn = json.String("ExclusiveStartBackupArn");
  request.limit = static_cast<size_t>(json.Integer("Limit").value_or(limits::kListedBackups));
  return request;
}

Result<RestoreTableFromBackupRequest> DecodeRestoreTableFromBackup(std::string_view body) {
  ASSIGN_OR_RETURN(const JsonObject json, ReadRequest(body, kRestoreTableFromBackupShape));
  RestoreTableFromBackupRequest request;
  ASSIGN_OR_RETURN(request.backup_arn, DecodeBackupArn(json));
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
    return InvalidRequest(
        "Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.");
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
