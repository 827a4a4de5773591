#include "cli/backup/verify.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/files.h"
#include "base/strings.h"
#include "cli/backup/checksum.h"
#include "cli/backup/directory.h"
#include "cli/backup/keys.h"
#include "tables/engine/recovery/directory_backup.h"

namespace tintype::cli {
namespace {

/// What is wrong with a file that has another checksum than it should; empty if nothing is.
std::string DamageOf(const std::string& path, const Checksum& expected, const Checksum& found) {
  if (found.bytes != expected.bytes) {
    return StrCat("The file ", path, " is damaged: it has ", found.bytes, " bytes instead of ",
                  expected.bytes);
  }
  return found == expected ? std::string()
                           : StrCat("The file ", path, " is damaged: its content has changed");
}

/// Has RocksDB read the tables' files, if they can be read.
Status VerifyTables(const BackupDirectory& directory, const BackupManifest& manifest,
                    const VerifyKeys& keys, VerifyOutcome& outcome) {
  std::shared_ptr<rocksdb::FileSystem> files;  // Null: the system's own.
  if (const auto whole = CheckBackupKeys(directory, manifest); !whole.ok()) {
    outcome.damages.push_back(whole.error().message());
    return OkStatus();
  }
  if (const BackupFile* wrapped = FindWrappedKeys(manifest)) {
    if (!keys.master) {
      return OkStatus();
    }
    const std::string path = StrCat(directory.path, "/", wrapped->stored);
    ASSIGN_OR_RETURN(const std::string content, ReadFile(path));
    auto opened = tables::engine::OpenEncryptedFiles(content, *keys.master, path);
    if (!opened.ok()) {
      const bool other_key = opened.error().kind() == ErrorKind::kValidation;
      return other_key && !keys.required ? OkStatus() : Status(std::move(opened).error());
    }
    files = *std::move(opened);
  }
  outcome.tables_read = true;
  const Status whole = tables::engine::VerifyTablesBackup(files, directory.tables(), manifest.id);
  if (!whole.ok()) {
    outcome.damages.push_back(whole.error().message());
  }
  return OkStatus();
}

}  // namespace

Result<VerifyOutcome> VerifyBackup(const std::string& path, uint32_t id, const VerifyKeys& keys,
                                   const ProgressReport& report) {
  ASSIGN_OR_RETURN(const LockedBackupDirectory directory, OpenBackupsForReading(path));
  ASSIGN_OR_RETURN(const BackupManifest manifest, FindBackup(directory, id));
  VerifyOutcome outcome{manifest.id, manifest.files.size(), manifest.bytes(), {}, false};
  ProgressStep step{"files", 0, outcome.bytes};
  for (const BackupFile& file : manifest.files) {
    const std::string stored = StrCat(directory.path, "/", file.stored);
    const auto sum = ChecksumOfFile(stored, [&](uint64_t bytes) {
      step.done = std::min(step.done + bytes, step.total);
      return report(step);
    });
    if (!sum.ok() && sum.error().kind() == ErrorKind::kUnavailable) {
      return sum.error();
    }
    std::string damage = sum.ok() ? DamageOf(stored, file.sum, *sum)
                         : sum.error().kind() == ErrorKind::kNotFound
                             ? StrCat("The file ", stored, " is missing")
                             : sum.error().message();
    if (!damage.empty()) {
      outcome.damages.push_back(std::move(damage));
    }
  }
  // RocksDB names but one file, so it is asked only when ours is not the better answer.
  if (outcome.damages.empty()) {
    RETURN_IF_ERROR(VerifyTables(directory, manifest, keys, outcome));
  }
  return outcome;
}

}  // namespace tintype::cli
