#pragma once

#include <rocksdb/sst_file_reader.h>

#include <memory>
#include <string>
#include <vector>

#include "tables/engine/commit/core.h"
#include "tables/engine/recovery/table_backup_manifest.h"
#include "tables/engine/registry/backup_info.h"

/// The files of a table's backup: sorted files of rows and a manifest, in a directory of their own
/// (docs/formats/table_backup.md). They need nothing but the keys they are encrypted with.
namespace tintype::tables::engine {

/// Writes the rows of a table as of a snapshot. The directory appears when all of it is on disk;
/// what an earlier attempt left is removed first. Fails with kUnavailable when the engine stops.
Status WriteBackupFiles(Core& core, const BackupInfo& backup, const rocksdb::Snapshot* snapshot);

/// Reads every byte and compares with the checksums and counts. The error says what is damaged.
Status VerifyBackupFiles(Core& core, const BackupInfo& backup);

/// The sorted files of a backup, in order, opened to be read.
class BackupFiles {
 public:
  static Result<BackupFiles> Open(Core& core, const BackupInfo& backup);
  size_t size() const { return files_.size(); }
  /// Rows of one file: keys are those of `data` without table and index id.
  Result<std::unique_ptr<rocksdb::SstFileReader>> Read(size_t file) const;

 private:
  friend Status VerifyBackupFiles(Core& core, const BackupInfo& backup);
  rocksdb::Options options_;
  std::string directory_;
  std::vector<TableBackupManifest::File> files_;
};

/// Removes the files of a backup that is not listed any more.
void RemoveBackupFiles(Core& core, const std::string& id);

/// Begins making a backup that is listed as being made, of the moment that the snapshot shows.
void BeginBackup(Core& core, const BackupInfo& backup, std::shared_ptr<ScopedSnapshot> snapshot);

/// After opening: makes backups anew that were being made, and removes files of none. Their moment
/// is lost with the process; they show one after the restart, and say so.
void ResumeBackups(Core& core);

/// Deletes backups that have been kept long enough.
void RemoveExpiredBackups(Core& core, int64_t now_ms);

}  // namespace tintype::tables::engine
