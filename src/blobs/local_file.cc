#include "blobs/local_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/files.h"
#include "blobs/internal/file_system.h"

namespace tintype::blobs {

Result<LocalFile> LocalFile::Open(const std::string& path) {
  // Without O_NONBLOCK, a pipe that somebody put there would block for ever.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOFOLLOW));
  struct stat status {};
  if (!file.valid() || ::fstat(file.number(), &status) != 0) {
    return FileError("open", path);
  }
  if (!S_ISREG(status.st_mode)) {
    return Error::Io("The source of a blob is no ordinary file").WithNote(path);
  }
  return LocalFile(std::move(file), static_cast<uint64_t>(status.st_size));
}

Result<size_t> LocalFile::Read(uint64_t offset, std::span<char> out) const {
  const uint64_t rest = offset < bytes_ ? bytes_ - offset : 0;
  out = out.first(static_cast<size_t>(std::min<uint64_t>(out.size(), rest)));
  size_t count = 0;
  while (count < out.size()) {
    const ssize_t got = ::pread(file_.number(), out.data() + count, out.size() - count,
                                static_cast<off_t>(offset + count));
    if (got < 0 && errno != EINTR) {
      return StorageError(errno, "read a file", "");
    }
    if (got == 0) {
      return Error::Corruption("A file has become shorter since it was opened");
    }
    count += got > 0 ? static_cast<size_t>(got) : 0;
  }
  return count;
}

}  // namespace tintype::blobs
