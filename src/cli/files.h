#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/descriptor.h"

namespace tintype::cli {

/// The whole content of a file. Errors: kNotFound when there is none, kIo otherwise; both name it.
Result<std::string> ReadFile(const std::string& path);

/// Replaces a file as a whole: after a crash it has its old content or the new one, never a part.
/// Returns once the new content is on disk. Writes `path`.tmp on the way.
Status WriteFileAtomically(const std::string& path, std::string_view content, mode_t mode);

/// Writes all of `content` where the file stands; `path` is for the error.
Status WriteAll(const Descriptor& file, std::string_view content, const std::string& path);

/// Returns once the names in a folder are on disk as they are now.
Status SyncFolder(const std::string& path);

/// The folder that a file is in, `.` for a bare name.
std::string ParentFolder(const std::string& path);

/// The path from the root, without `.`, `..` and a slash at the end.
std::string AbsolutePath(const std::string& path);

/// An error that names the path and what the operating system said (errno).
Error FileError(std::string_view action, const std::string& path);

}  // namespace tintype::cli
