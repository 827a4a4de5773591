#include "tables/remote/remote_database.h"

#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "tables/language/errors.h"
#include "tables/language/table_name.h"
#include "tables/remote/internal/batch_writer.h"
#include "tables/remote/internal/caller.h"
#include "tables/remote/internal/repeatable.h"
#include "tables/wire/client_codec.h"

namespace tintype::tables::remote {

namespace {

Error BackupsAreElsewhere() {
  return {reasons::kUnknownOperation, "Backups are made and restored where the tables are."};
}

/// Which of DynamoDB's two APIs has the operation of a request.
template <typename Request>
constexpr std::string_view kApi = "DynamoDB_20120810";
constexpr std::string_view kStreamsApi = "DynamoDBStreams_20120810";
template <>
constexpr std::string_view kApi<ListStreamsRequest> = kStreamsApi;
template <>
constexpr std::string_view kApi<DescribeStreamRequest> = kStreamsApi;
template <>
constexpr std::string_view kApi<GetShardIteratorRequest> = kStreamsApi;
template <>
constexpr std::string_view kApi<GetRecordsRequest> = kStreamsApi;

Result<EmptyResponse> DecodeNothing(std::string_view /*body*/) { return EmptyResponse(); }

}  // namespace

Result<std::unique_ptr<RemoteDatabase>> RemoteDatabase::Open(RemoteConfig config,
                                                             const Clock& clock) {
  RETURN_IF_ERROR(config.Validate());
  auto caller = std::make_unique<internal::Caller>(std::move(config), clock);
  return std::unique_ptr<RemoteDatabase>(new RemoteDatabase(std::move(caller)));
}

RemoteDatabase::RemoteDatabase(std::unique_ptr<internal::Caller> caller)
    : caller_(std::move(caller)) {}

RemoteDatabase::~RemoteDatabase() = default;

template <typename Request, typename Response, typename Decode>
void RemoteDatabase::Send(std::string_view operation, const Request& request, Decode decode,
                          Done<Response> done) {
  if (auto has = caller_->config().capabilities.Check(request); !has.ok()) {
    done(std::move(has).error());
    return;
  }
  caller_->Start({.operation = operation,
                  .body = wire::EncodeRequest(request),
                  .api = kApi<Request>,
                  .repeatable = internal::IsRepeatable(request),
                  .done = [decode = std::move(decode),
                           done = std::move(done)](Result<std::string> body) mutable {
                    if (body.ok()) {
                      done(decode(*body));
                    } else {
                      done(std::move(body).error());
                    }
                  }});
}

void RemoteDatabase::GetItem(GetItemRequest request, Done<GetItemResponse> done) {
  Send("GetItem", request, wire::DecodeGetItemResponse, std::move(done));
}

void RemoteDatabase::PutItem(PutItemRequest request, Done<WriteItemResponse> done) {
  Send("PutItem", request, wire::DecodeWriteItemResponse, std::move(done));
}

void RemoteDatabase::DeleteItem(DeleteItemRequest request, Done<WriteItemResponse> done) {
  Send("DeleteItem", request, wire::DecodeWriteItemResponse, std::move(done));
}

void RemoteDatabase::UpdateItem(UpdateItemRequest request, Done<WriteItemResponse> done) {
  Send("UpdateItem", request, wire::DecodeWriteItemResponse, std::move(done));
}

void RemoteDatabase::BatchGetItem(BatchGetItemRequest request, Done<BatchGetItemResponse> done) {
  // The response is in the order of the request's tables, so these are kept, without the keys. Not
  // every service knows ARNs, so that it is asked by names.
  BatchGetItemRequest outline;
  std::vector<std::string> asked;
  for (BatchGetItemRequest::Table& table : request.tables) {
    asked.push_back(table.table);
    table.table = std::string(TableNameOf(asked.back()));
    outline.tables.push_back(
        {.table = table.table, .keys = {}, .projection = {}, .consistent_read = false});
  }
  Send(
      "BatchGetItem", request,
      [outline = std::move(outline), asked = std::move(asked)](std::string_view body) {
        auto response = wire::DecodeBatchGetItemResponse(outline, body);
        for (size_t i = 0; response.ok() && i < asked.size(); ++i) {
          response->items[i].first = asked[i];
        }
        return response;
      },
      std::move(done));
}

void RemoteDatabase::BatchWriteItem(BatchWriteItemRequest request,
                                    Done<BatchWriteItemResponse> done) {
  internal::StartBatchWrite(*caller_, request, std::move(done));
}

void RemoteDatabase::TransactGetItems(TransactGetItemsRequest request,
                                      Done<TransactGetItemsResponse> done) {
  Send("TransactGetItems", request, wire::DecodeTransactGetItemsResponse, std::move(done));
}

void RemoteDatabase::TransactWriteItems(TransactWriteItemsRequest request,
                                        Done<TransactWriteItemsResponse> done) {
  if (!request.client_token) {
    request.client_token = RandomUuid();
  }
  Send("TransactWriteItems", request, wire::DecodeTransactWriteItemsResponse, std::move(done));
}

void RemoteDatabase::Query(QueryRequest request, Done<ReadResponse> done) {
  Send("Query", request, wire::DecodeReadResponse, std::move(done));
}

void RemoteDatabase::Scan(ScanRequest request, Done<ReadResponse> done) {
  Send("Scan", request, wire::DecodeReadResponse, std::move(done));
}

void RemoteDatabase::CreateTable(CreateTableRequest request, Done<TableResponse> done) {
  Send("CreateTable", request, wire::DecodeTableResponse, std::move(done));
}

void RemoteDatabase::UpdateTable(UpdateTableRequest request, Done<TableResponse> done) {
  Send("UpdateTable", request, wire::DecodeTableResponse, std::move(done));
}

void RemoteDatabase::DeleteTable(DeleteTableRequest request, Done<TableResponse> done) {
  Send("DeleteTable", request, wire::DecodeTableResponse, std::move(done));
}

void RemoteDatabase::DescribeTable(DescribeTableRequest request, Done<TableResponse> done) {
  Send("DescribeTable", request, wire::DecodeTableResponse, std::move(done));
}

void RemoteDatabase::ListTables(ListTablesRequest request, Done<ListTablesResponse> done) {
  Send("ListTables", request, wire::DecodeListTablesResponse, std::move(done));
}

void RemoteDatabase::TagResource(TagResourceRequest request, Done<EmptyResponse> done) {
  Send("TagResource", request, DecodeNothing, std::move(done));
}

void RemoteDatabase::UntagResource(UntagResourceRequest request, Done<EmptyResponse> done) {
  Send("UntagResource", request, DecodeNothing, std::move(done));
}

void RemoteDatabase::ListTagsOfResource(ListTagsRequest request, Done<ListTagsResponse> done) {
  Send("ListTagsOfResource", request, wire::DecodeListTagsResponse, std::move(done));
}

void RemoteDatabase::PutResourcePolicy(PutResourcePolicyRequest request,
                                       Done<ResourcePolicyResponse> done) {
  Send("PutResourcePolicy", request, wire::DecodeResourcePolicyResponse, std::move(done));
}

void RemoteDatabase::GetResourcePolicy(GetResourcePolicyRequest request,
                                       Done<GetResourcePolicyResponse> done) {
  Send("GetResourcePolicy", request, wire::DecodeGetResourcePolicyResponse, std::move(done));
}

void RemoteDatabase::DeleteResourcePolicy(DeleteResourcePolicyRequest request,
                                          Done<ResourcePolicyResponse> done) {
  Send("DeleteResourcePolicy", request, wire::DecodeResourcePolicyResponse, std::move(done));
}

void RemoteDatabase::UpdateTimeToLive(UpdateTimeToLiveRequest request,
                                      Done<UpdateTimeToLiveResponse> done) {
  Send("UpdateTimeToLive", request, wire::DecodeUpdateTimeToLiveResponse, std::move(done));
}

void RemoteDatabase::DescribeTimeToLive(DescribeTimeToLiveRequest request,
                                        Done<DescribeTimeToLiveResponse> done) {
  Send("DescribeTimeToLive", request, wire::DecodeDescribeTimeToLiveResponse, std::move(done));
}

void RemoteDatabase::ListStreams(ListStreamsRequest request, Done<ListStreamsResponse> done) {
  Send("ListStreams", request, wire::DecodeListStreamsResponse, std::move(done));
}

void RemoteDatabase::DescribeStream(DescribeStreamRequest request,
                                    Done<DescribeStreamResponse> done) {
  Send("DescribeStream", request, wire::DecodeDescribeStreamResponse, std::move(done));
}

void RemoteDatabase::GetShardIterator(GetShardIteratorRequest request,
                                      Done<GetShardIteratorResponse> done) {
  Send("GetShardIterator", request, wire::DecodeGetShardIteratorResponse, std::move(done));
}

void RemoteDatabase::GetRecords(GetRecordsRequest request, Done<GetRecordsResponse> done) {
  Send("GetRecords", request, wire::DecodeGetRecordsResponse, std::move(done));
}

void RemoteDatabase::UpdateContinuousBackups(UpdateContinuousBackupsRequest request,
                                             Done<ContinuousBackupsResponse> done) {
  Send("UpdateContinuousBackups", request, wire::DecodeContinuousBackupsResponse, std::move(done));
}

void RemoteDatabase::DescribeContinuousBackups(DescribeContinuousBackupsRequest request,
                                               Done<ContinuousBackupsResponse> done) {
  Send("DescribeContinuousBackups", request, wire::DecodeContinuousBackupsResponse,
       std::move(done));
}

void RemoteDatabase::CreateBackup(CreateBackupRequest /*request*/,
                                  Done<CreateBackupResponse> done) {
  done(BackupsAreElsewhere());
}

void RemoteDatabase::DescribeBackup(DescribeBackupRequest /*request*/, Done<BackupResponse> done) {
  done(BackupsAreElsewhere());
}

void RemoteDatabase::DeleteBackup(DeleteBackupRequest /*request*/, Done<BackupResponse> done) {
  done(BackupsAreElsewhere());
}

void RemoteDatabase::ListBackups(ListBackupsRequest /*request*/, Done<ListBackupsResponse> done) {
  done(BackupsAreElsewhere());
}

void RemoteDatabase::RestoreTableFromBackup(RestoreTableFromBackupRequest /*request*/,
                                            Done<TableResponse> done) {
  done(BackupsAreElsewhere());
}

void RemoteDatabase::RestoreTableToPointInTime(RestoreTableToPointInTimeRequest /*request*/,
                                               Done<TableResponse> done) {
  done(BackupsAreElsewhere());
}

}  // namespace tintype::tables::remote
