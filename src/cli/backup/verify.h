#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/console/progress.h"
#include "crypto/secret_key.h"

namespace tintype::cli {

/// The master key that may open a backup. Without one its tables cannot be decrypted.
struct VerifyKeys {
  std::optional<crypto::SecretKey> master = {};
  bool required = false;  ///< False: another key than the backup's is as good as none.
};

/// What is left of a backup.
struct VerifyOutcome {
  uint32_t id = 0;
  uint64_t files = 0;
  uint64_t bytes = 0;
  std::vector<std::string> damages;  ///< A sentence each, naming the file; none if all is well.
  bool tables_read = false;  ///< Whether the tables' files were compared with what was copied.
};

/// Proves a backup without restoring it: every file is there and has the checksum that the manifest
/// has of it, encrypted tables have their wrapped keys, and the tables' files, decrypted if there
/// is a key for them, are what RocksDB read from the tables. `id` 0 is the newest. Damage is not an
/// error but an outcome. Errors: those of OpenBackupsForReading and FindBackup; kValidation when
/// the key is not the backup's; kUnavailable when `report` gave up.
Result<VerifyOutcome> VerifyBackup(const std::string& path, uint32_t id, const VerifyKeys& keys,
                                   const ProgressReport& report);

}  // namespace tintype::cli
