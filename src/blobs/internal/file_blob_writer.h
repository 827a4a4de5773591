#pragma once

#include <memory>
#include <optional>
#include <string>

#include "blobs/blob_store.h"
#include "blobs/internal/blob_tree.h"
#include "blobs/internal/file_system.h"

namespace tintype::blobs {

/// A blob on its way into the file store: a file in the temporary folder until Commit gives it its
/// path. Not thread-safe.
class FileBlobWriter : public BlobWriter {
 public:
  /// Keeps references to `files` and `tree`.
  static Result<std::unique_ptr<BlobWriter>> Create(FileSystem& files, BlobTree& tree,
                                                    std::string path);
  /// The same in place of one file alone, whose time it gets. Commit: also kConditionFailed, when
  /// that is not there any more.
  static Result<std::unique_ptr<BlobWriter>> CreateInsteadOf(FileSystem& files, BlobTree& tree,
                                                             std::string path,
                                                             const FileStatus& old);
  ~FileBlobWriter() override;

  Status Write(std::string_view piece) override;
  int descriptor() const override { return file_ == nullptr ? -1 : file_->descriptor(); }
  Result<BlobInfo> Commit() override;

 private:
  FileBlobWriter(FileSystem& files, BlobTree& tree, std::string path)
      : files_(files), tree_(tree), path_(std::move(path)), temporary_(tree.NewTemporary()) {}

  static Result<std::unique_ptr<BlobWriter>> Begin(std::unique_ptr<FileBlobWriter> writer);
  /// Closes and removes what there is, and passes the error on.
  Error Abandon(Error error);

  FileSystem& files_;
  BlobTree& tree_;
  const std::string path_;
  const std::string temporary_;
  std::optional<FileStatus> old_;  // The file whose place it takes; nothing for any.
  std::unique_ptr<File> file_;     // Null once the blob is committed or has failed.
};

}  // namespace tintype::blobs
