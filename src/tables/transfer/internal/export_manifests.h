#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "tables/language/transfers.h"

/// The manifests of an export, as DynamoDB writes them (docs/formats/export.md).
namespace tintype::tables::transfer {

/// One of the files with items.
struct ExportedFile {
  std::string key;  // Its path in the bucket.
  int64_t items = 0;
  std::string md5_base64;
  std::string md5_hex;
};

/// What the summary tells beside what the description of the export does.
struct ExportSummary {
  std::string files_manifest_key;
  int64_t ended_ms = 0;
  int64_t items = 0;
  int64_t bytes = 0;  // Of the table.
};

std::string FormatFilesManifest(const std::vector<ExportedFile>& files);
std::string FormatSummary(const ExportDescription& description, const ExportSummary& summary);

/// The keys of the files that a manifest names, in its order; the rest is for others to read.
/// Errors: kCorruption.
Result<std::vector<std::string>> ParseFilesManifest(std::string_view text);

struct ExportTotals {
  int64_t items = 0;
  int64_t bytes = 0;
};
/// Errors: kCorruption.
Result<ExportTotals> ParseSummary(std::string_view text);

}  // namespace tintype::tables::transfer
