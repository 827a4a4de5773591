#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"
#include "blobs/blob_store.h"

namespace tintype::blobs {

/// A file in memory that has no name: for the bytes of blobs that must not lie on a disk in plain.
/// Not thread-safe.
class MemoryFile {
 public:
  /// Errors: kOverloaded when too many files are open, kIo.
  static Result<MemoryFile> Create();

  int descriptor() const { return file_.number(); }
  Descriptor Release() && { return std::move(file_); }
  /// REQUIRES: nobody else has written to it. Errors: kUnavailable when there is no room, kIo.
  Status Append(std::string_view piece);

 private:
  explicit MemoryFile(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;
  uint64_t bytes_ = 0;
};

/// A blob whose bytes are in memory.
class BlobInMemory : public OpenBlob {
 public:
  BlobInMemory(MemoryFile file, BlobInfo info) : file_(std::move(file)), info_(std::move(info)) {}

  const BlobInfo& info() const override { return info_; }
  int descriptor() const override { return file_.descriptor(); }
  int named_descriptor() const override { return -1; }
  Result<size_t> Read(uint64_t offset, std::span<char> out) const override;

 private:
  const MemoryFile file_;
  const BlobInfo info_;
};

/// Fills `out` from `offset` of a descriptor on, and returns how many bytes there were: fewer only
/// at the end. Errors: kIo.
Result<size_t> ReadAt(int descriptor, uint64_t offset, std::span<char> out);

}  // namespace tintype::blobs
