#include "cli/backup/restore.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/strings.h"
#include "cli/backup/checksum.h"
#include "cli/backup/directory.h"
#include "cli/backup/keys.h"

namespace tintype::cli {
namespace {

namespace fs = std::filesystem;

/// A directory that becomes a data directory when everything is in it, or goes away.
class UnfinishedDirectory {
 public:
  /// REQUIRES: `target` is absolute and does not end in a slash.
  explicit UnfinishedDirectory(std::string target)
      : target_(std::move(target)),
        path_(target_ + ".restoring"),
        marker_(StrCat(path_, "/", kRestoringName)) {}
  ~UnfinishedDirectory() {
    if (marker_file_.valid()) {
      std::error_code ignored;
      fs::remove_all(path_, ignored);
    }
  }
  UnfinishedDirectory(const UnfinishedDirectory&) = delete;
  UnfinishedDirectory& operator=(const UnfinishedDirectory&) = delete;

  const std::string& path() const { return path_; }

  /// Removes what an interrupted restore left, and begins anew.
  Status Begin();
  /// Syncs all folders and gives the directory its name.
  Status Finish();

 private:
  Status RemoveLeftover();
  Result<Descriptor> LockMarker(int flags) const;

  const std::string target_;
  const std::string path_;
  const std::string marker_;  // Says that the directory is ours to remove.
  Descriptor marker_file_;    // Locked while the restore goes on.
};

Result<Descriptor> UnfinishedDirectory::LockMarker(int flags) const {
  Descriptor file(::open(marker_.c_str(), flags | O_CLOEXEC, 0600));
  if (!file.valid()) {
    return FileError("open", marker_);
  }
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    return Error::InUse(StrCat("Another command is restoring to ", target_));
  }
  return file;
}

Status UnfinishedDirectory::RemoveLeftover() {
  auto lock = LockMarker(O_RDWR);
  if (!lock.ok() && lock.error().kind() == ErrorKind::kNotFound) {
    // A crash right after it was made left it empty; anything else in there is not of a restore.
    if (::rmdir(path_.c_str()) == 0) {
      return OkStatus();
    }
    return Error::Validation(
        StrCat(path_, " is in the way, and was not left by an interrupted restore. Move it away."));
  }
  if (!lock.ok()) {
    return std::move(lock).error();
  }
  std::error_code error;
  // The marker goes last: without it, the rest would not be known as ours.
  for (const fs::directory_entry& entry : fs::directory_iterator(path_, error)) {
    if (!error && entry.path() != marker_) {
      fs::remove_all(entry.path(), error);
    }
  }
  if (!error) {
    fs::remove_all(path_, error);
  }
  return error ? Status(Error::Io(StrCat("Cannot remove ", path_, ": ", error.message())))
               : OkStatus();
}

Status UnfinishedDirectory::Begin() {
  if (::mkdir(path_.c_str(), 0700) != 0) {
    if (errno != EEXIST) {
      return FileError("create", path_);
    }
    RETURN_IF_ERROR(RemoveLeftover());
    if (::mkdir(path_.c_str(), 0700) != 0) {
      return FileError("create", path_);
    }
  }
  ASSIGN_OR_RETURN(marker_file_, LockMarker(O_RDWR | O_CREAT | O_EXCL));
  return OkStatus();
}

Status UnfinishedDirectory::Finish() {
  std::error_code error;
  for (fs::recursive_directory_iterator it(path_, error), end; !error && it != end;
       it.increment(error)) {
    if (it->is_directory(error)) {
      RETURN_IF_ERROR(SyncFolder(it->path().string()));
    }
  }
  if (error) {
    return Error::Io(StrCat("Cannot list ", path_, ": ", error.message()));
  }
  RETURN_IF_ERROR(SyncFolder(path_));
  // Takes the place of an empty directory, and fails if it is not empty any more.
  if (::rename(path_.c_str(), target_.c_str()) != 0) {
    return FileError("give the restored directory its name,", target_);
  }
  marker_file_ = Descriptor();
  // After it has its name: without the marker and without the name, nobody would know whose it is.
  // A crash in between leaves the marker in a directory that is whole. It means nothing there, and
  // stays: backups leave it out, and restoring skips it in those that have it nevertheless.
  const std::string marker = StrCat(target_, "/", kRestoringName);
  if (::unlink(marker.c_str()) != 0) {
    return FileError("remove", marker);
  }
  RETURN_IF_ERROR(SyncFolder(target_));
  return SyncFolder(ParentFolder(target_));
}

/// Whether the target is free, and a directory beside it can be renamed to it.
Status CheckTarget(const std::string& target, const std::string& backups) {
  std::error_code error;
  const std::string parent = ParentFolder(target);
  struct stat parent_status {};
  if (::stat(parent.c_str(), &parent_status) != 0) {
    return FileError("restore below", parent);
  }
  if (StrCat(fs::weakly_canonical(target, error).string(), "/")
          .starts_with(StrCat(fs::weakly_canonical(backups, error).string(), "/"))) {
    return Error::Validation(StrCat("The new data directory ", target,
                                    " is inside the backup directory. Name one elsewhere."));
  }
  struct stat status {};
  if (::lstat(target.c_str(), &status) != 0) {
    return errno == ENOENT ? OkStatus() : Status(FileError("look at", target));
  }
  if (!S_ISDIR(status.st_mode) || !fs::is_empty(target, error) || error) {
    return Error::Validation(StrCat("The new data directory ", target,
                                    " exists already and is not an empty directory. Nothing was "
                                    "changed; name another --data-dir."));
  }
  if (status.st_dev != parent_status.st_dev) {
    return Error::Validation(StrCat("The new data directory ", target,
                                    " is a disk of its own. Restore to a directory on it, such as ",
                                    target, "/data."));
  }
  return OkStatus();
}

/// Whether a file of a backup belongs in the data directory. The marker is in backups, made by
/// earlier versions, of a directory whose own restore was killed at its very end.
bool IsRestored(const BackupFile& file) {
  return !file.target.empty() && file.target != kRestoringName;
}

Status RestoreFile(const BackupDirectory& directory, const BackupFile& file,
                   const std::string& folder, const OnPiece& on_piece) {
  const std::string from = StrCat(directory.path, "/", file.stored);
  const std::string to = StrCat(folder, "/", file.target);
  const std::string parent = ParentFolder(to);
  std::error_code error;
  fs::create_directories(parent, error);
  if (error) {
    return Error::Io(StrCat("Cannot create ", parent, ": ", error.message()));
  }
  ASSIGN_OR_RETURN(const Checksum sum, CopyFile(from, to, on_piece));
  if (sum != file.sum) {
    return Error::Corruption(StrCat("The file ", from,
                                    " is damaged. Nothing was restored; 'tintype backup verify ",
                                    directory.path, "' names everything that is damaged."));
  }
  return OkStatus();
}

}  // namespace

