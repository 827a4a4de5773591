#pragma once

#include <utility>

#include "tables/language/await.h"
#include "tables/language/database.h"

namespace tintype::tables {

/// A Database for code that may wait: flows on their bounded pools, commands, tests. Every call
/// returns when the operation is done. Never call it from a Done callback: the thread that would
/// answer is the one that waits. Thread-safe; does not own the database.
class BlockingDatabase {
 public:
  explicit BlockingDatabase(Database& database) : database_(database) {}

  Result<GetItemResponse> GetItem(GetItemRequest request) {
    return Await(&Database::GetItem, std::move(request));
  }
  Result<WriteItemResponse> PutItem(PutItemRequest request) {
    return Await(&Database::PutItem, std::move(request));
  }
  Result<WriteItemResponse> DeleteItem(DeleteItemRequest request) {
    return Await(&Database::DeleteItem, std::move(request));
  }
  Result<WriteItemResponse> UpdateItem(UpdateItemRequest request) {
    return Await(&Database::UpdateItem, std::move(request));
  }
  Result<BatchGetItemResponse> BatchGetItem(BatchGetItemRequest request) {
    return Await(&Database::BatchGetItem, std::move(request));
  }
  Result<BatchWriteItemResponse> BatchWriteItem(BatchWriteItemRequest request) {
    return Await(&Database::BatchWriteItem, std::move(request));
  }
  Result<TransactGetItemsResponse> TransactGetItems(TransactGetItemsRequest request) {
    return Await(&Database::TransactGetItems, std::move(request));
  }
  Result<TransactWriteItemsResponse> TransactWriteItems(TransactWriteItemsRequest request) {
    return Await(&Database::TransactWriteItems, std::move(request));
  }
  Result<ReadResponse> Query(QueryRequest request) {
    return Await(&Database::Query, std::move(request));
  }
  Result<ReadResponse> Scan(ScanRequest request) {
    return Await(&Database::Scan, std::move(request));
  }
  Result<TableResponse> CreateTable(CreateTableRequest request) {
    return Await(&Database::CreateTable, std::move(request));
  }
  Result<TableResponse> UpdateTable(UpdateTableRequest request) {
    return Await(&Database::UpdateTable, std::move(request));
  }
  Result<TableResponse> DeleteTable(DeleteTableRequest request) {
    return Await(&Database::DeleteTable, std::move(request));
  }
  Result<TableResponse> DescribeTable(DescribeTableRequest request) {
    return Await(&Database::DescribeTable, std::move(request));
  }
  Result<ListTablesResponse> ListTables(ListTablesRequest request) {
    return Await(&Database::ListTables, std::move(request));
  }
  Result<UpdateTimeToLiveResponse> UpdateTimeToLive(UpdateTimeToLiveRequest request) {
    return Await(&Database::UpdateTimeToLive, std::move(request));
  }
  Result<DescribeTimeToLiveResponse> DescribeTimeToLive(DescribeTimeToLiveRequest request) {
    return Await(&Database::DescribeTimeToLive, std::move(request));
  }

 private:
  template <typename Request, typename Response>
  Result<Response> Await(void (Database::*operation)(Request, Done<Response>), Request request) {
    return tables::Await(database_, operation, std::move(request));
  }

  Database& database_;
};

}  // namespace tintype::tables
