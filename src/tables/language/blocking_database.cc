#include "tables/language/blocking_database.h"

#include <utility>

#include "tables/language/await.h"

namespace tintype::tables {

Result<GetItemResponse> BlockingDatabase::GetItem(GetItemRequest request) {
  return Await(database_, &Database::GetItem, std::move(request));
}

Result<WriteItemResponse> BlockingDatabase::PutItem(PutItemRequest request) {
  return Await(database_, &Database::PutItem, std::move(request));
}

Result<WriteItemResponse> BlockingDatabase::DeleteItem(DeleteItemRequest request) {
  return Await(database_, &Database::DeleteItem, std::move(request));
}

Result<WriteItemResponse> BlockingDatabase::UpdateItem(UpdateItemRequest request) {
  return Await(database_, &Database::UpdateItem, std::move(request));
}

Result<BatchGetItemResponse> BlockingDatabase::BatchGetItem(BatchGetItemRequest request) {
  return Await(database_, &Database::BatchGetItem, std::move(request));
}

Result<BatchWriteItemResponse> BlockingDatabase::BatchWriteItem(BatchWriteItemRequest request) {
  return Await(database_, &Database::BatchWriteItem, std::move(request));
}

Result<TransactGetItemsResponse> BlockingDatabase::TransactGetItems(
    TransactGetItemsRequest request) {
  return Await(database_, &Database::TransactGetItems, std::move(request));
}

Result<TransactWriteItemsResponse> BlockingDatabase::TransactWriteItems(
    TransactWriteItemsRequest request) {
  return Await(database_, &Database::TransactWriteItems, std::move(request));
}

Result<ReadResponse> BlockingDatabase::Query(QueryRequest request) {
  return Await(database_, &Database::Query, std::move(request));
}

Result<ReadResponse> BlockingDatabase::Scan(ScanRequest request) {
  return Await(database_, &Database::Scan, std::move(request));
}

Result<TableResponse> BlockingDatabase::CreateTable(CreateTableRequest request) {
  return Await(database_, &Database::CreateTable, std::move(request));
}

Result<TableResponse> BlockingDatabase::UpdateTable(UpdateTableRequest request) {
  return Await(database_, &Database::UpdateTable, std::move(request));
}

Result<TableResponse> BlockingDatabase::DeleteTable(DeleteTableRequest request) {
  return Await(database_, &Database::DeleteTable, std::move(request));
}

Result<TableResponse> BlockingDatabase::DescribeTable(DescribeTableRequest request) {
  return Await(database_, &Database::DescribeTable, std::move(request));
}

Result<ListTablesResponse> BlockingDatabase::ListTables(ListTablesRequest request) {
  return Await(database_, &Database::ListTables, std::move(request));
}

Result<UpdateTimeToLiveResponse> BlockingDatabase::UpdateTimeToLive(
    UpdateTimeToLiveRequest request) {
  return Await(database_, &Database::UpdateTimeToLive, std::move(request));
}

Result<DescribeTimeToLiveResponse> BlockingDatabase::DescribeTimeToLive(
    DescribeTimeToLiveRequest request) {
  return Await(database_, &Database::DescribeTimeToLive, std::move(request));
}

}  // namespace tintype::tables
