#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tables/language/database.h"
#include "tables/language/schema.h"

/// DynamoDB's export and import of tables as C++ types.
namespace tintype::tables {

enum class TransferStatus { kInProgress, kCompleted, kFailed, kCancelled };

struct ExportTableRequest {
  std::string table_arn;
  std::optional<int64_t> time_ms;
  std::string bucket;
  std::string prefix;
  std::optional<std::string> client_token;
  std::optional<std::string> bucket_owner;  // Kept and shown, no more.
};
struct ExportDescription {
  std::string arn;
  TransferStatus status = TransferStatus::kInProgress;
  std::string table_arn;
  std::string table_id;
  int64_t time_ms = 0;
  int64_t started_ms = 0;
  std::optional<int64_t> ended_ms;
  std::string bucket;
  std::string prefix;
  std::optional<std::string> client_token;
  std::optional<std::string> manifest;  // Path within the bucket.
  int64_t billed_bytes = 0;
  int64_t item_count = 0;
  std::optional<std::string> failure_code;
  std::optional<std::string> failure_message;
  std::optional<std::string> bucket_owner;
};
struct DescribeExportRequest {
  std::string arn;
};
struct ExportResponse {
  ExportDescription description;
};
struct ListExportsRequest {
  std::optional<std::string> table_arn;
  std::optional<std::string> next_token;
  size_t limit = limits::kListedTransfers;
};
struct ListExportsResponse {
  std::vector<ExportDescription> exports;
  std::optional<std::string> next_token;
};

struct ImportTableRequest {
  std::string bucket;
  std::string prefix;
  bool gzip = false;
  TableDefinition table;
  std::optional<std::string> client_token;
  std::optional<std::string> bucket_owner;  // Kept and shown, no more.
};
struct ImportDescription {
  std::string arn;
  TransferStatus status = TransferStatus::kInProgress;
  std::string table_arn;
  std::string table_id;
  TableDefinition table;
  std::string bucket;
  std::string prefix;
  bool gzip = false;
  std::optional<std::string> client_token;
  int64_t started_ms = 0;
  std::optional<int64_t> ended_ms;
  int64_t processed_bytes = 0;
  int64_t processed_items = 0;
  int64_t imported_items = 0;
  int64_t error_count = 0;
  std::optional<std::string> failure_code;
  std::optional<std::string> failure_message;
  std::optional<std::string> bucket_owner;
};
struct DescribeImportRequest {
  std::string arn;
};
struct ImportResponse {
  ImportDescription description;
};
struct ListImportsRequest {
  std::optional<std::string> table_arn;
  std::optional<std::string> next_token;
  size_t limit = limits::kListedTransfers;
};
struct ListImportsResponse {
  std::vector<ImportDescription> imports;
  std::optional<std::string> next_token;
};

/// Tables to and from files of DynamoDB JSON. Export and import answer once they have begun; the
/// descriptions tell how far they have come.
///
/// Errors beside those of Database: kTableNotFound, kRecoveryUnavailable when recovery is off for
/// the table, kInvalidExportTime, kExportNotFound and kExportConflict, kImportNotFound and
/// kImportConflict. Thread-safe.
class Transfers {
 public:
  virtual ~Transfers() = default;

  virtual void ExportTableToPointInTime(ExportTableRequest request, Done<ExportResponse> done) = 0;
  virtual void DescribeExport(DescribeExportRequest request, Done<ExportResponse> done) = 0;
  virtual void ListExports(ListExportsRequest request, Done<ListExportsResponse> done) = 0;
  virtual void ImportTable(ImportTableRequest request, Done<ImportResponse> done) = 0;
  virtual void DescribeImport(DescribeImportRequest request, Done<ImportResponse> done) = 0;
  virtual void ListImports(ListImportsRequest request, Done<ListImportsResponse> done) = 0;
};

}  // namespace tintype::tables
