#pragma once

#include <memory>
#include <string>
#include <vector>

#include "blobs/blob_store.h"

namespace tintype::blobs {

class BlobTree;
class FileSystem;

/// Blobs as files: `{root}/{bucket}/{key}`, a plain tree that an operator can read and copy.
/// README.md says how keys become names. Files and folders are for their owner alone. Unfinished
/// blobs are in `{root}/.tmp`, which is emptied when the store is opened, so one process at a time
/// may open a root (the lock on the data directory sees to that). The file system has to know hard
/// links, which Move needs.
///
/// As in any folder, a name is a file or a folder: a key that lies below another blob's key, or is
/// a folder of others, is refused with kInUse. Keys of deleted blobs leave no empty folders behind.
///
/// When a process is killed, what it was about may be visible to the next one, whole, though it is
/// not on disk yet. Repeating the call makes it so.
class FileBlobStore : public BlobStore {
 public:
  struct Config {
    std::string root;                  ///< Made, with those above it, if it is not there.
    std::vector<std::string> buckets;  ///< Made if they are not there. Others are not served.
  };

  /// Errors: kValidation for a bucket's name, kIo, kUnavailable when there is no room.
  static Result<std::unique_ptr<FileBlobStore>> OpenRoot(const Config& config);

  /// The same over a file system of the caller's choice, whose root is the store's. For tests.
  static Result<std::unique_ptr<FileBlobStore>> OpenOn(std::unique_ptr<FileSystem> files,
                                                       std::vector<std::string> buckets);

  ~FileBlobStore() override;

  Result<std::unique_ptr<BlobWriter>> Create(const BlobKey& key) override;
  Result<std::shared_ptr<const OpenBlob>> Open(const BlobKey& key) override;
  Result<std::shared_ptr<const OpenBlob>> OpenLocal(const BlobKey& key) override {
    return Open(key);
  }
  /// A second hard link to the file; a copy when it is on another file system.
  Result<BlobInfo> Adopt(const std::string& path, const BlobKey& key) override;
  Result<std::optional<BlobInfo>> Head(const BlobKey& key) override;
  Status Delete(const BlobKey& key) override;
  Status Move(const BlobKey& from, const BlobKey& to) override;
  Status MoveUnlessThere(const BlobKey& from, const BlobKey& to) override;
  Result<BlobList> List(const ListRequest& request) override;
  Result<BlobRewrite> Rewrite(const BlobKey& key) override;
  /// Also removes empty folders, which a crash may have left.
  Result<uint64_t> DeletePrefix(const std::string& bucket, const std::string& prefix) override;

 private:
  FileBlobStore(std::unique_ptr<FileSystem> files, std::vector<std::string> buckets);

  struct FoundFile;
  /// A blob's file. Errors: as Open.
  Result<FoundFile> FindFile(const BlobKey& key);
  /// The path of a valid key in a bucket that there is.
  Result<std::string> PathOf(const BlobKey& key) const;
  Status CheckBucket(const std::string& bucket) const;
  /// Refuses a path that is a folder, or lies below a file.
  Status CheckFolders(const std::string& path);
  /// Makes a file in the temporary folder, which may not be on disk yet, the blob.
  Result<BlobInfo> PlaceLinked(const std::string& temporary, const std::string& path);
  Result<BlobInfo> AdoptCopy(const std::string& path, const BlobKey& key);

  const std::unique_ptr<FileSystem> files_;
  const std::unique_ptr<BlobTree> tree_;
  const std::vector<std::string> buckets_;
};

}  // namespace tintype::blobs
