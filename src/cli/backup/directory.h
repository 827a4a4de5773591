#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/descriptor.h"
#include "base/result.h"
#include "cli/backup/manifest.h"

namespace tintype::cli {

/// Where the parts of a backup directory are. It holds any number of backups of one data directory:
///   FORMAT       `tintype-backup 1`
///   LOCK         held by whoever reads or changes it
///   manifests/   one file a complete backup, named by its number
///   tables/      RocksDB's backups of the tables
///   files/       everything else, each content once, named by its SHA-256
struct BackupDirectory {
  std::string path;

  std::string tables() const { return path + "/tables"; }
  std::string files() const { return path + "/files"; }
  std::string manifests() const { return path + "/manifests"; }
  std::string manifest(uint32_t id) const { return manifests() + "/" + std::to_string(id); }
};

/// A backup directory that nobody changes meanwhile, and nobody else reads if it is to be changed.
struct LockedBackupDirectory : BackupDirectory {
  Descriptor lock;
};

/// Opens a backup directory to change it, creating it (mode 0700) when there is none or it is
/// empty. The folder above is not created: if that is missing, a disk probably is not mounted.
/// Errors: kValidation when it holds something else; kInUse when another process uses it;
/// kNotFound, kIo.
Result<LockedBackupDirectory> OpenBackupsForWriting(const std::string& path);

/// Opens one to read it. Errors: as above; kNotFound when it is not a backup directory.
Result<LockedBackupDirectory> OpenBackupsForReading(const std::string& path);

/// A backup as its manifest has it, or what is wrong with the manifest.
struct ListedBackup {
  uint32_t id = 0;
  Result<BackupManifest> manifest;
};

/// Every complete backup, oldest first.
Result<std::vector<ListedBackup>> ListBackups(const BackupDirectory& directory);

/// The manifest of backup `id`, or of the newest one if it is 0. Errors: kNotFound when there is
/// none; kCorruption naming the manifest.
Result<BackupManifest> FindBackup(const BackupDirectory& directory, uint32_t id);

}  // namespace tintype::cli
