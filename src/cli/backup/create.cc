#include "cli/backup/create.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "base/files.h"
#include "base/strings.h"
#include "cli/backup/checksum.h"
#include "cli/backup/data_files.h"
#include "cli/backup/directory.h"
#include "cli/backup/keys.h"
#include "cli/backup/manifest.h"

namespace tintype::cli {
namespace {

using tables::engine::TablesBackup;
using tables::engine::TablesBackupFile;
using tables::engine::TablesBackups;

std::string FileName(std::string_view sha256) {
  return StrCat("files/", sha256.substr(0, 2), "/", sha256);
}

/// The size of a file; nothing if it is not there.
std::optional<uint64_t> SizeOf(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 ? std::optional(static_cast<uint64_t>(status.st_size))
                                            : std::nullopt;
}

/// Whether there is no such file; false if that cannot be told.
bool IsGone(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) != 0 && errno == ENOENT;
}

/// One call of CreateBackup.
class Creation {
 public:
  Creation(LockedBackupDirectory directory, const BackupRequest& request,
           const ProgressReport& report)
      : directory_(std::move(directory)), request_(request), report_(report) {}

  Status OpenTables(EmbeddedTables& tables) {
    ASSIGN_OR_RETURN(tables_, tables.OpenBackups(directory_.tables()));
    return OkStatus();
  }

  /// Reads the manifests of earlier backups, and removes what is left of one that was interrupted.
  Status CleanUp();
  Status CopyTables(const Clock& clock);
  Status CopyFiles();
  /// Whether the tables can be decrypted again, given the master key. Returns its fingerprint.
  Result<std::string> CheckKeys() const;
  Status WriteManifest();
  /// Returns how many backups were removed.
  Result<uint64_t> RemoveOld();

  const BackupManifest& manifest() const { return manifest_; }

 private:
  Status CheckReadable() const;
  Status SumTables(const TablesBackup& backup);
  bool IsStored(const Checksum& sum) const {
    return SizeOf(PathOf(FileName(sum.sha256))) == sum.bytes;
  }
  Result<Checksum> Store(const std::string& from, const OnPiece& on_piece);
  /// Adds what is read to `step`, and reports it.
  OnPiece Counting(ProgressStep& step) const;
  Status RemoveUnused() const;
  std::string DataPath(const std::string& name) const {
    return StrCat(request_.data_dir, "/", name);
  }
  std::string PathOf(const std::string& stored) const {
    return StrCat(directory_.path, "/", stored);
  }

