#include "cli/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/strings.h"

namespace tintype::cli {
Status WriteAll(const Descriptor& file, std::string_view content, const std::string& path) {
  while (!content.empty()) {
    const ssize_t written = ::write(file.number(), content.data(), content.size());
    if (written < 0 && errno != EINTR) {
      return FileError("write", path);
    }
    if (written > 0) {
      content.remove_prefix(static_cast<size_t>(written));
    }
  }
  return OkStatus();
}

Status SyncFolder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid() || ::fsync(folder.number()) != 0) {
    return FileError("sync", path);
  }
  return OkStatus();
}

Error FileError(std::string_view action, const std::string& path) {
  const int number = errno;
  return {number == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
          StrCat("Cannot ", action, " ", path, ": ", std::strerror(number))};
}

std::string ParentFolder(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? std::string(1, '.') : parent.string();
}

std::string AbsolutePath(const std::string& path) {
  std::error_code ignored;  // Without a current directory the path stays as it is.
  std::filesystem::path absolute = std::filesystem::absolute(path, ignored).lexically_normal();
  return absolute.has_filename() ? absolute.string() : absolute.parent_path().string();
}

Result<std::string> ReadFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) {
    return FileError("open", path);
  }
  std::string content;
  char buffer[4096];
  for (;;) {
    const ssize_t count = ::read(file.number(), buffer, sizeof(buffer));
    if (count == 0) {
      return content;
    }
    if (count > 0) {
      content.append(buffer, static_cast<size_t>(count));
    } else if (errno != EINTR) {
      return FileError("read", path);
    }
  }
}

Status WriteFileAtomically(const std::string& path, std::string_view content, mode_t mode) {
  const std::string temporary = path + ".tmp";
  // A crash may have left one. Removing it first makes sure that the mode below is the one it gets.
  if (::unlink(temporary.c_str()) != 0 && errno != ENOENT) {
    return FileError("remove", temporary);
  }
  {
    const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!file.valid()) {
      return FileError("create", temporary);
    }
    RETURN_IF_ERROR(WriteAll(file, content, temporary));
    if (::fsync(file.number()) != 0) {
      return FileError("sync", temporary);
    }
  }
  if (::rename(temporary.c_str(), path.c_str()) != 0) {
    return FileError("rename", temporary);
  }
  // The rename itself is on disk only when the directory is.
  return SyncFolder(ParentFolder(path));
}

}  // namespace tintype::cli
