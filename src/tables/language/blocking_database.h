#pragma once

#include "tables/language/database.h"

namespace tintype::tables {

/// A Database for code that may wait: flows on their bounded pools, commands, tests. Every call
/// returns when the operation is done. Never call it from a Done callback: the thread that would
/// answer is the one that waits. Thread-safe; does not own the database.
class BlockingDatabase {
 public:
  explicit BlockingDatabase(Database& database) : database_(database) {}

  Result<GetItemResponse> GetItem(GetItemRequest request);
  Result<WriteItemResponse> PutItem(PutItemRequest request);
  Result<WriteItemResponse> DeleteItem(DeleteItemRequest request);
  Result<WriteItemResponse> UpdateItem(UpdateItemRequest request);
  Result<BatchGetItemResponse> BatchGetItem(BatchGetItemRequest request);
  Result<BatchWriteItemResponse> BatchWriteItem(BatchWriteItemRequest request);
  Result<TransactGetItemsResponse> TransactGetItems(TransactGetItemsRequest request);
  Result<TransactWriteItemsResponse> TransactWriteItems(TransactWriteItemsRequest request);
  Result<ReadResponse> Query(QueryRequest request);
  Result<ReadResponse> Scan(ScanRequest request);
  Result<TableResponse> CreateTable(CreateTableRequest request);
  Result<TableResponse> UpdateTable(UpdateTableRequest request);
  Result<TableResponse> DeleteTable(DeleteTableRequest request);
  Result<TableResponse> DescribeTable(DescribeTableRequest request);
  Result<ListTablesResponse> ListTables(ListTablesRequest request);
  Result<UpdateTimeToLiveResponse> UpdateTimeToLive(UpdateTimeToLiveRequest request);
  Result<DescribeTimeToLiveResponse> DescribeTimeToLive(DescribeTimeToLiveRequest request);

 private:
  Database& database_;
};

}  // namespace tintype::tables
