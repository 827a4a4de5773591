#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/console/progress.h"

namespace tintype::cli {

/// The file that tells a directory which is still being restored from any other. It means nothing
/// in a data directory, where a crash at the very end of a restore may leave it.
inline constexpr std::string_view kRestoringName = "RESTORING";

struct RestoreRequest {
  std::string from;      ///< The backup directory.
  uint32_t id = 0;       ///< Which backup; 0: the newest.
  std::string data_dir;  ///< The new data directory: does not exist yet, or is empty.
};

struct RestoreOutcome {
  uint32_t id = 0;
  uint64_t files = 0;
  uint64_t bytes = 0;
  /// The fingerprint of the master key that the tables are encrypted under: backups leave it out,
  /// so it has to come from elsewhere before the directory can be served. Empty: they are not
  /// encrypted.
  std::string master_key;
};

/// Makes a data directory from a backup. No key is needed: encrypted files are copied as they are.
/// Each file is compared with its checksum while it is copied. The files are gathered in a
/// directory beside the new one, `data_dir`.restoring, which gets its name when all of them are on
/// disk: a crash leaves no data directory, or a whole one, and the next call removes what it left.
///
/// Errors: kValidation when the new directory is not empty, or cannot be made by renaming; kInUse
/// when another process restores to it; kCorruption, naming the damaged file; kNotFound, kIo;
/// kUnavailable when `report` gave up.
Result<RestoreOutcome> RestoreBackup(const RestoreRequest& request, const ProgressReport& report);

}  // namespace tintype::cli
