#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"

namespace tintype::blobs::s3 {

/// A file without a name: it is gone when it is closed, or the process ends. Not thread-safe.
class TemporaryFile {
 public:
  /// In a folder that exists. Errors: kUnavailable when there is no room, kIo.
  static Result<TemporaryFile> Create(const std::string& folder);

  int descriptor() const { return file_.number(); }
  /// Errors: kUnavailable when there is no room, kIo.
  Status WriteAt(uint64_t offset, std::string_view bytes);
  Result<uint64_t> Size() const;

 private:
  explicit TemporaryFile(Descriptor file) : file_(std::move(file)) {}

  Descriptor file_;
};

}  // namespace tintype::blobs::s3
