#pragma once

#include "tables/engine/changes/change_record.h"
#include "tables/engine/commit/core.h"
#include "tables/engine/items/read_steps.h"
#include "tables/language/database.h"

/// DynamoDB's operations: reading and writing items. CoreDatabase and RocksDatabase forward to
/// these.
namespace tintype::tables::engine {

// get_item.cc
Result<GetItemResponse> GetItem(Core& core, const GetItemRequest& request);

// batch_get.cc, transact_get.cc, query.cc, scan.cc
void BatchGetItem(Core& core, BatchGetItemRequest request, ReadOn where,
                  Done<BatchGetItemResponse> done);
void TransactGetItems(Core& core, TransactGetItemsRequest request, ReadOn where,
                      Done<TransactGetItemsResponse> done);
void Query(Core& core, QueryRequest request, ReadOn where, Done<ReadResponse> done);
void Scan(Core& core, ScanRequest request, ReadOn where, Done<ReadResponse> done);

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

}  // namespace tintype::tables::engine
