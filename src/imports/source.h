#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/result.h"

namespace tintype::imports {

/// A file of a source, as it was when it was looked at.
struct FoundFile {
  std::string path;  // Names the file within its source and says to a person where it is.
  uint64_t bytes = 0;
  int64_t modified_ns = 0;  // Since 1970.
};

/// What a walk did not look into.
struct PassedOver {
  int64_t hidden = 0;   // Names that begin with a dot, whatever they are.
  int64_t links = 0;    // Symbolic links are never followed, so that no walk leaves its source.
  int64_t special = 0;  // Devices, pipes and sockets.
};

/// A file of a source, open for reading.
class OpenFile {
 public:
  virtual ~OpenFile() = default;
  /// As it was when it was opened.
  virtual const FoundFile& found() const = 0;
  /// Reads up to `size` bytes at `offset`; 0 at the end.
  virtual Result<size_t> Read(uint64_t offset, char* buffer, size_t size) const = 0;
  /// As it is now: it differs from `found()` when somebody has changed the file since.
  virtual Result<FoundFile> Now() const = 0;
};

/// Where photos come from: a folder, or whatever an importer of another kind reads. Used by one
/// thread.
class Source {
 public:
  /// Called for each file. An error ends the walk.
  using Visit = std::function<Status(const FoundFile& file)>;
  /// Called for what is in the source and cannot be read.
  using Unreadable = std::function<void(const std::string& path, const Error& error)>;

  virtual ~Source() = default;
  /// Visits every file, in the same order each time.
  /// Errors: kNotFound or kIo when the source itself cannot be read; those of `visit`.
  virtual Result<PassedOver> Walk(const Visit& visit, const Unreadable& unreadable) = 0;
  virtual Result<std::unique_ptr<OpenFile>> Open(const std::string& path) = 0;
};

}  // namespace tintype::imports
