#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.h"

namespace tintype::cli {

/// A regular file below a folder.
struct FoundFile {
  std::string path;  // The folder's, and where it is below.
  uint64_t bytes = 0;
  int64_t modified_ns = 0;  // Since 1970.
};

/// What a walk did not look into.
struct PassedOver {
  int64_t hidden = 0;   // Names that begin with a dot, whatever they are.
  int64_t links = 0;    // Symbolic links are never followed, so that no walk leaves its folder.
  int64_t special = 0;  // Devices, pipes and sockets.
};

struct FolderWalk {
  std::string folder;     // Absolute.
  std::string leave_out;  // A folder in it that is not looked into, absolute; empty for none.
  /// Called for each file, by the names of folders and files in order, so that two walks over the
  /// same folder are alike. An error ends the walk.
  std::function<Status(const FoundFile& file)> visit;
  /// Called for what is in the folder and cannot be read.
  std::function<void(const std::string& path, const Error& error)> unreadable;
};

/// Walks over a folder and everything below. Memory is that of the names in one line of folders.
/// Errors: kNotFound or kIo when the folder itself cannot be read; those of `visit`.
Result<PassedOver> Walk(const FolderWalk& walk);

}  // namespace tintype::cli
