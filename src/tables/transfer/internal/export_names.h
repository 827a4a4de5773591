#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// The names that an export's parts have.
namespace tintype::tables::transfer {

inline constexpr std::string_view kExportFolder = "AWSDynamoDB";
inline constexpr std::string_view kStartedFile = "_started";
inline constexpr std::string_view kFilesManifest = "manifest-files";
inline constexpr std::string_view kSummaryManifest = "manifest-summary";
/// Written last: an export that has it is whole.
inline constexpr std::string_view kSummaryFile = "manifest-summary.json";
/// Ours: the CreateTable request that makes a table like the exported one.
inline constexpr std::string_view kTableFile = "table.json";

inline bool IsExportMetadata(std::string_view name) {
  return name == kTableFile || name == "manifest-files.json" || name == kSummaryFile;
}

/// What identifies an export or import, such as 01695353076000-a1b2c3d4: the time in milliseconds
/// and something random. Ids sort by time.
std::string NewTransferId(int64_t now_ms);
bool IsTransferId(std::string_view text);

/// The table that an export's state is restored to while it is read.
std::string ScratchTable(std::string_view id);
bool IsScratchTable(std::string_view name);

}  // namespace tintype::tables::transfer
