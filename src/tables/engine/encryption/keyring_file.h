#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "crypto/secret_key.h"
#include "tables/engine/encryption/keyring.h"

namespace rocksdb {
class FileLock;
class FileSystem;
}  // namespace rocksdb

namespace tintype::tables::engine {

/// Holds the directory of an engine as RocksDB does while it is open, so that nobody else opens it
/// or changes its keyring. Every writer of the keyring holds this: a data key that two writers lost
/// between them would take the files that were written with it along.
class DirectoryLock {
 public:
  /// `files` null: the operating system's. Creates the directory if it is missing. Errors:
  /// kAlreadyOpen when another process, or a database of this one, holds it; kIo.
  static Result<std::unique_ptr<DirectoryLock>> Take(std::shared_ptr<rocksdb::FileSystem> files,
                                                     std::string directory);
  ~DirectoryLock();
  DirectoryLock(const DirectoryLock&) = delete;
  DirectoryLock& operator=(const DirectoryLock&) = delete;

  rocksdb::FileSystem& files() const { return *files_; }
  const std::string& directory() const { return directory_; }

 private:
  DirectoryLock(std::shared_ptr<rocksdb::FileSystem> files, std::string directory,
                rocksdb::FileLock* lock);

  const std::shared_ptr<rocksdb::FileSystem> files_;
  const std::string directory_;
  rocksdb::FileLock* const lock_;
};

/// What can be told about a directory without any key.
struct DirectoryKeys {
  /// Whether it holds files of RocksDB.
  bool has_tables = false;
  /// The fingerprint of the master key that its keyring is sealed by; absent if it has no keyring.
  std::optional<std::string> master;
};

/// The file `KEYS` of a directory.
std::string KeyringPath(const std::string& directory);

/// Says that a directory has tables and no keyring: kCorruption.
Error MissingKeyring(const std::string& directory);

/// Errors: kCorruption when the keyring is damaged; kIo.
Result<DirectoryKeys> InspectDirectoryKeys(const DirectoryLock& lock);

/// A data key older than this is followed by a new one when the directory is opened.
constexpr int64_t kDataKeyAgeMaxMs = int64_t{90} * 24 * 60 * 60 * 1000;

/// The keyring of the directory; a new one for a directory that has no tables. Adds a data key if
/// the newest is too old. The returned keyring is on disk. Errors: as Keyring::Open; kCorruption
/// when there are tables and no keyring; kIo.
Result<Keyring> OpenKeyring(const DirectoryLock& lock, const crypto::SecretKey& master,
                            int64_t now_ms);

struct MasterKeys {
  crypto::SecretKey old_key;
  crypto::SecretKey new_key;
};

/// Seals the keyring by another master key and adds a data key for the files written from now on.
/// After a crash it is sealed by one or the other. Errors: as Keyring::Open; kNotFound when there
/// is no keyring; kIo.
Status RotateKeyring(const DirectoryLock& lock, const MasterKeys& keys, int64_t now_ms);

}  // namespace tintype::tables::engine
