#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/backup/checksum.h"

namespace tintype::cli {

/// One file of a backup.
struct BackupFile {
  std::string stored;  ///< Where it is, relative to the backup directory.
  std::string target;  ///< Where it belongs, relative to a data directory; empty: nowhere, it is
                       ///< there for the sake of later backups.
  Checksum sum;        ///< Of the bytes as they are stored, encrypted or not.
};

/// What a backup consists of: written last, so that a backup without one is not complete. The bytes
/// are in docs/formats/directory_backup.md.
struct BackupManifest {
  uint32_t id = 0;
  int64_t created_ms = 0;
  uint64_t new_bytes = 0;  ///< Of the files that no earlier backup had.
  std::vector<BackupFile> files;

  uint64_t bytes() const;
};

std::string FormatManifest(const BackupManifest& manifest);

/// Errors: kCorruption, saying what is wrong. No path of what it returns leads out of the directory
/// that it is relative to.
Result<BackupManifest> ParseManifest(std::string_view text);

}  // namespace tintype::cli
