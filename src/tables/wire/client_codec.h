#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tables/language/backups.h"
#include "tables/language/requests.h"
#include "tables/language/streams.h"
#include "tables/wire/error_table.h"

/// The client's side of DynamoDB's JSON protocol: typed requests to bodies, bodies of answers to
/// typed responses. The server's side is codec.h.
///
/// Parsed expressions are written as text again, with placeholders for all names and values. Legacy
/// parameters are sent as expressions too, so a service reports mistakes in them in the words for
/// expressions.
///
/// An answer comes from outside and may be anything: one without the documented shape is
/// kUnavailable, "The service's answer cannot be read: ...". Members that are not known are passed
/// over. All functions are pure and thread-safe.
namespace tintype::tables::wire {

std::string EncodeRequest(const GetItemRequest& request);
std::string EncodeRequest(const PutItemRequest& request);
std::string EncodeRequest(const DeleteItemRequest& request);
std::string EncodeRequest(const UpdateItemRequest& request);
std::string EncodeRequest(const BatchGetItemRequest& request);
std::string EncodeRequest(const BatchWriteItemRequest& request);
std::string EncodeRequest(const TransactGetItemsRequest& request);
std::string EncodeRequest(const TransactWriteItemsRequest& request);
std::string EncodeRequest(const QueryRequest& request);
std::string EncodeRequest(const ScanRequest& request);
std::string EncodeRequest(const CreateTableRequest& request);
std::string EncodeRequest(const UpdateTableRequest& request);
std::string EncodeRequest(const DeleteTableRequest& request);
std::string EncodeRequest(const DescribeTableRequest& request);
std::string EncodeRequest(const ListTablesRequest& request);
std::string EncodeRequest(const TagResourceRequest& request);
std::string EncodeRequest(const UntagResourceRequest& request);
std::string EncodeRequest(const ListTagsRequest& request);
std::string EncodeRequest(const PutResourcePolicyRequest& request);
std::string EncodeRequest(const GetResourcePolicyRequest& request);
std::string EncodeRequest(const DeleteResourcePolicyRequest& request);
std::string EncodeRequest(const UpdateTimeToLiveRequest& request);
std::string EncodeRequest(const DescribeTimeToLiveRequest& request);
std::string EncodeRequest(const ListStreamsRequest& request);
std::string EncodeRequest(const DescribeStreamRequest& request);
std::string EncodeRequest(const GetShardIteratorRequest& request);
std::string EncodeRequest(const GetRecordsRequest& request);
std::string EncodeRequest(const UpdateContinuousBackupsRequest& request);
std::string EncodeRequest(const DescribeContinuousBackupsRequest& request);

Result<GetItemResponse> DecodeGetItemResponse(std::string_view body);
/// For PutItem, UpdateItem and DeleteItem.
Result<WriteItemResponse> DecodeWriteItemResponse(std::string_view body);
/// `request` is what was sent: the response is in its order. Its keys are not looked at.
Result<BatchGetItemResponse> DecodeBatchGetItemResponse(const BatchGetItemRequest& request,
                                                        std::string_view body);
/// A BatchWriteItem's response, and what the service left for another time.
struct BatchWriteItemAnswer {
  BatchWriteItemResponse response;
  std::vector<BatchWriteItemRequest::Table> unprocessed;
};
Result<BatchWriteItemAnswer> DecodeBatchWriteItemResponse(std::string_view body);
Result<TransactGetItemsResponse> DecodeTransactGetItemsResponse(std::string_view body);
Result<TransactWriteItemsResponse> DecodeTransactWriteItemsResponse(std::string_view body);
/// For Query and Scan.
Result<ReadResponse> DecodeReadResponse(std::string_view body);
/// For CreateTable, UpdateTable, DeleteTable and DescribeTable.
Result<TableResponse> DecodeTableResponse(std::string_view body);
Result<ListTablesResponse> DecodeListTablesResponse(std::string_view body);
Result<ListTagsResponse> DecodeListTagsResponse(std::string_view body);
/// For PutResourcePolicy and DeleteResourcePolicy.
Result<ResourcePolicyResponse> DecodeResourcePolicyResponse(std::string_view body);
Result<GetResourcePolicyResponse> DecodeGetResourcePolicyResponse(std::string_view body);
Result<UpdateTimeToLiveResponse> DecodeUpdateTimeToLiveResponse(std::string_view body);
Result<DescribeTimeToLiveResponse> DecodeDescribeTimeToLiveResponse(std::string_view body);
Result<ListStreamsResponse> DecodeListStreamsResponse(std::string_view body);
Result<DescribeStreamResponse> DecodeDescribeStreamResponse(std::string_view body);
Result<GetShardIteratorResponse> DecodeGetShardIteratorResponse(std::string_view body);
Result<GetRecordsResponse> DecodeGetRecordsResponse(std::string_view body);
/// For UpdateContinuousBackups and DescribeContinuousBackups.
Result<ContinuousBackupsResponse> DecodeContinuousBackupsResponse(std::string_view body);

/// An error that a service answered with. Carries what the body carries: the item of a failed
/// condition, the reasons of a cancelled transaction. A body that is not DynamoDB's, a proxy's page
/// say, is judged by its status.
Error DecodeError(int status, std::string_view body);

}  // namespace tintype::tables::wire
