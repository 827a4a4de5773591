#include "cli/backup/directory.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/numbers.h"
#include "base/strings.h"

namespace tintype::cli {
namespace {

constexpr std::string_view kFormat = "tintype-backup 1\n";

std::string FormatFile(const std::string& path) { return path + "/FORMAT"; }

Status CheckFormat(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string found, ReadFile(FormatFile(path)));
  if (found == kFormat) {
    return OkStatus();
  }
  return Error::Validation(StrCat("The backups in ", path, " have the format '",
                                  found.substr(0, found.find('\n')).substr(0, 80),
                                  "', but this version of Tintype knows only '",
                                  kFormat.substr(0, kFormat.size() - 1), "'"));
}

/// Names in a folder, sorted.
Result<std::vector<std::string>> ListFolder(const std::string& path) {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entries(path, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    names.push_back(entries->path().filename().string());
  }
  if (error) {
    return Error::Io(StrCat("Cannot list ", path, ": ", error.message()));
  }
  std::sort(names.begin(), names.end());
  return names;
}

Status MakeFolder(const std::string& path) {
  return ::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST ? OkStatus()
                                                             : Status(FileError("create", path));
}

Result<Descriptor> Lock(const std::string& path, int flags, int operation) {
  const std::string name = path + "/LOCK";
  Descriptor file(::open(name.c_str(), flags | O_CLOEXEC, 0600));
  if (!file.valid() && errno == ENOENT) {
    return file;  // A copy of a backup directory, without the lock: nobody else knows of it.
  }
  if (!file.valid()) {
    return FileError("open", name);
  }
  if (::flock(file.number(), operation | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) {
      return Error::InUse(StrCat("The backup directory ", path,
                                 " is in use by another command; wait until that has ended"));
    }
    return FileError("lock", name);
  }
  return file;
}

/// Whether a directory holds backups, or nothing that setting it up could leave behind or destroy.
Status CheckOursOrEmpty(const std::string& path) {
  Status format = CheckFormat(path);
  if (format.ok() || format.error().kind() != ErrorKind::kNotFound) {
    return format;
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListFolder(path));
  for (const std::string& name : names) {
    if (name != "LOCK" && name != "FORMAT.tmp" && name != "lost+found") {
      return Error::Validation(
          StrCat(path, " is not a backup directory of Tintype (it has '", name,
                 "' but no FORMAT file). Name another, or an empty or new one."));
    }
  }
  return OkStatus();
}

uint32_t ToId(std::string_view name) { return ParseInteger<uint32_t>(name).value_or(0); }

Result<BackupManifest> ReadManifest(const BackupDirectory& directory, uint32_t id) {
  const std::string path = directory.manifest(id);
  ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
  Result<BackupManifest> manifest = ParseManifest(text);
  if (manifest.ok() && manifest->id != id) {
    manifest = Error::Corruption(StrCat("it is of backup ", manifest->id));
  }
  if (!manifest.ok()) {
    return Error::Corruption(
        StrCat("The file ", path, " is damaged: ", manifest.error().message()));
  }
  return manifest;
}

}  // namespace

Result<LockedBackupDirectory> OpenBackupsForWriting(const std::string& path) {
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return FileError("create", path);
  }
  // Before the lock is made: a folder that holds something else is left as it is.
  RETURN_IF_ERROR(CheckOursOrEmpty(path));
  LockedBackupDirectory directory;
  directory.path = path;
  ASSIGN_OR_RETURN(directory.lock, Lock(path, O_RDWR | O_CREAT, LOCK_EX));
  // Again, since another process may have set it up just now.
  if (const Status format = CheckFormat(path); !format.ok()) {
    RETURN_IF_ERROR(WriteFileAtomically(FormatFile(path), kFormat, 0600));
    RETURN_IF_ERROR(SyncFolder(ParentFolder(path)));
  }
  for (const std::string& folder : {directory.files(), directory.manifests()}) {
    RETURN_IF_ERROR(MakeFolder(folder));
  }
  RETURN_IF_ERROR(SyncFolder(path));
  return directory;
}

Result<LockedBackupDirectory> OpenBackupsForReading(const std::string& path) {
  const Status format = CheckFormat(path);
  if (!format.ok() && format.error().kind() == ErrorKind::kNotFound) {
    return Error::NotFound(StrCat(path, " is not a backup directory of Tintype"));
  }
  RETURN_IF_ERROR(format);
  LockedBackupDirectory directory;
  directory.path = path;
  ASSIGN_OR_RETURN(directory.lock, Lock(path, O_RDONLY, LOCK_SH));
  return directory;
}

Result<std::vector<ListedBackup>> ListBackups(const BackupDirectory& directory) {
  std::vector<ListedBackup> backups;
  std::error_code ignored;
  if (!std::filesystem::exists(directory.manifests(), ignored)) {
    return backups;
  }
  ASSIGN_OR_RETURN(const std::vector<std::string> names, ListFolder(directory.manifests()));
  for (const std::string& name : names) {
    if (const uint32_t id = ToId(name); id != 0) {
      backups.push_back({id, ReadManifest(directory, id)});
    }
  }
  std::sort(backups.begin(), backups.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  return backups;
}

Result<BackupManifest> FindBackup(const BackupDirectory& directory, uint32_t id) {
  ASSIGN_OR_RETURN(std::vector<ListedBackup> backups, ListBackups(directory));
  for (auto backup = backups.rbegin(); backup != backups.rend(); ++backup) {
    if (id == 0 || backup->id == id) {
      return std::move(backup->manifest);
    }
  }
  return Error::NotFound(id == 0
                             ? StrCat(directory.path, " has no complete backup")
                             : StrCat(directory.path, " has no complete backup ", id,
                                      "; 'tintype backup list ", directory.path, "' shows them"));
}

}  // namespace tintype::cli
