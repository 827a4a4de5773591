#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "crypto/secret_key.h"

namespace rocksdb {
class BackupEngine;
class FileSystem;
}  // namespace rocksdb

namespace tintype::tables::engine {

class Storage;

/// One file of a backup of the tables.
struct TablesBackupFile {
  std::string stored;  ///< Where it is, relative to the folder of the backups.
  std::string name;    ///< What it is called among the tables' files; empty for the backup's own
                       ///< record, which is not restored.
};

/// A backup of the tables: copied to their `name`s, its files are the tables of one moment.
struct TablesBackup {
  uint32_t id = 0;
  std::vector<TablesBackupFile> files;
};

/// The backups of the tables in one folder, kept by RocksDB's BackupEngine: sorted files, which
/// never change, are stored once for all backups that have them. Every file is read and written
/// through the file system of the open tables, so what is encrypted there is encrypted here, with
/// the same keys.
///
/// Owned by whoever makes a backup, for as long as that takes; the tables must stay open. Not
/// thread-safe, and only one of these may be open on a folder: callers lock it. After a crash the
/// folder holds every backup that was complete, and files that are in none, which the next Create
/// removes.
class TablesBackups {
 public:
  /// Told of the bytes copied so far, of the bytes expected. False: give up.
  using Report = std::function<bool(uint64_t done, uint64_t total)>;

  /// Opens the folder, creating it if need be; the folder above must exist. Errors: kIo.
  static Result<std::unique_ptr<TablesBackups>> Open(Storage& storage, std::string folder);
  ~TablesBackups();
  TablesBackups(const TablesBackups&) = delete;
  TablesBackups& operator=(const TablesBackups&) = delete;

  /// The backups that can be read, oldest first, and those that cannot: because their record is
  /// damaged, files of theirs are missing, or they were encrypted with a key that these tables do
  /// not have. Create and Delete would remove files of the latter, so check before.
  std::vector<uint32_t> ids() const;
  std::vector<uint32_t> damaged_ids() const;

  /// Copies the tables as of one moment, while they are read and written: the sorted files that no
  /// earlier backup has, and the write-ahead log up to that moment. Everything is on disk when this
  /// returns. Errors: kUnavailable when `report` gave up; kIo, saying what was refused, such as "No
  /// space left on device". Neither leaves a backup, nor affects the tables.
  Result<TablesBackup> Create(const Report& report);

  /// Removes a backup, readable or not, with the files that no other has.
  Status Delete(uint32_t id);

 private:
  TablesBackups(Storage& storage, std::string folder);
  uint64_t BytesToCopy() const;

  Storage& storage_;
  const std::string folder_;
  std::unique_ptr<rocksdb::BackupEngine> engine_;
};

/// What encrypted tables are read through, given the content of their file KEYS, which `path` names
/// in messages. Errors: those of Keyring::Open, kValidation for the wrong master key above all.
Result<std::shared_ptr<rocksdb::FileSystem>> OpenEncryptedFiles(std::string_view keys,
                                                                const crypto::SecretKey& master,
                                                                const std::string& path);

/// Reads every file of a backup through `files` and compares it with the checksum that was taken
/// from the tables' own files when they were copied. Null: the operating system's files. Errors:
/// kCorruption, kNotFound or kIo, naming the file.
Status VerifyTablesBackup(const std::shared_ptr<rocksdb::FileSystem>& files,
                          const std::string& folder, uint32_t id);

}  // namespace tintype::tables::engine
