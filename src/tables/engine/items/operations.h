#pragma once

#include "tables/engine/changes/change_record.h"
#include "tables/engine/commit/core.h"
#include "tables/language/database.h"

/// DynamoDB's operations: reading and writing items. CoreDatabase and RocksDatabase forward to
/// these.
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

}  // namespace tintype::tables::engine
