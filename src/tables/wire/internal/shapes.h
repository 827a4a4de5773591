#pragma once

#include "tables/wire/internal/shape.h"

/// The shapes of all requests.
namespace tintype::tables::wire {

extern const RequestShape kGetItemShape;
extern const RequestShape kPutItemShape;
extern const RequestShape kDeleteItemShape;
extern const RequestShape kUpdateItemShape;
extern const RequestShape kBatchGetItemShape;
extern const RequestShape kBatchWriteItemShape;
extern const RequestShape kTransactGetItemsShape;
extern const RequestShape kTransactWriteItemsShape;
extern const RequestShape kQueryShape;
extern const RequestShape kScanShape;

extern const RequestShape kCreateTableShape;
extern const RequestShape kUpdateTableShape;
/// For the operations that take a table's name and nothing else.
extern const RequestShape kNameTableShape;
extern const RequestShape kListTablesShape;
extern const RequestShape kTagResourceShape;
extern const RequestShape kUntagResourceShape;
extern const RequestShape kListTagsShape;
extern const RequestShape kPutResourcePolicyShape;
extern const RequestShape kGetResourcePolicyShape;
extern const RequestShape kDeleteResourcePolicyShape;
extern const RequestShape kUpdateTimeToLiveShape;

extern const RequestShape kListStreamsShape;
extern const RequestShape kDescribeStreamShape;
extern const RequestShape kGetShardIteratorShape;
extern const RequestShape kGetRecordsShape;

extern const RequestShape kCreateBackupShape;
/// For DescribeBackup and DeleteBackup.
extern const RequestShape kNameBackupShape;
extern const RequestShape kListBackupsShape;
extern const RequestShape kRestoreTableFromBackupShape;
extern const RequestShape kUpdateContinuousBackupsShape;
extern const RequestShape kRestoreTableToPointInTimeShape;

extern const RequestShape kExportTableShape;
extern const RequestShape kDescribeExportShape;
extern const RequestShape kListExportsShape;
extern const RequestShape kImportTableShape;
extern const RequestShape kDescribeImportShape;
extern const RequestShape kListImportsShape;
/// A line of a file that is exported or imported, which is no request.
extern const RequestShape kItemLineShape;

}  // namespace tintype::tables::wire
