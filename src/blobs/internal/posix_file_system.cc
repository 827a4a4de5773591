#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/descriptor.h"
#include "base/strings.h"
#include "blobs/internal/file_system.h"

namespace tintype::blobs {
namespace {

constexpr mode_t kFileMode = 0600;
constexpr mode_t kDirectoryMode = 0700;

SystemError ErrorOf(int result) { return result == 0 ? 0 : errno; }

SystemError SyncDescriptor(int descriptor) {
  while (::fsync(descriptor) != 0) {
    // After another error than this the kernel may have dropped the bytes: a second try would lie.
    if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

FileStatus StatusOf(const struct stat& status) {
  return {.is_file = S_ISREG(status.st_mode),
          .is_directory = S_ISDIR(status.st_mode),
          .bytes = static_cast<uint64_t>(status.st_size),
          .modified_ms = status.st_mtim.tv_sec * 1000 + status.st_mtim.tv_nsec / 1'000'000,
          .number = status.st_ino};
}

class PosixFile : public File {
 public:
  explicit PosixFile(Descriptor descriptor) : descriptor_(std::move(descriptor)) {}

  int descriptor() const override { return descriptor_.number(); }

  SystemError Write(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t written = ::write(descriptor_.number(), bytes.data(), bytes.size());
      if (written < 0 && errno != EINTR) {
        return errno;
      }
      bytes.remove_prefix(written > 0 ? static_cast<size_t>(written) : 0);
    }
    return 0;
  }

  SystemError Read(uint64_t offset, std::span<char> out, size_t& count) const override {
    count = 0;
    while (count < out.size()) {
      const ssize_t got = ::pread(descriptor_.number(), out.data() + count, out.size() - count,
                                  static_cast<off_t>(offset + count));
      if (got < 0 && errno != EINTR) {
        return errno;
      }
      if (got == 0) {
        break;
      }
      count += got > 0 ? static_cast<size_t>(got) : 0;
    }
    return 0;
  }

  SystemError Sync() override { return SyncDescriptor(descriptor_.number()); }

  SystemError Cut(uint64_t bytes) override {
    const auto size = static_cast<off_t>(bytes);
    if (::ftruncate(descriptor_.number(), size) != 0 ||
        ::lseek(descriptor_.number(), size, SEEK_SET) < 0) {
      return errno;
    }
    return 0;
  }

  SystemError Status(FileStatus& status) const override {
    struct stat raw {};
    const SystemError error = ErrorOf(::fstat(descriptor_.number(), &raw));
    status = StatusOf(raw);
    return error;
  }

  SystemError SetModified(int64_t modified_ms) override {
    const timespec modified = {.tv_sec = modified_ms / 1000,
                               .tv_nsec = modified_ms % 1000 * 1'000'000};
    const std::array<timespec, 2> times = {timespec{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, modified};
    return ErrorOf(::futimens(descriptor_.number(), times.data()));
  }

 private:
  const Descriptor descriptor_;
};

/// Works from a descriptor of the root, so that neither its length nor the working directory
/// matter.
class PosixFileSystem : public FileSystem {
 public:
  explicit PosixFileSystem(Descriptor root) : root_(std::move(root)) {}

  SystemError CreateFile(const std::string& path, std::unique_ptr<File>& file) override {
    return OpenAs(path, O_RDWR | O_CREAT | O_EXCL, file);
  }

  SystemError OpenFile(const std::string& path, std::unique_ptr<File>& file) override {
    // Without O_NONBLOCK, a pipe that somebody put there would block for ever.
    return OpenAs(path, O_RDONLY | O_NONBLOCK, file);
  }

  SystemError OpenForAppending(const std::string& path, std::unique_ptr<File>& file) override {
    return OpenAs(path, O_RDWR | O_APPEND | O_NONBLOCK, file);
  }

  SystemError Status(const std::string& path, FileStatus& status) override {
    struct stat raw {};
    const SystemError error =
        ErrorOf(::fstatat(root_.number(), path.c_str(), &raw, AT_SYMLINK_NOFOLLOW));
    status = StatusOf(raw);
    return error;
  }

  SystemError MakeDirectory(const std::string& path) override {
    return ErrorOf(::mkdirat(root_.number(), path.c_str(), kDirectoryMode));
  }

  SystemError RemoveDirectory(const std::string& path) override {
    return ErrorOf(::unlinkat(root_.number(), path.c_str(), AT_REMOVEDIR));
  }

  SystemError SyncDirectory(const std::string& path) override {
    const Descriptor directory = OpenDirectory(path);
    return directory.number() < 0 ? errno : SyncDescriptor(directory.number());
  }

  SystemError ReadDirectory(
      const std::string& path,
      const std::function<void(std::string_view name, bool is_directory)>& visit) override {
    Descriptor descriptor = OpenDirectory(path);
    if (descriptor.number() < 0) {
      return errno;
    }
    const std::unique_ptr<DIR, int (*)(DIR*)> directory(::fdopendir(descriptor.number()),
                                                        ::closedir);
    if (directory == nullptr) {
      return errno;
    }
    const int number = descriptor.Release();  // It is the stream's now.
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(directory.get());
      if (entry == nullptr) {
        return errno;
      }
      const std::string_view name = entry->d_name;
      if (name != "." && name != "..") {
        visit(name, IsDirectory(number, *entry));
      }
    }
  }

  SystemError Rename(const std::string& from, const std::string& to) override {
    return ErrorOf(::renameat(root_.number(), from.c_str(), root_.number(), to.c_str()));
  }

  SystemError Link(const std::string& from, const std::string& to) override {
    return ErrorOf(::linkat(root_.number(), from.c_str(), root_.number(), to.c_str(), 0));
  }

  SystemError LinkOutside(const std::string& from, const std::string& to) override {
    return ErrorOf(::linkat(AT_FDCWD, from.c_str(), root_.number(), to.c_str(), 0));
  }

  SystemError Unlink(const std::string& path) override {
    return ErrorOf(::unlinkat(root_.number(), path.c_str(), 0));
  }

 private:
  SystemError OpenAs(const std::string& path, int flags, std::unique_ptr<File>& file) {
    Descriptor descriptor(
        ::openat(root_.number(), path.c_str(), flags | O_CLOEXEC | O_NOFOLLOW, kFileMode));
    if (descriptor.number() < 0) {
      return errno;
    }
    file = std::make_unique<PosixFile>(std::move(descriptor));
    return 0;
  }

  Descriptor OpenDirectory(const std::string& path) {
    return Descriptor(::openat(root_.number(), path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  }

  static bool IsDirectory(int directory, const dirent& entry) {
    if (entry.d_type != DT_UNKNOWN) {
      return entry.d_type == DT_DIR;
    }
    struct stat status {};
    return ::fstatat(directory, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
           S_ISDIR(status.st_mode);
  }

  const Descriptor root_;
};

std::string ParentOf(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

/// Makes a directory and those above it, durably.
SystemError MakeDirectories(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    return S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
  }
  const std::string parent = ParentOf(path);
  if (const SystemError error = parent == path ? ENOENT : MakeDirectories(parent); error != 0) {
    return error;
  }
  if (::mkdir(path.c_str(), kDirectoryMode) != 0 && errno != EEXIST) {
    return errno;
  }
  const Descriptor directory(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return directory.number() < 0 ? errno : SyncDescriptor(directory.number());
}

}  // namespace

Result<std::unique_ptr<FileSystem>> OpenPosixFileSystem(const std::string& root) {
  // Only the operator sees this, so that the message names the folder.
  const auto failed = [&](SystemError error) {
    return Error::Io(StrCat("Cannot use the folder ", root, " for blobs: ", std::strerror(error)));
  };
  if (const SystemError error = MakeDirectories(root); error != 0) {
    return failed(error);
  }
  Descriptor descriptor(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (descriptor.number() < 0) {
    return failed(errno);
  }
  return std::unique_ptr<FileSystem>(std::make_unique<PosixFileSystem>(std::move(descriptor)));
}

Error StorageError(SystemError error, std::string_view action, std::string_view path) {
  if (error == EMFILE || error == ENFILE) {
    return Error(ErrorKind::kOverloaded, "Too many files are open. Try again.")
        .WithNote(StrCat(action, " ", path));
  }
  const bool full = error == ENOSPC || error == EDQUOT;
  std::string message = full ? "There is no room left to store this"
                             : StrCat("The blob store cannot ", action, ": ", std::strerror(error));
  return Error(full ? ErrorKind::kUnavailable : ErrorKind::kIo, std::move(message))
      .WithNote(StrCat(action, " ", path, ": ", std::strerror(error)));
}

bool IsMissing(SystemError error) { return error == ENOENT || error == ENOTDIR; }

}  // namespace tintype::blobs
