#pragma once

#include "tables/engine/changes/change_record.h"
#include "tables/language/database.h"

namespace tintype::tables::engine {

struct Core;
enum class ReadOn;

/// The operations on the engine's tables for those of one origin: clients of the endpoint, or this
/// server itself. The change log tells them apart. Does not own the core.
class CoreDatabase : public Database {
 public:
  CoreDatabase(Core& core, ChangeOrigin origin) : core_(core), origin_(origin) {}

  void GetItem(GetItemRequest request, Done<GetItemResponse> done) override;
  void PutItem(PutItemRequest request, Done<WriteItemResponse> done) override;
  void DeleteItem(DeleteItemRequest request, Done<WriteItemResponse> done) override;
  void UpdateItem(UpdateItemRequest request, Done<WriteItemResponse> done) override;
  void BatchGetItem(BatchGetItemRequest request, Done<BatchGetItemResponse> done) override;
  void BatchWriteItem(BatchWriteItemRequest request, Done<BatchWriteItemResponse> done) override;
  void TransactGetItems(TransactGetItemsRequest request,
                        Done<TransactGetItemsResponse> done) override;
  void TransactWriteItems(TransactWriteItemsRequest request,
                          Done<TransactWriteItemsResponse> done) override;
  void Query(QueryRequest request, Done<ReadResponse> done) override;
  void Scan(ScanRequest request, Done<ReadResponse> done) override;
  void CreateTable(CreateTableRequest request, Done<TableResponse> done) override;
  void UpdateTable(UpdateTableRequest request, Done<TableResponse> done) override;
  void DeleteTable(DeleteTableRequest request, Done<TableResponse> done) override;
  void DescribeTable(DescribeTableRequest request, Done<TableResponse> done) override;
  void ListTables(ListTablesRequest request, Done<ListTablesResponse> done) override;
  void TagResource(TagResourceRequest request, Done<EmptyResponse> done) override;
  void UntagResource(UntagResourceRequest request, Done<EmptyResponse> done) override;
  void ListTagsOfResource(ListTagsRequest request, Done<ListTagsResponse> done) override;
  void PutResourcePolicy(PutResourcePolicyRequest request,
                         Done<ResourcePolicyResponse> done) override;
  void GetResourcePolicy(GetResourcePolicyRequest request,
                         Done<GetResourcePolicyResponse> done) override;
  void DeleteResourcePolicy(DeleteResourcePolicyRequest request,
                            Done<ResourcePolicyResponse> done) override;
  void UpdateTimeToLive(UpdateTimeToLiveRequest request,
                        Done<UpdateTimeToLiveResponse> done) override;
  void DescribeTimeToLive(DescribeTimeToLiveRequest request,
                          Done<DescribeTimeToLiveResponse> done) override;

 private:
  ReadOn ReadWhere() const;

  Core& core_;
  const ChangeOrigin origin_;
};

}  // namespace tintype::tables::engine
