#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/admin/socket.h"
#include "cli/settings/config.h"
#include "cli/tables/tables.h"

namespace tintype::cli {

/// The commands `tintype backup` and `tintype restore`. Each shows progress on standard error and
/// writes its outcome to standard output; with `json` both are lines of admin/message.h on standard
/// output.

struct BackupArguments {
  std::string directory;  ///< The backup directory.
  uint32_t id = 0;        ///< Which backup; 0: the newest.
  uint32_t keep = 0;      ///< How many to keep; 0: all.
  bool json = false;
};

/// Asks the server that has the data directory open to make the backup, or makes it when none has.
/// `config` is what the directory is opened with then.
Status RunBackupCreate(const BackupArguments& arguments, const ServeConfig& config);

/// One line a backup, oldest first.
Status RunBackupList(const BackupArguments& arguments);

/// Prints a line for each damaged file. `config` says where the master key is; without the key, if
/// none was named and the data directory has none that fits, what is encrypted is compared with its
/// checksums alone. Errors: kCorruption when anything is damaged.
Status RunBackupVerify(const BackupArguments& arguments, const MasterKeyConfig& config);

/// REQUIRES: called before any other thread exists, since it changes the umask.
Status RunRestore(const BackupArguments& arguments, const std::string& data_dir);

/// What a server does for RunBackupCreate. The parameters must outlive it.
AdminCommand BackupCommand(EmbeddedTables& tables, const ServeConfig& config);

}  // namespace tintype::cli
