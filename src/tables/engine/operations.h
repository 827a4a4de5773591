#pragma once

#include "tables/engine/changes/change_record.h"
#include "tables/engine/core.h"
#include "tables/language/backups.h"
#include "tables/language/changes.h"
#include "tables/language/database.h"
#include "tables/language/streams.h"

/// DynamoDB's operations on the engine's Core, one file per family. CoreDatabase and
/// RocksDatabase forward to these.
namespace tintype::tables::engine {

// get_item.cc
Result<GetItemResponse> GetItem(Core& core, const GetItemRequest& request);
Result<BatchGetItemResponse> BatchGetItem(Core& core, const BatchGetItemRequest& request);
Result<TransactGetItemsResponse> TransactGetItems(Core& core,
                                                  const TransactGetItemsRequest& request);

// write_item.cc
void PutItem(Core& core, PutItemRequest request, ChangeOrigin origin, Done<WriteItemResponse> done);
void DeleteItem(Core& core, DeleteItemRequest request, ChangeOrigin origin,
                Done<WriteItemResponse> done);
void UpdateItem(Core& core, UpdateItemRequest request, ChangeOrigin origin,
                Done<WriteItemResponse> done);

// batch_write.cc, transact_write.cc
void BatchWriteItem(Core& core, BatchWriteItemRequest request, ChangeOrigin origin,
                    Done<BatchWriteItemResponse> done);
void TransactWriteItems(Core& core, TransactWriteItemsRequest request, ChangeOrigin origin,
                        Done<TransactWriteItemsResponse> done);

// query.cc, scan.cc
Result<ReadResponse> Query(Core& core, const QueryRequest& request);
Result<ReadResponse> Scan(Core& core, const ScanRequest& request);

// create_table.cc, update_table.cc, delete_table.cc, describe_table.cc, tags.cc
void CreateTable(Core& core, CreateTableRequest request, Done<TableResponse> done);
void UpdateTable(Core& core, UpdateTableRequest request, Done<TableResponse> done);
void DeleteTable(Core& core, DeleteTableRequest request, Done<TableResponse> done);
Result<TableResponse> DescribeTable(Core& core, const DescribeTableRequest& request);
Result<ListTablesResponse> ListTables(Core& core, const ListTablesRequest& request);
void TagResource(Core& core, TagResourceRequest request, Done<EmptyResponse> done);
void UntagResource(Core& core, UntagResourceRequest request, Done<EmptyResponse> done);
Result<ListTagsResponse> ListTagsOfResource(Core& core, const ListTagsRequest& request);

// time_to_live.cc
void UpdateTimeToLive(Core& core, UpdateTimeToLiveRequest request,
                      Done<UpdateTimeToLiveResponse> done);
Result<DescribeTimeToLiveResponse> DescribeTimeToLive(Core& core,
                                                      const DescribeTimeToLiveRequest& request);

// streams.cc
Result<ListStreamsResponse> ListStreams(Core& core, const ListStreamsRequest& request);
Result<DescribeStreamResponse> DescribeStream(Core& core, const DescribeStreamRequest& request);
Result<GetShardIteratorResponse> GetShardIterator(Core& core,
                                                  const GetShardIteratorRequest& request);
Result<GetRecordsResponse> GetRecords(Core& core, const GetRecordsRequest& request);

// changes.cc
Result<ReadChangesResponse> ReadChanges(Core& core, const ReadChangesRequest& request);

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
