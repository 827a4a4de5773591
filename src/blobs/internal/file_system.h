#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

/// The few system calls that the file store makes, behind an interface, so that a test can cut the
/// power or fail any one of them (testing/losing_disk.h).
namespace tintype::blobs {

/// What a call came to: 0 when it worked, else errno.
using SystemError = int;

struct FileStatus {
  bool is_file = false;  ///< A regular file. Anything that is neither is somebody else's.
  bool is_directory = false;
  uint64_t bytes = 0;
  int64_t modified_ms = 0;
  uint64_t number = 0;  ///< The same for all names of one file; no other has it meanwhile.
};

/// An open file, closed when destroyed. Not thread-safe but for Read and Status.
class File {
 public:
  virtual ~File() = default;
  virtual int descriptor() const = 0;  ///< -1 when there is none, as in tests.
  virtual SystemError Write(
      std::string_view bytes) = 0;  ///< All of them, where the last write ended.
  virtual SystemError Read(uint64_t offset, std::span<char> out, size_t& count) const = 0;
  virtual SystemError Sync() = 0;
  /// Drops what lies beyond so many bytes; the next write is there.
  virtual SystemError Cut(uint64_t bytes) = 0;
  virtual SystemError Status(FileStatus& status) const = 0;
  virtual SystemError SetModified(int64_t modified_ms) = 0;
};

/// A tree of files. Paths are relative to its root, with "/" between names; "." is the root itself.
/// Symbolic links are not followed at the end of a path. Thread-safe.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// For writing and reading, for its owner alone. EEXIST when the name is taken.
  virtual SystemError CreateFile(const std::string& path, std::unique_ptr<File>& file) = 0;
  /// For reading.
  virtual SystemError OpenFile(const std::string& path, std::unique_ptr<File>& file) = 0;
  /// For reading, and for writing at its end.
  virtual SystemError OpenForAppending(const std::string& path, std::unique_ptr<File>& file) = 0;
  virtual SystemError Status(const std::string& path, FileStatus& status) = 0;
  virtual SystemError MakeDirectory(const std::string& path) = 0;
  virtual SystemError RemoveDirectory(const std::string& path) = 0;
  /// Makes what the directory's names are durable, not what is in the files.
  virtual SystemError SyncDirectory(const std::string& path) = 0;
  /// Calls with each name, but for "." and "..", in no order, and whether it is a directory.
  virtual SystemError ReadDirectory(
      const std::string& path,
      const std::function<void(std::string_view name, bool is_directory)>& visit) = 0;
  /// Takes the place of a file that has the new name.
  virtual SystemError Rename(const std::string& from, const std::string& to) = 0;
  /// Gives a file a second name. EEXIST when that is taken.
  virtual SystemError Link(const std::string& from, const std::string& to) = 0;
  /// The same for a file that is not in this tree; its path is the operating system's.
  virtual SystemError LinkOutside(const std::string& from, const std::string& to) = 0;
  virtual SystemError Unlink(const std::string& path) = 0;
};

/// The operating system's files below `root`, which is made if it is not there. Errors: kIo.
Result<std::unique_ptr<FileSystem>> OpenPosixFileSystem(const std::string& root);

/// The Error for a failed call. Paths go into the note: the message may be shown to a client.
/// kUnavailable when there is no room, else kIo. REQUIRES: error != 0.
Error StorageError(SystemError error, std::string_view action, std::string_view path);

/// Whether a call failed because there is no such file: a name is missing, or one that should be a
/// folder is a file.
bool IsMissing(SystemError error);

}  // namespace tintype::blobs
