#include "cli/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/strings.h"

namespace tintype::cli {
namespace {

/// Closes a file descriptor when it goes out of scope.
class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) {
      ::close(number_);
    }
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  bool valid() const { return number_ >= 0; }
  int number() const { return number_; }

 private:
  int number_;
};

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

}  // namespace

Error FileError(std::string_view action, const std::string& path) {
  const int number = errno;
  return {number == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo,
          StrCat("Cannot ", action, " ", path, ": ", std::strerror(number))};
}

std::string ParentFolder(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  return parent.empty() ? std::string(1, '.') : parent.string();
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
  const std::string folder = ParentFolder(path);
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.valid() || ::fsync(directory.number()) != 0) {
    return FileError("sync", folder);
  }
  return OkStatus();
}

}  // namespace tintype::cli
