#pragma once

#include <string>

#include "imports/source.h"

namespace tintype::imports {

struct FolderWalk {
  std::string folder;     // Absolute.
  std::string leave_out;  // A folder in it that is not looked into, absolute; empty for none.
  /// Called for each file, by the names of folders and files in order, so that two walks over the
  /// same folder are alike. An error ends the walk.
  Source::Visit visit;
  /// Called for what is in the folder and cannot be read.
  Source::Unreadable unreadable;
};

/// Walks over a folder and everything below. Memory is that of the names in one line of folders.
/// Errors: kNotFound or kIo when the folder itself cannot be read; those of `visit`.
Result<PassedOver> WalkFolder(const FolderWalk& walk);

}  // namespace tintype::imports
