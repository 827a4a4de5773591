#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "cli/console/progress.h"
#include "cli/tables/tables.h"

namespace tintype::cli {

struct BackupRequest {
  std::string data_dir;
  std::string to;                    ///< The backup directory, an absolute path.
  uint32_t keep = 0;                 ///< How many backups to keep there, this one included; 0: all.
  std::string master_key_file = {};  ///< Not to be copied, should it be in the data directory.
};

struct BackupOutcome {
  uint32_t id = 0;
  uint64_t files = 0;
  uint64_t bytes = 0;      ///< Of all its files.
  uint64_t new_bytes = 0;  ///< Of those that no earlier backup had; about what was written.
  uint64_t removed = 0;    ///< Older backups, for the sake of `keep`.
  /// The fingerprint of the master key without which nobody can open it; empty: it needs none.
  std::string master_key;
};

/// Adds a backup of the data directory, whose tables are open and may be in use, to a backup
/// directory. The tables are those of one moment; the other files are copied right after it.
/// Nothing that earlier backups have already is copied again. No master key is ever copied.
///
/// All of it is on disk when this returns. Whatever interrupts it, a crash included, the backup
/// directory lists what it did before, or the new backup as well; the next call cleans up. Errors:
/// kValidation when the two directories are inside one another, those of OpenBackupsForWriting,
/// kCorruption when an earlier backup there cannot be read, or the file `tables/KEYS` of encrypted
/// tables is missing or damaged, kIo, kUnavailable when `report` gave up.
Result<BackupOutcome> CreateBackup(EmbeddedTables& tables, const BackupRequest& request,
                                   const Clock& clock, const ProgressReport& report);

}  // namespace tintype::cli
