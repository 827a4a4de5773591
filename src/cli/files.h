#pragma once

#include <sys/types.h>

#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::cli {

/// The whole content of a file. Errors: kNotFound when there is none, kIo otherwise; both name it.
Result<std::string> ReadFile(const std::string& path);

/// Replaces a file as a whole: after a crash it has its old content or the new one, never a part.
/// Returns once the new content is on disk. Writes `path`.tmp on the way.
Status WriteFileAtomically(const std::string& path, std::string_view content, mode_t mode);

/// The folder that a file is in, `.` for a bare name.
std::string ParentFolder(const std::string& path);

/// An error that names the path and what the operating system said (errno).
Error FileError(std::string_view action, const std::string& path);

}  // namespace tintype::cli
