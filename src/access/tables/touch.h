#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "tables/language/backups.h"
#include "tables/language/requests.h"
#include "tables/language/streams.h"
#include "tables/language/table_facts.h"
#include "tables/language/transfers.h"

/// What requests of DynamoDB's API do to which resource, for policies to decide on.
namespace tintype::access {

/// One action on one resource. Batches and transactions have one for each item. Views: the request
/// outlives it.
struct Touch {
  std::string_view action;  // `dynamodb:GetItem`.
  /// The table, by name or ARN; or else `arn`, of anything else; or neither, where the operation is
  /// about no resource.
  std::string_view table = {};
  std::string_view arn = {};
  std::optional<std::string_view> index = std::nullopt;

  // What the request names of items; null or empty where it names none.
  const tables::Item* item = nullptr;  // A whole item, or the key of one.
  const tables::Item* start_key = nullptr;
  const tables::KeyCondition* key_condition = nullptr;
  const tables::Projection* projection = nullptr;
  const tables::Condition* condition = nullptr;
  const tables::Update* update = nullptr;

  std::string_view select = {};
  /// Of writes. One that returns the whole old item when its condition fails is a touch more, with
  /// `ALL_OLD`.
  std::string_view return_values = {};
  std::string_view return_capacity = {};
  std::string_view enclosing_operation = {};
  std::optional<bool> full_table_scan = std::nullopt;
};

/// Called for one touch after another; the first error ends it.
using OnTouch = std::function<Status(const Touch& touch)>;

// Each request of the API. Those without a request type of their own have a name.
Status VisitTouches(const tables::GetItemRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::PutItemRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::DeleteItemRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::UpdateItemRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::BatchGetItemRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::BatchWriteItemRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::TransactGetItemsRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::TransactWriteItemsRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::QueryRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::ScanRequest& request, const OnTouch& visit);

Status VisitTouches(const tables::CreateTableRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::UpdateTableRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::DeleteTableRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::DescribeTableRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::ListTablesRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::TagResourceRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::UntagResourceRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::ListTagsRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::PutResourcePolicyRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::GetResourcePolicyRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::DeleteResourcePolicyRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::UpdateTimeToLiveRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::DescribeTimeToLiveRequest& request, const OnTouch& visit);

Status VisitTouches(const tables::ListStreamsRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::DescribeStreamRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::GetShardIteratorRequest& request, const OnTouch& visit);
/// Its iterator says which stream it reads, but only to `facts`.
Status VisitTouches(const tables::GetRecordsRequest& request, const tables::TableFacts& facts,
                    const OnTouch& visit);

Status VisitTouches(const tables::CreateBackupRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::DescribeBackupRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::DeleteBackupRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::ListBackupsRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::RestoreTableFromBackupRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::UpdateContinuousBackupsRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::DescribeContinuousBackupsRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::RestoreTableToPointInTimeRequest& request, const OnTouch& visit);

Status VisitTouches(const tables::ExportTableRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::DescribeExportRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::ListExportsRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::ImportTableRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::DescribeImportRequest& request, const OnTouch& visit);
Status VisitTouches(const tables::ListImportsRequest& request, const OnTouch& visit);

}  // namespace tintype::access