  const LockedBackupDirectory directory_;
  const BackupRequest& request_;
  const ProgressReport& report_;
  std::unique_ptr<TablesBackups> tables_;
  std::map<uint32_t, BackupManifest> earlier_;
  std::set<std::string> unsynced_folders_;
  BackupManifest manifest_;
};

Status Creation::CheckReadable() const {
  // RocksDB removes the files of backups that it cannot read, along with everything else that it
  // does not know.
  const std::vector<uint32_t> ids = tables_->ids();
  const std::set<uint32_t> readable(ids.begin(), ids.end());
  for (const auto& [id, manifest] : earlier_) {
    if (!readable.contains(id)) {
      return Error::Corruption(
          StrCat("Backup ", id, " in ", directory_.path,
                 " cannot be read: its tables are damaged, or encrypted with keys that this data "
                 "directory does not have. Nothing was changed. Back up to another directory; or, "
                 "to give that backup up, delete ",
                 directory_.manifest(id), "."));
    }
  }
  return OkStatus();
}

Status Creation::CleanUp() {
  ASSIGN_OR_RETURN(std::vector<ListedBackup> backups, ListBackups(directory_));
  for (ListedBackup& backup : backups) {
    if (!backup.manifest.ok()) {
      return Error::Corruption(StrCat(backup.manifest.error().message(),
                                      ". Nothing was changed. Back up to another directory; or, to "
                                      "give that backup up, delete the file."));
    }
    earlier_.emplace(backup.id, *std::move(backup.manifest));
  }
  RETURN_IF_ERROR(CheckReadable());
  for (const std::vector<uint32_t>& ids : {tables_->ids(), tables_->damaged_ids()}) {
    for (const uint32_t id : ids) {
      if (!earlier_.contains(id)) {
        RETURN_IF_ERROR(tables_->Delete(id));
      }
    }
  }
  return RemoveUnused();
}

Status Creation::CopyTables(const Clock& clock) {
  manifest_.created_ms = clock.NowMs();
  ASSIGN_OR_RETURN(const TablesBackup backup, tables_->Create([&](uint64_t done, uint64_t total) {
    return report_({"tables", done, total});
  }));
  manifest_.id = backup.id;
  return SumTables(backup);
}

Status Creation::SumTables(const TablesBackup& backup) {
  // A shared file is never written again under the same name, so an earlier sum of it holds.
  // RocksDB has compared its size with that of the tables' file.
  std::map<std::string_view, const BackupFile*> known;
  for (const auto& [id, manifest] : earlier_) {
    for (const BackupFile& file : manifest.files) {
      if (file.stored.starts_with("tables/shared_checksum/")) {
        known[file.stored] = &file;
      }
    }
  }
  ProgressStep summed{"checksums", 0, 0};
  std::vector<BackupFile*> unknown;
  manifest_.files.reserve(backup.files.size());
  for (const TablesBackupFile& file : backup.files) {
    BackupFile& added = manifest_.files.emplace_back();
    added.stored = StrCat("tables/", file.stored);
    added.target = file.name.empty() ? "" : StrCat("tables/", file.name);
    if (const auto it = known.find(added.stored); it != known.end()) {
      added.sum = it->second->sum;
    } else {
      unknown.push_back(&added);
      summed.total += SizeOf(PathOf(added.stored)).value_or(0);
    }
  }
  for (BackupFile* file : unknown) {
    ASSIGN_OR_RETURN(file->sum, ChecksumOfFile(PathOf(file->stored), Counting(summed)));
    manifest_.new_bytes += file->sum.bytes;
  }
  return OkStatus();
}

Status Creation::CopyFiles() {
  ASSIGN_OR_RETURN(const std::vector<std::string> names,
                   ListDataFiles({request_.data_dir, directory_.path, request_.master_key_file}));
  ProgressStep compared{"compare files", 0, 0};
  for (const std::string& name : names) {
    compared.total += SizeOf(DataPath(name)).value_or(0);
  }
  std::vector<std::string> missing;
  ProgressStep copied{"files", 0, 0};
  for (const std::string& name : names) {
    const auto sum = ChecksumOfFile(DataPath(name), Counting(compared));
    if (sum.ok() && IsStored(*sum)) {
      manifest_.files.push_back({FileName(sum->sha256), name, *sum});
    } else if (sum.ok()) {
      missing.push_back(name);
      copied.total += sum->bytes;
    } else if (!IsGone(DataPath(name))) {
      return sum.error();
    }  // Else it has been removed since it was listed.
  }
  for (const std::string& name : missing) {
    const auto sum = Store(DataPath(name), Counting(copied));
    if (sum.ok()) {
      manifest_.files.push_back({FileName(sum->sha256), name, *sum});
      manifest_.new_bytes += sum->bytes;
    } else if (!IsGone(DataPath(name))) {
      return sum.error();
    }
  }
  return OkStatus();
}

Result<std::string> Creation::CheckKeys() const {
  // The server has its keys in memory, and would not notice that the file is gone or damaged.
  Result<std::string> keys = CheckBackupKeys(directory_, manifest_);
  if (keys.ok()) {
    return keys;
  }
  return Error(
      keys.error().kind(),
      StrCat(
          "No backup was made and none removed, since nobody could read the new one: the copy of ",
          DataPath("tables/KEYS"), " is not whole. ", keys.error().message()));
}

OnPiece Creation::Counting(ProgressStep& step) const {
  return [this, &step](uint64_t bytes) {
    step.done = std::min(step.done + bytes, step.total);
    return report_(step);
  };
}

Result<Checksum> Creation::Store(const std::string& from, const OnPiece& on_piece) {
  const std::string unfinished = PathOf("files/new.tmp");
  if (::unlink(unfinished.c_str()) != 0 && errno != ENOENT) {
    return FileError("remove", unfinished);
  }
  // Summed once more: the name is that of what was written, even if the file has changed meanwhile.
  ASSIGN_OR_RETURN(Checksum sum, CopyFile(from, unfinished, on_piece));
  const std::string path = PathOf(FileName(sum.sha256));
  const std::string folder = ParentFolder(path);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return FileError("create", folder);
  }
  if (::rename(unfinished.c_str(), path.c_str()) != 0) {
    return FileError("rename", unfinished);
  }
  unsynced_folders_.insert(folder);
  return sum;
}

