#pragma once

#include <memory>
#include <string>

#include "blobs/spool_file.h"

namespace tintype::blobs {

/// An upload's bytes as they are.
class PlainSpoolFile : public SpoolFile {
 public:
  /// With the file cut at `offset`; `path` is the operating system's. Errors: kCorruption when it
  /// is shorter; kIo.
  static Result<std::unique_ptr<SpoolFile>> Open(FileSystem& files, std::unique_ptr<File> file,
                                                 std::string path, uint64_t offset);

  Result<size_t> Read(uint64_t offset, std::span<char> out) const override;
  Result<BlobInfo> StoreIn(BlobStore& store, const BlobKey& key) const override;

 private:
  PlainSpoolFile(FileSystem& files, std::unique_ptr<File> file, std::string path, uint64_t bytes);

  Status Write(std::string_view piece) override;
  Status Truncate(uint64_t bytes) override;

  const std::string path_;
};

}  // namespace tintype::blobs
