#include "tables/engine/encryption/keyring_file.h"

#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <sys/stat.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/strings.h"
#include "crypto/secret_key.h"
#include "tables/language/errors.h"

namespace tintype::tables::engine {
namespace {

using rocksdb::FileOptions;
using rocksdb::IOOptions;
using rocksdb::IOStatus;

constexpr uint64_t kFileBytesMax = uint64_t{16} << 20;

Error Failed(std::string_view action, const std::string& path, const IOStatus& status) {
  return Error::Io(StrCat("Cannot ", action, " ", path, ": ", status.ToString()));
}

/// Nothing if there is no such file.
Result<std::optional<std::string>> ReadKeyringFile(const DirectoryLock& lock) {
  const std::string path = KeyringPath(lock.directory());
  uint64_t size = 0;
  IOStatus status = lock.files().GetFileSize(path, IOOptions(), &size, nullptr);
  if (status.IsNotFound() || status.IsPathNotFound()) {
    return std::optional<std::string>();
  }
  if (status.ok() && size > kFileBytesMax) {
    return Error::Corruption(StrCat("The key file ", path, " is damaged (it is too large)."));
  }
  std::string content;
  if (status.ok()) {
    status = rocksdb::ReadFileToString(&lock.files(), path, &content);
  }
  if (!status.ok()) {
    return Failed("read", path, status);
  }
  return std::optional<std::string>(std::move(content));
}

IOStatus WriteAndSync(rocksdb::FileSystem& files, const std::string& path,
                      const std::string& content) {
  std::unique_ptr<rocksdb::FSWritableFile> file;
  IOStatus status = files.NewWritableFile(path, FileOptions(), &file, nullptr);
  if (!status.ok()) {
    return status;
  }
  // RocksDB's files are as open as the process makes them. The content of this one is sealed;
  // closing it keeps others from collecting it until they find the key. A file system without modes
  // does without.
  static_cast<void>(::chmod(path.c_str(), 0600));
  status = file->Append(content, IOOptions(), nullptr);
  if (status.ok()) {
    status = file->Sync(IOOptions(), nullptr);
  }
  const IOStatus closed = file->Close(IOOptions(), nullptr);
  return status.ok() ? closed : status;
}

/// After a crash the file has its old content or the new one.
Status WriteKeyringFile(const DirectoryLock& lock, const std::string& content) {
  const std::string path = KeyringPath(lock.directory());
  const std::string temporary = path + ".tmp";
  rocksdb::FileSystem& files = lock.files();
  IOStatus status = WriteAndSync(files, temporary, content);
  if (status.ok()) {
    status = files.RenameFile(temporary, path, IOOptions(), nullptr);
  }
  std::unique_ptr<rocksdb::FSDirectory> folder;
  if (status.ok()) {
    status = files.NewDirectory(lock.directory(), IOOptions(), &folder, nullptr);
  }
  if (status.ok()) {
    status = folder->Fsync(IOOptions(), nullptr);
  }
  return status.ok() ? OkStatus() : Status(Failed("write", path, status));
}

bool IsTableFile(const std::string& name) {
  return name == "CURRENT" || name.starts_with("MANIFEST-") || name.ends_with(".log") ||
         name.ends_with(".sst");
}

Result<bool> HasTables(const DirectoryLock& lock) {
  std::vector<std::string> names;
  const IOStatus status = lock.files().GetChildren(lock.directory(), IOOptions(), &names, nullptr);
  if (!status.ok()) {
    return Failed("list", lock.directory(), status);
  }
  return std::any_of(names.begin(), names.end(), IsTableFile);
}

}  // namespace

Result<std::unique_ptr<DirectoryLock>> DirectoryLock::Take(
    std::shared_ptr<rocksdb::FileSystem> files, std::string directory) {
  if (!files) {
    files = rocksdb::FileSystem::Default();
  }
  IOStatus status = files->CreateDirIfMissing(directory, IOOptions(), nullptr);
  if (!status.ok()) {
    return Failed("create", directory, status);
  }
  rocksdb::FileLock* lock = nullptr;
  status = files->LockFile(directory + "/LOCK", IOOptions(), &lock, nullptr);
  // The other failure is that the file cannot be opened.
  const std::string text = status.ToString();
  if (!status.ok() && text.find("open a file for lock") != std::string::npos) {
    return Failed("lock", directory, status);
  }
  if (!status.ok()) {
    return Error(tables::reasons::kAlreadyOpen,
                 StrCat("The directory ", directory, " is in use by another process."))
        .WithNote(text);
  }
  return std::unique_ptr<DirectoryLock>(
      new DirectoryLock(std::move(files), std::move(directory), lock));
}

DirectoryLock::DirectoryLock(std::shared_ptr<rocksdb::FileSystem> files, std::string directory,
                             rocksdb::FileLock* lock)
    : files_(std::move(files)), directory_(std::move(directory)), lock_(lock) {}

DirectoryLock::~DirectoryLock() {
  files_->UnlockFile(lock_, IOOptions(), nullptr).PermitUncheckedError();
}

std::string KeyringPath(const std::string& directory) { return directory + "/KEYS"; }

Error MissingKeyring(const std::string& directory) {
  return Error::Corruption(StrCat(
      "The directory ", directory, " holds tables, but its key file ", KeyringPath(directory),
      " is missing. If they are encrypted, bring the file back from a backup; if they were written "
      "with encryption off, they can only be opened so."));
}

Result<DirectoryKeys> InspectDirectoryKeys(const DirectoryLock& lock) {
  DirectoryKeys keys;
  ASSIGN_OR_RETURN(keys.has_tables, HasTables(lock));
  ASSIGN_OR_RETURN(const std::optional<std::string> sealed, ReadKeyringFile(lock));
  if (sealed) {
    ASSIGN_OR_RETURN(keys.master, Keyring::SealedBy(*sealed, KeyringPath(lock.directory())));
  }
  return keys;
}

Result<Keyring> OpenKeyring(const DirectoryLock& lock, const crypto::SecretKey& master,
                            int64_t now_ms) {
  const std::string path = KeyringPath(lock.directory());
  ASSIGN_OR_RETURN(const std::optional<std::string> sealed, ReadKeyringFile(lock));
  if (!sealed) {
    ASSIGN_OR_RETURN(const bool has_tables, HasTables(lock));
    if (has_tables) {
      return MissingKeyring(lock.directory());
    }
    Keyring keyring = Keyring::Create(now_ms);
    RETURN_IF_ERROR(WriteKeyringFile(lock, keyring.Seal(master)));
    return keyring;
  }
  ASSIGN_OR_RETURN(Keyring keyring, Keyring::Open(*sealed, master, path));
  if (now_ms - keyring.newest().created_ms > kDataKeyAgeMaxMs) {
    keyring.Add(now_ms);
    RETURN_IF_ERROR(WriteKeyringFile(lock, keyring.Seal(master)));
  }
  return keyring;
}

Status RotateKeyring(const DirectoryLock& lock, const MasterKeys& keys, int64_t now_ms) {
  const std::string path = KeyringPath(lock.directory());
  ASSIGN_OR_RETURN(const std::optional<std::string> sealed, ReadKeyringFile(lock));
  if (!sealed) {
    return Error::NotFound(StrCat("There is no key file ", path, ", so nothing to rotate."));
  }
  ASSIGN_OR_RETURN(Keyring keyring, Keyring::Open(*sealed, keys.old_key, path));
  keyring.Add(now_ms);
  return WriteKeyringFile(lock, keyring.Seal(keys.new_key));
}

}  // namespace tintype::tables::engine
