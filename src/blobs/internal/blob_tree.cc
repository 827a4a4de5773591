#include "blobs/internal/blob_tree.h"

#include <unistd.h>

#include <cerrno>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/strings.h"

namespace tintype::blobs {
namespace {

/// How often folders are made again because another thread found them empty and removed them.
constexpr int kPlaceAttempts = 100;

std::string FolderOf(const std::string& path) { return path.substr(0, path.find_last_of('/')); }

bool IsBucket(const std::string& folder) { return folder.find('/') == std::string::npos; }

}  // namespace

std::string BlobTree::NewTemporary() {
  return StrCat(kTemporaryFolder, "/", ::getpid(), "-", ++temporaries_);
}

Status BlobTree::Place(const std::string& temporary, const std::string& path) {
  SystemError error = ENOENT;
  for (int attempt = 0; attempt < kPlaceAttempts && error == ENOENT; ++attempt) {
    error = MakeFolders(path);
    if (error == 0) {
      const std::shared_lock lock(paths_);
      error = files_.Rename(temporary, path);
    }
  }
  if (error != 0) {
    PruneFolders(path);
    const bool conflict = error == EISDIR || error == ENOTDIR;
    return conflict ? FolderConflict(path) : StorageError(error, "place a blob", path);
  }
  return SyncFolders(path);
}

Status BlobTree::PlaceInstead(const std::string& temporary, const std::string& path,
                              uint64_t number) {
  {
    const std::unique_lock lock(paths_);
    FileStatus there;
    SystemError error = files_.Status(path, there);
    if (IsMissing(error) || (error == 0 && there.number != number)) {
      return Error(ErrorKind::kConditionFailed, "The blob was deleted or replaced meanwhile");
    }
    error = error == 0 ? files_.Rename(temporary, path) : error;
    if (error != 0) {
      return StorageError(error, "place a blob", path);
    }
  }
  return SyncFolders(path);
}

Status BlobTree::LinkUnlessThere(const std::string& from, const std::string& path) {
  SystemError error = ENOENT;
  bool is_gone = false;
  for (int attempt = 0; attempt < kPlaceAttempts && error == ENOENT && !is_gone; ++attempt) {
    error = MakeFolders(path);
    if (error == 0) {
      const std::shared_lock lock(paths_);
      error = files_.Link(from, path);
    }
    FileStatus there;
    is_gone = error == ENOENT && IsMissing(files_.Status(from, there));
  }
  if (is_gone) {
    PruneFolders(path);
    return OkStatus();
  }
  if (error != 0 && error != EEXIST) {
    PruneFolders(path);
    return error == ENOTDIR ? FolderConflict(path) : StorageError(error, "link a blob", path);
  }
  return SyncFolders(path);
}

Status BlobTree::Remove(const std::string& path) {
  SystemError error = 0;
  {
    const std::shared_lock lock(paths_);
    error = files_.Unlink(path);
  }
  // A folder is no blob.
  if (error != 0 && error != EISDIR && !IsMissing(error)) {
    return StorageError(error, "remove a blob", path);
  }
  PruneFolders(path);
  return SyncFolders(path);
}

Status BlobTree::RemoveEmptyFolders(const std::string& folder) {
  RETURN_IF_ERROR(PruneBelow(folder));
  PruneFolders(folder);
  return SyncFolders(folder);
}

Status BlobTree::SyncFolders(const std::string& path) {
  // All of them: any may be new, made by this thread or by one that has not synced it yet.
  for (std::string folder = FolderOf(path);; folder = FolderOf(folder)) {
    const SystemError error = files_.SyncDirectory(folder);
    // One that is missing was removed with what was in it; that is told by the folder above.
    if (error != 0 && !IsMissing(error)) {
      return StorageError(error, "sync a folder", folder);
    }
    if (IsBucket(folder)) {
      return OkStatus();
    }
  }
}

SystemError BlobTree::MakeFolders(const std::string& path) {
  for (size_t slash = path.find('/', path.find('/') + 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const SystemError error = files_.MakeDirectory(path.substr(0, slash));
    if (error != 0 && error != EEXIST) {
      return error;
    }
  }
  return 0;
}

void BlobTree::PruneFolders(const std::string& path) {
  for (std::string folder = FolderOf(path); !IsBucket(folder); folder = FolderOf(folder)) {
    const SystemError error = files_.RemoveDirectory(folder);
    if (error != 0 && !IsMissing(error)) {
      return;  // It is not empty; or else it stays, and does no harm.
    }
  }
}

Status BlobTree::PruneBelow(const std::string& folder) {
  std::vector<std::string> below;
  SystemError error = files_.ReadDirectory(folder, [&](std::string_view name, bool is_directory) {
    if (is_directory) {
      below.push_back(StrCat(folder, name, "/"));
    }
  });
  if (error != 0 && !IsMissing(error)) {
    return StorageError(error, "read a folder", folder);
  }
  for (const std::string& inner : below) {
    RETURN_IF_ERROR(PruneBelow(inner));
    // One that stays is synced by itself, one that goes by the folder above.
    if (files_.RemoveDirectory(inner) != 0) {
      error = files_.SyncDirectory(inner);
      if (error != 0 && !IsMissing(error)) {
        return StorageError(error, "sync a folder", inner);
      }
    }
  }
  return OkStatus();
}

Error FolderConflict(const std::string& path) {
  return Error::InUse("The blob's key is a folder of other blobs, or lies below another blob's key")
      .WithNote(path);
}

}  // namespace tintype::blobs
