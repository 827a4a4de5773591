#pragma once

#include "tables/engine/core.h"
#include "tables/language/database.h"

/// DynamoDB's operations on the engine's Core, one file per family. RocksDatabase forwards to
/// these.
namespace tintype::tables::engine {

// get_item.cc
Result<GetItemResponse> GetItem(Core& core, const GetItemRequest& request);
Result<BatchGetItemResponse> BatchGetItem(Core& core, const BatchGetItemRequest& request);
Result<TransactGetItemsResponse> TransactGetItems(Core& core,
                                                  const TransactGetItemsRequest& request);

// write_item.cc
void PutItem(Core& core, PutItemRequest request, Done<WriteItemResponse> done);
void DeleteItem(Core& core, DeleteItemRequest request, Done<WriteItemResponse> done);
void UpdateItem(Core& core, UpdateItemRequest request, Done<WriteItemResponse> done);

// batch_write.cc, transact_write.cc
void BatchWriteItem(Core& core, BatchWriteItemRequest request, Done<BatchWriteItemResponse> done);
void TransactWriteItems(Core& core, TransactWriteItemsRequest request,
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

}  // namespace tintype::tables::engine
