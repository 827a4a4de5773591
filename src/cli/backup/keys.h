#pragma once

#include <string>

#include "base/result.h"
#include "cli/backup/directory.h"
#include "cli/backup/manifest.h"

namespace tintype::cli {

/// The file with the wrapped data keys in a backup; null if it has none.
const BackupFile* FindWrappedKeys(const BackupManifest& manifest);

/// Whether whoever has the master key can decrypt the tables of a backup: if they are encrypted,
/// their `tables/KEYS` is in it and undamaged as it is stored. Returns the fingerprint of that
/// master key; empty when they are not encrypted. Needs no key. Errors: kCorruption, kNotFound,
/// kIo; kValidation when a newer version wrote the file.
Result<std::string> CheckBackupKeys(const BackupDirectory& directory,
                                    const BackupManifest& manifest);

}  // namespace tintype::cli
