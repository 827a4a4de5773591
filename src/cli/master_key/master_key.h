#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/settings/config.h"
#include "cli/settings/data_directory.h"
#include "crypto/secret_key.h"
#include "tables/engine/encryption/keyring_file.h"

namespace tintype::cli {

/// Reads a master key: 64 hexadecimal digits, base64 of 32 bytes, both with or without an end of
/// line, or 32 bytes as they are, unless they look like text. The error, kValidation, names
/// `source` and never what was in it.
Result<crypto::SecretKey> ParseMasterKey(std::string_view text, std::string_view source);

/// The key in a file. Errors: kNotFound, kIo; kValidation when it holds none or, with
/// `private_only`, when others than its owner may read it.
Result<crypto::SecretKey> ReadMasterKeyFile(const std::string& path, bool private_only);

/// Writes a key as ReadMasterKeyFile reads it, for its owner alone. A crash leaves what was there
/// or the new key.
Status WriteMasterKeyFile(const std::string& path, const crypto::SecretKey& key);

/// Returns once a key file that somebody else wrote is on disk, so that a power cut does not take
/// the key along after a keyring was sealed by it. Does nothing for a pipe or a device. Errors:
/// kIo.
Status SyncMasterKeyFile(const std::string& path);

/// The key of a data directory whose operator named none: `master.key` in it, created for a
/// directory that has no tables yet. Finishes a rotation that was interrupted (rotate.h).
/// Errors: as ReadMasterKeyFile; kNotFound when there are tables and the key is missing;
/// kCorruption when their keyring is.
Result<crypto::SecretKey> OpenDefaultMasterKey(const DataDirectory& directory,
                                               const tables::engine::DirectoryLock& lock);

/// The last step of a rotation: the next master key becomes the one that is used.
Status PutNextMasterKeyInPlace(const DataDirectory& directory);

/// The master key, wherever it comes from. A file is on disk when this returns, if the tables do
/// not depend on it yet. Errors: as above; kAlreadyOpen when it lies in the data directory and
/// another process holds that.
Result<crypto::SecretKey> LoadMasterKey(const DataDirectory& directory,
                                        const MasterKeySource& source);

/// The same for a key that was named. REQUIRES: !source.IsDefault().
Result<crypto::SecretKey> LoadNamedMasterKey(const MasterKeySource& source);

}  // namespace tintype::cli
