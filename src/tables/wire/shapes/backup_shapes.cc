#include "tables/language/limits.h"
#include "tables/wire/internal/common_shapes.h"
#include "tables/wire/internal/shapes.h"
#include "tables/wire/internal/table_shapes.h"

// The requests about backups and recovery.
namespace tintype::tables::wire {

namespace {

using Kind = Shape::Kind;

constexpr std::string_view kBackupTypeValues[] = {"USER", "SYSTEM", "AWS_BACKUP", "ALL"};

constexpr Member kTableName{.name = "TableName", .shape = &kStringShape};
constexpr Member kBackupArn{
    .name = "BackupArn", .shape = &kStringShape, .required = true, .min = 37, .max = 1024};
constexpr Member kTargetTableName{.name = "TargetTableName",
                                  .shape = &kStringShape,
                                  .required = true,
                                  .min = limits::kNameBytesMin,
                                  .max = limits::kNameBytes,
                                  .pattern = Pattern::kName};

constexpr Member kCreateBackupMembers[] = {
    kTableName,
    {.name = "BackupName",
     .shape = &kStringShape,
     .required = true,
     .min = limits::kNameBytesMin,
     .max = limits::kNameBytes,
     .pattern = Pattern::kName},
};
constexpr Member kNameBackupMembers[] = {kBackupArn};
constexpr Member kListBackupsMembers[] = {
    {.name = "TableName",
     .shape = &kStringShape,
     .min = 1,
     .max = limits::kNameBytes,
     .pattern = Pattern::kTableName},
    {.name = "Limit", .shape = &kIntegerShape, .min = 1, .max = limits::kListedBackups},
    {.name = "TimeRangeLowerBound", .shape = &kTimestampShape},
    {.name = "TimeRangeUpperBound", .shape = &kTimestampShape},
    {.name = "ExclusiveStartBackupArn", .shape = &kStringShape, .min = 37, .max = 1024},
    {.name = "BackupType", .shape = &kStringShape, .one_of = kBackupTypeValues},
};

// What a restored table may have otherwise than its source.
constexpr Member kBillingModeOverride{
    .name = "BillingModeOverride", .shape = &kStringShape, .one_of = kBillingModeValues};
constexpr Member kGlobalIndexOverride{.name = "GlobalSecondaryIndexOverride",
                                      .shape = &kGlobalIndexesShape};
constexpr Member kLocalIndexOverride{.name = "LocalSecondaryIndexOverride",
                                     .shape = &kLocalIndexesShape};
constexpr Member kThroughputOverride{.name = "ProvisionedThroughputOverride",
                                     .shape = &kThroughputShape};
constexpr Member kOnDemandOverride{.name = "OnDemandThroughputOverride", .shape = &kOnDemandShape};
constexpr Member kEncryptionOverride{.name = "SSESpecificationOverride",
                                     .shape = &kEncryptionShape};

constexpr Member kRestoreTableFromBackupMembers[] = {
    kTargetTableName,    kBackupArn,          kBillingModeOverride, kGlobalIndexOverride,
    kLocalIndexOverride, kThroughputOverride, kOnDemandOverride,    kEncryptionOverride,
};
constexpr Member kRestoreTableToPointInTimeMembers[] = {
    {.name = "SourceTableArn", .shape = &kStringShape, .min = 1, .max = 1024},
    {.name = "SourceTableName",
     .shape = &kStringShape,
     .min = limits::kNameBytesMin,
     .max = limits::kNameBytes,
     .pattern = Pattern::kName},
    kTargetTableName,
    {.name = "UseLatestRestorableTime", .shape = &kBooleanShape},
    {.name = "RestoreDateTime", .shape = &kTimestampShape},
    kBillingModeOverride,
    kGlobalIndexOverride,
    kLocalIndexOverride,
    kThroughputOverride,
    kOnDemandOverride,
    kEncryptionOverride,
};

constexpr Member kRecoveryMembers[] = {
    {.name = "PointInTimeRecoveryEnabled", .shape = &kBooleanShape, .required = true},
    {.name = "RecoveryPeriodInDays",
     .shape = &kIntegerShape,
     .min = 1,
     .max = limits::kRecoveryDays},
};
constexpr Shape kRecoveryShape{.kind = Kind::kStruct,
                               .type_name = "PointInTimeRecoverySpecification",
                               .members = kRecoveryMembers};
constexpr Member kUpdateContinuousBackupsMembers[] = {
    kTableName,
    {.name = "PointInTimeRecoverySpecification", .shape = &kRecoveryShape, .required = true},
};

}  // namespace

const RequestShape kCreateBackupShape{{.kind = Kind::kStruct, .members = kCreateBackupMembers},
                                      TableNameRule::kControl};
const RequestShape kNameBackupShape{{.kind = Kind::kStruct, .members = kNameBackupMembers}};
const RequestShape kListBackupsShape{{.kind = Kind::kStruct, .members = kListBackupsMembers}};
const RequestShape kRestoreTableFromBackupShape{
    {.kind = Kind::kStruct, .members = kRestoreTableFromBackupMembers}};
const RequestShape kUpdateContinuousBackupsShape{
    {.kind = Kind::kStruct, .members = kUpdateContinuousBackupsMembers}, TableNameRule::kControl};
const RequestShape kRestoreTableToPointInTimeShape{
    {.kind = Kind::kStruct, .members = kRestoreTableToPointInTimeMembers}};

}  // namespace tintype::tables::wire
