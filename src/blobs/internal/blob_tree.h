#pragma once

#include <atomic>
#include <cstdint>
#include <shared_mutex>
#include <string>

#include "base/result.h"
#include "blobs/internal/file_system.h"

namespace tintype::blobs {

inline constexpr const char* kTemporaryFolder = ".tmp";

/// The changes of the tree that the file store makes, each in an order that survives a power cut.
/// Folders are made when a blob comes to lie in them and removed when the last one leaves. Paths
/// are `bucket/component/...`; the bucket's own folder is always there. Owned by the store.
/// Thread-safe.
class BlobTree {
 public:
  /// Keeps a reference to `files`.
  explicit BlobTree(FileSystem& files) : files_(files) {}

  /// A path for an unfinished file that nobody else uses while the process lives.
  std::string NewTemporary();

  /// Gives a synced file in the temporary folder its path, in place of what was there; on disk when
  /// it returns. After an error the file may be still there, the folders that were made for it are
  /// not. Errors: kInUse when the path, or what should be a folder of it, is taken by the other
  /// kind.
  Status Place(const std::string& temporary, const std::string& path);

  /// The same in place of the file of that number alone, whatever others do meanwhile; when it is
  /// not there any more, nothing changes. Errors: kConditionFailed then.
  Status PlaceInstead(const std::string& temporary, const std::string& path, uint64_t number);

  /// Gives the file at `from` a second path, unless there is a file by that one already, or none at
  /// `from`: then nothing changes. On disk when it returns.
  Status LinkUnlessThere(const std::string& from, const std::string& path);

  /// Removes the blob, if there is one, and folders that are then empty; on disk when it returns.
  /// Also when there is none, since its removal may have been stopped before that.
  Status Remove(const std::string& path);

  /// Removes the folders below one (whose path ends in '/'), itself and those above it, as far as
  /// they are empty; on disk when it returns, and so is the removal of every blob that is no longer
  /// there.
  Status RemoveEmptyFolders(const std::string& folder);

 private:
  /// Makes the names on the way to `path` durable.
  Status SyncFolders(const std::string& path);
  SystemError MakeFolders(const std::string& path);
  void PruneFolders(const std::string& path);
  Status PruneBelow(const std::string& folder);

  FileSystem& files_;
  /// Shared by calls that change which file a path leads to; held alone by those that first look
  /// which one it is. For the time of those calls alone.
  std::shared_mutex paths_;
  std::atomic<uint64_t> temporaries_ = 0;
};

/// The error for a key that is a folder of other blobs, or lies below one.
Error FolderConflict(const std::string& path);

}  // namespace tintype::blobs
