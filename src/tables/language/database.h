#pragma once

#include "base/callback.h"
#include "base/result.h"
#include "tables/language/requests.h"

namespace tintype::tables {

/// Receives the outcome of one operation, once, on a thread of the database's choosing: the calling
/// thread, possibly before the call returns, or one of the database's own. It must not block.
template <typename Response>
using Done = OnceCallback<Result<Response>>;

/// DynamoDB's API (2012-08-10) as C++ types, and nothing else. Users of tables hold a `Database&`;
/// only `cli/` knows that it is the embedded engine on RocksDB (`tables/engine`).
///
/// Thread safety: all operations may be called from any thread at any time.
/// After a crash: everything answered with success is there; anything unanswered may or may not be,
/// but never in part.
/// Errors: those of DynamoDB's documentation, by kind and reason (`tables/language/errors.h`);
/// kOverloaded when a queue is full.
class Database {
 public:
  virtual ~Database() = default;

  virtual void GetItem(GetItemRequest request, Done<GetItemResponse> done) = 0;
  virtual void PutItem(PutItemRequest request, Done<WriteItemResponse> done) = 0;
  virtual void DeleteItem(DeleteItemRequest request, Done<WriteItemResponse> done) = 0;
  virtual void UpdateItem(UpdateItemRequest request, Done<WriteItemResponse> done) = 0;

  virtual void BatchGetItem(BatchGetItemRequest request, Done<BatchGetItemResponse> done) = 0;
  virtual void BatchWriteItem(BatchWriteItemRequest request, Done<BatchWriteItemResponse> done) = 0;
  virtual void TransactGetItems(TransactGetItemsRequest request,
                                Done<TransactGetItemsResponse> done) = 0;
  virtual void TransactWriteItems(TransactWriteItemsRequest request,
                                  Done<TransactWriteItemsResponse> done) = 0;

  virtual void Query(QueryRequest request, Done<ReadResponse> done) = 0;
  virtual void Scan(ScanRequest request, Done<ReadResponse> done) = 0;

  virtual void CreateTable(CreateTableRequest request, Done<TableResponse> done) = 0;
  virtual void UpdateTable(UpdateTableRequest request, Done<TableResponse> done) = 0;
  virtual void DeleteTable(DeleteTableRequest request, Done<TableResponse> done) = 0;
  virtual void DescribeTable(DescribeTableRequest request, Done<TableResponse> done) = 0;
  virtual void ListTables(ListTablesRequest request, Done<ListTablesResponse> done) = 0;

  virtual void TagResource(TagResourceRequest request, Done<EmptyResponse> done) = 0;
  virtual void UntagResource(UntagResourceRequest request, Done<EmptyResponse> done) = 0;
  virtual void ListTagsOfResource(ListTagsRequest request, Done<ListTagsResponse> done) = 0;

  virtual void PutResourcePolicy(PutResourcePolicyRequest request,
                                 Done<ResourcePolicyResponse> done) = 0;
  virtual void GetResourcePolicy(GetResourcePolicyRequest request,
                                 Done<GetResourcePolicyResponse> done) = 0;
  virtual void DeleteResourcePolicy(DeleteResourcePolicyRequest request,
                                    Done<ResourcePolicyResponse> done) = 0;

  virtual void UpdateTimeToLive(UpdateTimeToLiveRequest request,
                                Done<UpdateTimeToLiveResponse> done) = 0;
  virtual void DescribeTimeToLive(DescribeTimeToLiveRequest request,
                                  Done<DescribeTimeToLiveResponse> done) = 0;
};

}  // namespace tintype::tables
