#include "tables/engine/rocks_database.h"

#include "tables/engine/core.h"
#include "tables/engine/open.h"
#include "tables/engine/operations.h"

namespace tintype::tables::engine {

Result<std::unique_ptr<RocksDatabase>> RocksDatabase::Open(EngineConfig config,
                                                           const Clock& clock) {
  auto core = std::make_unique<Core>(std::move(config), clock);
  RETURN_IF_ERROR(OpenCore(*core));
  return std::unique_ptr<RocksDatabase>(new RocksDatabase(std::move(core)));
}

RocksDatabase::RocksDatabase(std::unique_ptr<Core> core) : core_(std::move(core)) {}

RocksDatabase::~RocksDatabase() = default;

RocksDatabase::DiskStatus RocksDatabase::disk_status() const {
  return {core_->disk_space.free_bytes(), core_->disk_space.room() != Room::kEnough};
}

void RocksDatabase::GetItem(GetItemRequest request, Done<GetItemResponse> done) {
  done(engine::GetItem(*core_, request));
}

void RocksDatabase::PutItem(PutItemRequest request, Done<WriteItemResponse> done) {
  engine::PutItem(*core_, std::move(request), std::move(done));
}

void RocksDatabase::DeleteItem(DeleteItemRequest request, Done<WriteItemResponse> done) {
  engine::DeleteItem(*core_, std::move(request), std::move(done));
}

void RocksDatabase::UpdateItem(UpdateItemRequest request, Done<WriteItemResponse> done) {
  engine::UpdateItem(*core_, std::move(request), std::move(done));
}

void RocksDatabase::BatchGetItem(BatchGetItemRequest request, Done<BatchGetItemResponse> done) {
  done(engine::BatchGetItem(*core_, request));
}

void RocksDatabase::BatchWriteItem(BatchWriteItemRequest request,
                                   Done<BatchWriteItemResponse> done) {
  engine::BatchWriteItem(*core_, std::move(request), std::move(done));
}

void RocksDatabase::TransactGetItems(TransactGetItemsRequest request,
                                     Done<TransactGetItemsResponse> done) {
  done(engine::TransactGetItems(*core_, request));
}

void RocksDatabase::TransactWriteItems(TransactWriteItemsRequest request,
                                       Done<TransactWriteItemsResponse> done) {
  engine::TransactWriteItems(*core_, std::move(request), std::move(done));
}

void RocksDatabase::Query(QueryRequest request, Done<ReadResponse> done) {
  done(engine::Query(*core_, request));
}

void RocksDatabase::Scan(ScanRequest request, Done<ReadResponse> done) {
  done(engine::Scan(*core_, request));
}

void RocksDatabase::CreateTable(CreateTableRequest request, Done<TableResponse> done) {
  engine::CreateTable(*core_, std::move(request), std::move(done));
}

void RocksDatabase::UpdateTable(UpdateTableRequest request, Done<TableResponse> done) {
  engine::UpdateTable(*core_, std::move(request), std::move(done));
}

void RocksDatabase::DeleteTable(DeleteTableRequest request, Done<TableResponse> done) {
  engine::DeleteTable(*core_, std::move(request), std::move(done));
}

void RocksDatabase::DescribeTable(DescribeTableRequest request, Done<TableResponse> done) {
  done(engine::DescribeTable(*core_, request));
}

void RocksDatabase::ListTables(ListTablesRequest request, Done<ListTablesResponse> done) {
  done(engine::ListTables(*core_, request));
}

void RocksDatabase::TagResource(TagResourceRequest request, Done<EmptyResponse> done) {
  engine::TagResource(*core_, std::move(request), std::move(done));
}

void RocksDatabase::UntagResource(UntagResourceRequest request, Done<EmptyResponse> done) {
  engine::UntagResource(*core_, std::move(request), std::move(done));
}

void RocksDatabase::ListTagsOfResource(ListTagsRequest request, Done<ListTagsResponse> done) {
  done(engine::ListTagsOfResource(*core_, request));
}

}  // namespace tintype::tables::engine