Status Creation::WriteManifest() {
  unsynced_folders_.insert(directory_.files());
  unsynced_folders_.insert(directory_.path);  // RocksDB has created the folder `tables` in it.
  for (const std::string& folder : unsynced_folders_) {
    RETURN_IF_ERROR(SyncFolder(folder));
  }
  RETURN_IF_ERROR(
      WriteFileAtomically(directory_.manifest(manifest_.id), FormatManifest(manifest_), 0600));
  earlier_.emplace(manifest_.id, manifest_);
  return OkStatus();
}

Result<uint64_t> Creation::RemoveOld() {
  uint64_t removed = 0;
  while (request_.keep > 0 && earlier_.size() > request_.keep) {
    const uint32_t id = earlier_.begin()->first;
    // The manifest goes first, so that nothing is listed that is not whole.
    if (::unlink(directory_.manifest(id).c_str()) != 0 && errno != ENOENT) {
      return FileError("remove", directory_.manifest(id));
    }
    RETURN_IF_ERROR(SyncFolder(directory_.manifests()));
    RETURN_IF_ERROR(tables_->Delete(id));
    earlier_.erase(id);
    ++removed;
  }
  if (removed > 0) {
    RETURN_IF_ERROR(RemoveUnused());
  }
  return removed;
}

Status Creation::RemoveUnused() const {
  std::set<std::string, std::less<>> used;
  for (const auto& [id, manifest] : earlier_) {
    used.insert(directory_.manifest(id));
    for (const BackupFile& file : manifest.files) {
      used.insert(PathOf(file.stored));
    }
  }
  std::vector<std::filesystem::path> unused;
  std::error_code error;
  for (const std::string& folder : {directory_.files(), directory_.manifests()}) {
    std::filesystem::recursive_directory_iterator entries(folder, error);
    for (; !error && entries != std::filesystem::recursive_directory_iterator();
         entries.increment(error)) {
      if (entries->is_regular_file(error) && !used.contains(entries->path().native())) {
        unused.push_back(entries->path());
      }
    }
    if (error) {
      return Error::Io(StrCat("Cannot list ", folder, ": ", error.message()));
    }
  }
  for (const std::filesystem::path& path : unused) {
    if (::unlink(path.c_str()) != 0) {
      return FileError("remove", path.string());
    }
  }
  return OkStatus();
}

Status CheckApart(const BackupRequest& request) {
  std::error_code error;
  const std::string data = std::filesystem::weakly_canonical(request.data_dir, error).string();
  const std::string to = std::filesystem::weakly_canonical(request.to, error).string();
  if (StrCat(to, "/").starts_with(StrCat(data, "/"))) {
    return Error::Validation(StrCat("The backup directory ", request.to,
                                    " is inside the data directory ", request.data_dir,
                                    ". Name one elsewhere, best on another disk."));
  }
  return OkStatus();
}

}  // namespace

Result<BackupOutcome> CreateBackup(EmbeddedTables& tables, const BackupRequest& request,
                                   const Clock& clock, const ProgressReport& report) {
  RETURN_IF_ERROR(CheckApart(request));
  ASSIGN_OR_RETURN(LockedBackupDirectory directory, OpenBackupsForWriting(request.to));
  Creation creation(std::move(directory), request, report);
  RETURN_IF_ERROR(creation.OpenTables(tables));
  RETURN_IF_ERROR(creation.CleanUp());
  RETURN_IF_ERROR(creation.CopyTables(clock));
  RETURN_IF_ERROR(creation.CopyFiles());
  ASSIGN_OR_RETURN(std::string master_key, creation.CheckKeys());
  RETURN_IF_ERROR(creation.WriteManifest());
  const BackupManifest& manifest = creation.manifest();
  BackupOutcome outcome;
  outcome.id = manifest.id;
  outcome.files = manifest.files.size();
  outcome.bytes = manifest.bytes();
  outcome.new_bytes = manifest.new_bytes;
  outcome.master_key = std::move(master_key);
  Result<uint64_t> removed = creation.RemoveOld();
  if (!removed.ok()) {
    return Error(removed.error().kind(),
                 StrCat("Backup ", manifest.id, " is complete, but older ones were not removed: ",
                        removed.error().message()));
  }
  outcome.removed = *removed;
  return outcome;
}

}  // namespace tintype::cli
