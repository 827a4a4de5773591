#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "base/descriptor.h"
#include "base/result.h"

namespace tintype::blobs {

/// A file of the operating system's that is read by position. Thread-safe.
class LocalFile {
 public:
  /// An ordinary file, for reading. Errors: kNotFound, kIo.
  static Result<LocalFile> Open(const std::string& path);

  uint64_t bytes() const { return bytes_; }
  int descriptor() const { return file_.number(); }

  /// Fills `out` from `offset` on, and returns how many bytes there were: fewer only at the end.
  /// Errors: kIo; kCorruption when the file has become shorter.
  Result<size_t> Read(uint64_t offset, std::span<char> out) const;

 private:
  LocalFile(Descriptor file, uint64_t bytes) : file_(std::move(file)), bytes_(bytes) {}

  Descriptor file_;
  uint64_t bytes_;
};

}  // namespace tintype::blobs
