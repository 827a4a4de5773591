#pragma once

#include <memory>

#include "base/clock.h"
#include "tables/language/backups.h"
#include "tables/language/database.h"
#include "tables/language/streams.h"
#include "tables/remote/config.h"

namespace tintype::tables::remote {

namespace internal {
class Caller;
}

/// The Database on any service that speaks DynamoDB's API, over HTTP.
///
/// Owned by whoever opened it, thread-safe. Done is called on the client's one thread, on which the
/// answers are also decoded, or within the call, on the calling thread, when a request is refused
/// without being sent. Destroying it, which must not happen in a Done, ends outstanding calls with
/// kUnavailable; their Dones are called before the destructor returns.
///
/// Errors: those of the service, as the codes and with the details that the engine gives;
/// kUnknownOperation for anything that the service is declared not to have; kOverloaded when too
/// many calls wait; kUnavailable when there is no answer. After that last one, a write may or may
/// not have been carried out, but never in part (a batch may be, action by action). README.md tells
/// which requests are sent again, and when.
class RemoteDatabase : public Database, public Streams, public Backups {
 public:
  /// Connects when the first call is made. Errors: those of RemoteConfig::Validate. The clock is
  /// for signatures and must outlive the database.
  static Result<std::unique_ptr<RemoteDatabase>> Open(RemoteConfig config, const Clock& clock);
  ~RemoteDatabase() override;

  void GetItem(GetItemRequest request, Done<GetItemResponse> done) override;
  void PutItem(PutItemRequest request, Done<WriteItemResponse> done) override;
  void DeleteItem(DeleteItemRequest request, Done<WriteItemResponse> done) override;
  void UpdateItem(UpdateItemRequest request, Done<WriteItemResponse> done) override;

  void BatchGetItem(BatchGetItemRequest request, Done<BatchGetItemResponse> done) override;
  /// Actions that the service leaves unprocessed are sent again until they are done, or the
  /// attempts or the time are used up: kOverloaded then, and the other actions were carried out.
  void BatchWriteItem(BatchWriteItemRequest request, Done<BatchWriteItemResponse> done) override;
  void TransactGetItems(TransactGetItemsRequest request,
                        Done<TransactGetItemsResponse> done) override;
  /// A request without a client token gets one, so that it can be sent again.
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

  void ListStreams(ListStreamsRequest request, Done<ListStreamsResponse> done) override;
  void DescribeStream(DescribeStreamRequest request, Done<DescribeStreamResponse> done) override;
  void GetShardIterator(GetShardIteratorRequest request,
                        Done<GetShardIteratorResponse> done) override;
  void GetRecords(GetRecordsRequest request, Done<GetRecordsResponse> done) override;

  void UpdateContinuousBackups(UpdateContinuousBackupsRequest request,
                               Done<ContinuousBackupsResponse> done) override;
  void DescribeContinuousBackups(DescribeContinuousBackupsRequest request,
                                 Done<ContinuousBackupsResponse> done) override;
  // Backups are made and restored where the tables are: these are refused without a request.
  void CreateBackup(CreateBackupRequest request, Done<CreateBackupResponse> done) override;
  void DescribeBackup(DescribeBackupRequest request, Done<BackupResponse> done) override;
  void DeleteBackup(DeleteBackupRequest request, Done<BackupResponse> done) override;
  void ListBackups(ListBackupsRequest request, Done<ListBackupsResponse> done) override;
  void RestoreTableFromBackup(RestoreTableFromBackupRequest request,
                              Done<TableResponse> done) override;
  void RestoreTableToPointInTime(RestoreTableToPointInTimeRequest request,
                                 Done<TableResponse> done) override;

 private:
  explicit RemoteDatabase(std::unique_ptr<internal::Caller> caller);

  template <typename Request, typename Response, typename Decode>
  void Send(std::string_view operation, const Request& request, Decode decode, Done<Response> done);

  std::unique_ptr<internal::Caller> caller_;
};

}  // namespace tintype::tables::remote
