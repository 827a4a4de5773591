#pragma once

#include <string>

#include "base/result.h"
#include "cli/settings/config.h"

namespace tintype::cli {

struct RotateMasterConfig {
  std::string data_dir;
  /// Where the key that is in use comes from.
  MasterKeySource source;
  /// The file of the new key, which is created if it does not exist. Empty: a random one takes the
  /// place of the data directory's own `master.key`.
  std::string new_key_file;
};

/// `tintype keys rotate-master`: seals the data keys by another master key, and lets files that are
/// written from now on use a new data key. No data is rewritten. The server must be stopped.
///
/// A crash at any point leaves a key in its place that opens the tables. In order: the new key is
/// on disk; the old one, if it is the directory's own, is kept under its fingerprint, since backups
/// made before need it; the keyring is sealed by the new key, which decides; the directory's own
/// key is replaced or removed. The next start does what is missing after the decisive step.
Status RotateMaster(const RotateMasterConfig& config);

/// `tintype rotate data-keys`: has files that are written from now on use a new data key. Those
/// from before keep theirs, which stays in the keyring. The server must be stopped. After a crash
/// there is a new key or not.
Status RotateDataKeys(const std::string& data_dir, const MasterKeySource& source);

}  // namespace tintype::cli
