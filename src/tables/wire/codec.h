#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "tables/language/backups.h"
#include "tables/language/requests.h"
#include "tables/language/streams.h"
#include "tables/language/transfers.h"

/// DynamoDB's JSON protocols (DynamoDB_20120810, DynamoDBStreams_20120810): request bodies to typed
/// requests, typed responses to bodies.
///
/// Decoders check everything that can be checked without knowing the table, in DynamoDB's order and
/// with its words: JSON shape (SerializationException), parameter constraints ("1 validation error
/// detected: ..."), parameters that exclude each other, attribute values, then expressions. Legacy
/// parameters come out in the same parsed form as expressions.
///
/// All functions are pure and thread-safe.
namespace tintype::tables::wire {

Result<GetItemRequest> DecodeGetItem(std::string_view body);
Result<PutItemRequest> DecodePutItem(std::string_view body);
Result<DeleteItemRequest> DecodeDeleteItem(std::string_view body);
Result<UpdateItemRequest> DecodeUpdateItem(std::string_view body);
Result<BatchGetItemRequest> DecodeBatchGetItem(std::string_view body);
Result<BatchWriteItemRequest> DecodeBatchWriteItem(std::string_view body);
Result<TransactGetItemsRequest> DecodeTransactGetItems(std::string_view body);
Result<TransactWriteItemsRequest> DecodeTransactWriteItems(std::string_view body);
Result<QueryRequest> DecodeQuery(std::string_view body);
Result<ScanRequest> DecodeScan(std::string_view body);
Result<CreateTableRequest> DecodeCreateTable(std::string_view body);
Result<UpdateTableRequest> DecodeUpdateTable(std::string_view body);
Result<DeleteTableRequest> DecodeDeleteTable(std::string_view body);
Result<DescribeTableRequest> DecodeDescribeTable(std::string_view body);
Result<ListTablesRequest> DecodeListTables(std::string_view body);
Result<TagResourceRequest> DecodeTagResource(std::string_view body);
Result<UntagResourceRequest> DecodeUntagResource(std::string_view body);
Result<ListTagsRequest> DecodeListTagsOfResource(std::string_view body);
Result<PutResourcePolicyRequest> DecodePutResourcePolicy(std::string_view body);
Result<GetResourcePolicyRequest> DecodeGetResourcePolicy(std::string_view body);
Result<DeleteResourcePolicyRequest> DecodeDeleteResourcePolicy(std::string_view body);
Result<UpdateTimeToLiveRequest> DecodeUpdateTimeToLive(std::string_view body);
Result<DescribeTimeToLiveRequest> DecodeDescribeTimeToLive(std::string_view body);

Result<ListStreamsRequest> DecodeListStreams(std::string_view body);
Result<DescribeStreamRequest> DecodeDescribeStream(std::string_view body);
Result<GetShardIteratorRequest> DecodeGetShardIterator(std::string_view body);
Result<GetRecordsRequest> DecodeGetRecords(std::string_view body);

Result<CreateBackupRequest> DecodeCreateBackup(std::string_view body);
Result<DescribeBackupRequest> DecodeDescribeBackup(std::string_view body);
Result<DeleteBackupRequest> DecodeDeleteBackup(std::string_view body);
Result<ListBackupsRequest> DecodeListBackups(std::string_view body);
Result<RestoreTableFromBackupRequest> DecodeRestoreTableFromBackup(std::string_view body);
Result<UpdateContinuousBackupsRequest> DecodeUpdateContinuousBackups(std::string_view body);
Result<DescribeContinuousBackupsRequest> DecodeDescribeContinuousBackups(std::string_view body);
Result<RestoreTableToPointInTimeRequest> DecodeRestoreTableToPointInTime(std::string_view body);
Result<ExportTableRequest> DecodeExportTable(std::string_view body);
Result<DescribeExportRequest> DecodeDescribeExport(std::string_view body);
Result<ListExportsRequest> DecodeListExports(std::string_view body);
Result<ImportTableRequest> DecodeImportTable(std::string_view body);
Result<DescribeImportRequest> DecodeDescribeImport(std::string_view body);
Result<ListImportsRequest> DecodeListImports(std::string_view body);

std::string EncodeGetItem(const GetItemResponse& response);
/// For PutItem, UpdateItem and DeleteItem.
std::string EncodeWriteItem(const WriteItemResponse& response);
/// Unprocessed keys repeat their part of the request.
std::string EncodeBatchGetItem(const BatchGetItemRequest& request,
                               const BatchGetItemResponse& response);
std::string EncodeBatchWriteItem(const BatchWriteItemResponse& response);
std::string EncodeTransactGetItems(const TransactGetItemsResponse& response);
std::string EncodeTransactWriteItems(const TransactWriteItemsResponse& response);
/// For Query and Scan.
std::string EncodeRead(const ReadResponse& response);
/// `member` is Table for DescribeTable and TableDescription for all operations that make, change,
/// restore or delete tables.
std::string EncodeTable(std::string_view member, const TableResponse& response);
std::string EncodeListTables(const ListTablesResponse& response);
std::string EncodeListTagsOfResource(const ListTagsResponse& response);
/// For PutResourcePolicy and DeleteResourcePolicy.
std::string EncodeResourcePolicyRevision(const ResourcePolicyResponse& response);
std::string EncodeGetResourcePolicy(const GetResourcePolicyResponse& response);
std::string EncodeUpdateTimeToLive(const UpdateTimeToLiveResponse& response);
std::string EncodeDescribeTimeToLive(const DescribeTimeToLiveResponse& response);

std::string EncodeListStreams(const ListStreamsResponse& response);
std::string EncodeDescribeStream(const DescribeStreamResponse& response);
std::string EncodeGetShardIterator(const GetShardIteratorResponse& response);
std::string EncodeGetRecords(const GetRecordsResponse& response);

std::string EncodeCreateBackup(const CreateBackupResponse& response);
/// For DescribeBackup and DeleteBackup.
std::string EncodeBackup(const BackupResponse& response);
std::string EncodeListBackups(const ListBackupsResponse& response);
/// For UpdateContinuousBackups and DescribeContinuousBackups.
std::string EncodeContinuousBackups(const ContinuousBackupsResponse& response);
/// For ExportTableToPointInTime and DescribeExport.
std::string EncodeExport(const ExportResponse& response);
std::string EncodeListExports(const ListExportsResponse& response);
/// For ImportTable and DescribeImport.
std::string EncodeImport(const ImportResponse& response);
std::string EncodeListImports(const ListImportsResponse& response);

/// An error body: `__type`, the message, and what the error carries (item, cancellation reasons).
/// `exception` is the full name, such as
/// `com.amazonaws.dynamodb.v20120810#ResourceNotFoundException`.
std::string EncodeError(std::string_view exception, const Error& error);

}  // namespace tintype::tables::wire
