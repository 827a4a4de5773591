#include "access/tables/touch.h"

// What everything but reading and writing items touches.
namespace tintype::access {
namespace {

std::string_view ViewOf(const std::optional<std::string>& text) {
  return text ? std::string_view(*text) : std::string_view();
}

}  // namespace

Status VisitTouches(const tables::CreateTableRequest& request, const OnTouch& visit) {
  RETURN_IF_ERROR(visit({.action = "dynamodb:CreateTable", .table = request.definition.name}));
  // As in AWS, attaching a policy takes the permission for that too.
  return request.resource_policy
             ? visit({.action = "dynamodb:PutResourcePolicy", .table = request.definition.name})
             : OkStatus();
}
Status VisitTouches(const tables::UpdateTableRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:UpdateTable", .table = request.table});
}
Status VisitTouches(const tables::DeleteTableRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:DeleteTable", .table = request.table});
}
Status VisitTouches(const tables::DescribeTableRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:DescribeTable", .table = request.table});
}
Status VisitTouches(const tables::ListTablesRequest& /*request*/, const OnTouch& visit) {
  return visit({.action = "dynamodb:ListTables"});
}
Status VisitTouches(const tables::TagResourceRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:TagResource", .arn = request.arn});
}
Status VisitTouches(const tables::UntagResourceRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:UntagResource", .arn = request.arn});
}
Status VisitTouches(const tables::ListTagsRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:ListTagsOfResource", .arn = request.arn});
}
Status VisitTouches(const tables::PutResourcePolicyRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:PutResourcePolicy", .arn = request.arn});
}
Status VisitTouches(const tables::GetResourcePolicyRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:GetResourcePolicy", .arn = request.arn});
}
Status VisitTouches(const tables::DeleteResourcePolicyRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:DeleteResourcePolicy", .arn = request.arn});
}
Status VisitTouches(const tables::UpdateTimeToLiveRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:UpdateTimeToLive", .table = request.table});
}
Status VisitTouches(const tables::DescribeTimeToLiveRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:DescribeTimeToLive", .table = request.table});
}

Status VisitTouches(const tables::ListStreamsRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:ListStreams", .table = ViewOf(request.table)});
}
Status VisitTouches(const tables::DescribeStreamRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:DescribeStream", .arn = request.arn});
}
Status VisitTouches(const tables::GetShardIteratorRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:GetShardIterator", .arn = request.stream_arn});
}
Status VisitTouches(const tables::GetRecordsRequest& request, const tables::TableFacts& facts,
                    const OnTouch& visit) {
  const std::optional<std::string> stream = facts.StreamOf(request.iterator);
  // A text that is no iterator reads nothing; the operation says what is wrong with it.
  return stream ? visit({.action = "dynamodb:GetRecords", .arn = *stream}) : OkStatus();
}

Status VisitTouches(const tables::CreateBackupRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:CreateBackup", .table = request.table});
}
Status VisitTouches(const tables::DescribeBackupRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:DescribeBackup", .arn = request.arn});
}
Status VisitTouches(const tables::DeleteBackupRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:DeleteBackup", .arn = request.arn});
}
Status VisitTouches(const tables::ListBackupsRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:ListBackups", .table = ViewOf(request.table)});
}
Status VisitTouches(const tables::RestoreTableFromBackupRequest& request, const OnTouch& visit) {
  RETURN_IF_ERROR(visit({.action = "dynamodb:RestoreTableFromBackup", .arn = request.backup_arn}));
  return visit({.action = "dynamodb:RestoreTableFromBackup", .table = request.target_table});
}
Status VisitTouches(const tables::UpdateContinuousBackupsRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:UpdateContinuousBackups", .table = request.table});
}
Status VisitTouches(const tables::DescribeContinuousBackupsRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:DescribeContinuousBackups", .table = request.table});
}
Status VisitTouches(const tables::RestoreTableToPointInTimeRequest& request, const OnTouch& visit) {
  RETURN_IF_ERROR(
      visit({.action = "dynamodb:RestoreTableToPointInTime", .table = request.source_table}));
  return visit({.action = "dynamodb:RestoreTableToPointInTime", .table = request.target_table});
}

Status VisitTouches(const tables::ExportTableRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:ExportTableToPointInTime", .arn = request.table_arn});
}
Status VisitTouches(const tables::DescribeExportRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:DescribeExport", .arn = request.arn});
}
Status VisitTouches(const tables::ListExportsRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:ListExports", .arn = ViewOf(request.table_arn)});
}
Status VisitTouches(const tables::ImportTableRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:ImportTable", .table = request.table.name});
}
Status VisitTouches(const tables::DescribeImportRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:DescribeImport", .arn = request.arn});
}
Status VisitTouches(const tables::ListImportsRequest& request, const OnTouch& visit) {
  return visit({.action = "dynamodb:ListImports", .arn = ViewOf(request.table_arn)});
}

}  // namespace tintype::access