Result<RestoreOutcome> RestoreBackup(const RestoreRequest& request, const ProgressReport& report) {
  ASSIGN_OR_RETURN(const LockedBackupDirectory directory, OpenBackupsForReading(request.from));
  ASSIGN_OR_RETURN(const BackupManifest manifest, FindBackup(directory, request.id));
  RETURN_IF_ERROR(CheckTarget(request.data_dir, request.from));
  // Folders that are made on the way are the owner's alone, as in any data directory.
  ::umask(077);
  UnfinishedDirectory unfinished(request.data_dir);
  RETURN_IF_ERROR(unfinished.Begin());
  RestoreOutcome outcome;
  outcome.id = manifest.id;
  ProgressStep step{"files", 0, 0};
  for (const BackupFile& file : manifest.files) {
    step.total += IsRestored(file) ? file.sum.bytes : 0;
  }
  for (const BackupFile& file : manifest.files) {
    if (!IsRestored(file)) {
      continue;
    }
    RETURN_IF_ERROR(RestoreFile(directory, file, unfinished.path(), [&](uint64_t bytes) {
      step.done = std::min(step.done + bytes, step.total);
      return report(step);
    }));
    ++outcome.files;
    outcome.bytes += file.sum.bytes;
  }
  ASSIGN_OR_RETURN(outcome.master_key, CheckBackupKeys(directory, manifest));
  RETURN_IF_ERROR(unfinished.Finish());
  return outcome;
}

}  // namespace tintype::cli
