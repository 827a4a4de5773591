#pragma once

#include <sys/types.h>

#include <cstddef>
#include <limits>
#include <string>
#include <string_view>

#include "base/descriptor.h"
#include "base/result.h"

/// Files of the operating system. Errors are kNotFound when there is no such file or folder,
/// kOverloaded when too many files are open, kIo otherwise, and name it.
namespace tintype {

/// An error that names the path and what the operating system said (errno).
Error FileError(std::string_view action, const std::string& path);

/// The whole content of a file. Fails for one that is larger than `bytes_max`.
Result<std::string> ReadFile(const std::string& path,
                             size_t bytes_max = std::numeric_limits<size_t>::max());

/// Writes all of `content` where the file stands; `path` is for the error.
Status WriteAll(const Descriptor& file, std::string_view content, const std::string& path);

/// A file that is being written, as `path`.tmp: it has its own name once it is whole and on disk,
/// so after a crash there is the old file or the new one, never a part. One that is not finished
/// leaves the old one as it was and nothing else behind. Not thread-safe.
class NewFile {
 public:
  /// In a folder that exists.
  static Result<NewFile> Create(std::string path, mode_t mode);
  ~NewFile();
  NewFile(NewFile&&) = default;
  NewFile& operator=(NewFile&&) = delete;

  Status Write(std::string_view bytes) { return WriteAll(file_, bytes, temporary_); }
  /// Returns once the file is on disk under its name. Nothing may be called after it.
  Status Finish();

 private:
  NewFile(std::string path, std::string temporary, Descriptor file)
      : path_(std::move(path)), temporary_(std::move(temporary)), file_(std::move(file)) {}

  std::string path_;
  std::string temporary_;
  Descriptor file_;
};

/// Replaces a file as a whole, as NewFile does.
Status WriteFileAtomically(const std::string& path, std::string_view content, mode_t mode);

/// Returns once the names in a folder are on disk as they are now.
Status SyncFolder(const std::string& path);

/// Creates a folder and those above it that are missing, for their owner alone, and returns once
/// their names are on disk.
Status MakeFolders(const std::string& path);

/// The folder that a file is in, `.` for a bare name.
std::string ParentFolder(const std::string& path);

/// The path from the root, without `.`, `..` and a slash at the end.
std::string AbsolutePath(const std::string& path);

}  // namespace tintype
