#include "tables/engine/core_database.h"

#include <utility>

#include "tables/engine/commit/core.h"
#include "tables/engine/expiry/operations.h"
#include "tables/engine/items/operations.h"
#include "tables/engine/schema/operations.h"

namespace tintype::tables::engine {

// This server's own callers have threads that may wait; the endpoint calls on its event loops.
ReadOn CoreDatabase::ReadWhere() const {
  return origin_ == ChangeOrigin::kServer ? ReadOn::kCaller : ReadOn::kPool;
}

void CoreDatabase::GetItem(GetItemRequest request, Done<GetItemResponse> done) {
  done(engine::GetItem(core_, request));
}

void CoreDatabase::PutItem(PutItemRequest request, Done<WriteItemResponse> done) {
  engine::PutItem(core_, std::move(request), origin_, std::move(done));
}

void CoreDatabase::DeleteItem(DeleteItemRequest request, Done<WriteItemResponse> done) {
  engine::DeleteItem(core_, std::move(request), origin_, std::move(done));
}

void CoreDatabase::UpdateItem(UpdateItemRequest request, Done<WriteItemResponse> done) {
  engine::UpdateItem(core_, std::move(request), origin_, std::move(done));
}

void CoreDatabase::BatchGetItem(BatchGetItemRequest request, Done<BatchGetItemResponse> done) {
  engine::BatchGetItem(core_, std::move(request), ReadWhere(), std::move(done));
}

void CoreDatabase::BatchWriteItem(BatchWriteItemRequest request,
                                  Done<BatchWriteItemResponse> done) {
  engine::BatchWriteItem(core_, std::move(request), origin_, std::move(done));
}

void CoreDatabase::TransactGetItems(TransactGetItemsRequest request,
                                    Done<TransactGetItemsResponse> done) {
  engine::TransactGetItems(core_, std::move(request), ReadWhere(), std::move(done));
}

void CoreDatabase::TransactWriteItems(TransactWriteItemsRequest request,
                                      Done<TransactWriteItemsResponse> done) {
  engine::TransactWriteItems(core_, std::move(request), origin_, std::move(done));
}

void CoreDatabase::Query(QueryRequest request, Done<ReadResponse> done) {
  engine::Query(core_, std::move(request), ReadWhere(), std::move(done));
}

void CoreDatabase::Scan(ScanRequest request, Done<ReadResponse> done) {
  engine::Scan(core_, std::move(request), ReadWhere(), std::move(done));
}

void CoreDatabase::CreateTable(CreateTableRequest request, Done<TableResponse> done) {
  engine::CreateTable(core_, std::move(request), std::move(done));
}

void CoreDatabase::UpdateTable(UpdateTableRequest request, Done<TableResponse> done) {
  engine::UpdateTable(core_, std::move(request), std::move(done));
}

void CoreDatabase::DeleteTable(DeleteTableRequest request, Done<TableResponse> done) {
  engine::DeleteTable(core_, std::move(request), std::move(done));
}

void CoreDatabase::DescribeTable(DescribeTableRequest request, Done<TableResponse> done) {
  done(engine::DescribeTable(core_, request));
}

void CoreDatabase::ListTables(ListTablesRequest request, Done<ListTablesResponse> done) {
  done(engine::ListTables(core_, request));
}

void CoreDatabase::TagResource(TagResourceRequest request, Done<EmptyResponse> done) {
  engine::TagResource(core_, std::move(request), std::move(done));
}

void CoreDatabase::UntagResource(UntagResourceRequest request, Done<EmptyResponse> done) {
  engine::UntagResource(core_, std::move(request), std::move(done));
}

void CoreDatabase::ListTagsOfResource(ListTagsRequest request, Done<ListTagsResponse> done) {
  done(engine::ListTagsOfResource(core_, request));
}

void CoreDatabase::PutResourcePolicy(PutResourcePolicyRequest request,
                                     Done<ResourcePolicyResponse> done) {
  engine::PutResourcePolicy(core_, std::move(request), std::move(done));
}

void CoreDatabase::GetResourcePolicy(GetResourcePolicyRequest request,
                                     Done<GetResourcePolicyResponse> done) {
  done(engine::GetResourcePolicy(core_, request));
}

void CoreDatabase::DeleteResourcePolicy(DeleteResourcePolicyRequest request,
                                        Done<ResourcePolicyResponse> done) {
  engine::DeleteResourcePolicy(core_, std::move(request), std::move(done));
}

void CoreDatabase::UpdateTimeToLive(UpdateTimeToLiveRequest request,
                                    Done<UpdateTimeToLiveResponse> done) {
  engine::UpdateTimeToLive(core_, std::move(request), std::move(done));
}

void CoreDatabase::DescribeTimeToLive(DescribeTimeToLiveRequest request,
                                      Done<DescribeTimeToLiveResponse> done) {
  done(engine::DescribeTimeToLive(core_, request));
}

}  // namespace tintype::tables::engine
