#pragma once

#include "tables/engine/commit/core.h"
#include "tables/language/backups.h"

/// DynamoDB's operations: backups and recovery. CoreDatabase and RocksDatabase forward to these.
namespace tintype::tables::engine {

// backups.cc
void CreateBackup(Core& core, CreateBackupRequest request, Done<CreateBackupResponse> done);
Result<BackupResponse> DescribeBackup(Core& core, const DescribeBackupRequest& request);
void DeleteBackup(Core& core, DeleteBackupRequest request, Done<BackupResponse> done);
Result<ListBackupsResponse> ListBackups(Core& core, const ListBackupsRequest& request);

// recovery.cc
void UpdateContinuousBackups(Core& core, UpdateContinuousBackupsRequest request,
                             Done<ContinuousBackupsResponse> done);
Result<ContinuousBackupsResponse> DescribeContinuousBackups(
    Core& core, const DescribeContinuousBackupsRequest& request);
void RestoreTableToPointInTime(Core& core, RestoreTableToPointInTimeRequest request,
                               Done<TableResponse> done);
void RestoreTableFromBackup(Core& core, RestoreTableFromBackupRequest request,
                            Done<TableResponse> done);

}  // namespace tintype::tables::engine
