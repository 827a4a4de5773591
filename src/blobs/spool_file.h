#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "base/result.h"
#include "blobs/blob_store.h"

namespace tintype::blobs {

class File;
class FileSystem;

/// The bytes of one upload, open for appending. Owned by whoever opened it, together with the
/// claim; must not outlive the spool. Not thread-safe.
class SpoolFile {
 public:
  virtual ~SpoolFile();

  uint64_t bytes() const { return bytes_; }
  /// Errors: kUnavailable when there is no room, kIo. After an error nothing more is written: a
  /// part of the piece may lie beyond bytes().
  Status Append(std::string_view piece);
  /// When it returns, bytes() of them survive a power cut. Errors: as Append, and after its error.
  Status Sync();
  /// Drops what lies beyond. REQUIRES: bytes <= bytes().
  Status Cut(uint64_t bytes);
  /// Fills `out` from `offset` on and returns how many bytes there were: fewer only at the end.
  /// Errors: kIo; kCorruption where they are encrypted and are not what was written.
  virtual Result<size_t> Read(uint64_t offset, std::span<char> out) const = 0;

  /// Makes the bytes a blob, as BlobStore::Adopt. Nothing may be appended any more.
  virtual Result<BlobInfo> StoreIn(BlobStore& store, const BlobKey& key) const = 0;

 protected:
  SpoolFile(FileSystem& files, std::unique_ptr<File> file, uint64_t bytes);

  /// Appends to the file. Errors: as Append.
  virtual Status Write(std::string_view piece) = 0;
  /// As Cut.
  virtual Status Truncate(uint64_t bytes) = 0;

  File& file() const { return *file_; }

 private:
  FileSystem& files_;
  const std::unique_ptr<File> file_;
  uint64_t bytes_;
  bool name_synced_ = false;
  std::optional<Error> failure_;
};

}  // namespace tintype::blobs
