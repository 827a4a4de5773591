#include "base/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/strings.h"

namespace tintype {

Error FileError(std::string_view action, const std::string& path) {
  const int number = errno;
  const bool too_many = number == EMFILE || number == ENFILE;
  return {number == ENOENT ? ErrorKind::kNotFound
          : too_many       ? ErrorKind::kOverloaded
                           : ErrorKind::kIo,
          StrCat("Cannot ", action, " ", path, ": ", std::strerror(number))};
}

Result<std::string> ReadFile(const std::string& path, size_t bytes_max) {
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
    if (content.size() > bytes_max) {
      return Error::Io(StrCat("Cannot read ", path, ": it is larger than ", bytes_max, " bytes"));
    }
  }
}

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

Result<NewFile> NewFile::Create(std::string path, mode_t mode) {
  std::string temporary = path + ".tmp";
  // A crash may have left one. Removing it first makes sure that the mode below is the one it gets.
  if (::unlink(temporary.c_str()) != 0 && errno != ENOENT) {
    return FileError("remove", temporary);
  }
  Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!file.valid()) {
    return FileError("create", temporary);
  }
  return NewFile(std::move(path), std::move(temporary), std::move(file));
}

NewFile::~NewFile() {
  if (file_.valid()) {
    ::unlink(temporary_.c_str());
  }
}

Status NewFile::Finish() {
  if (::fsync(file_.number()) != 0) {
    return FileError("sync", temporary_);
  }
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) {
    return FileError("rename", temporary_);
  }
  file_ = Descriptor();
  // The rename itself is on disk only when the folder is.
  return SyncFolder(ParentFolder(path_));
}

Status WriteFileAtomically(const std::string& path, std::string_view content, mode_t mode) {
  ASSIGN_OR_RETURN(NewFile file, NewFile::Create(path, mode));
  RETURN_IF_ERROR(file.Write(content));
  return file.Finish();
}

Status SyncFolder(const std::string& path) {
  const Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.valid() || ::fsync(folder.number()) != 0) {
    return FileError("sync", path);
  }
  return OkStatus();
}

Status MakeFolders(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    errno = ENOTDIR;
    return S_ISDIR(status.st_mode) ? OkStatus() : Status(FileError("use", path));
  }
  const std::string parent = ParentFolder(path);
  if (parent != path) {
    RETURN_IF_ERROR(MakeFolders(parent));
  }
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return FileError("create", path);
  }
  return SyncFolder(parent);
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

}  // namespace tintype
