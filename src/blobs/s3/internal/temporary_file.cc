#include "blobs/s3/internal/temporary_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

#include "base/strings.h"

namespace tintype::blobs::s3 {
namespace {

Error Failed(int number) {
  const bool full = number == ENOSPC || number == EDQUOT;
  return Error(full ? ErrorKind::kUnavailable : ErrorKind::kIo,
               full ? "There is no room left for temporary files"
                    : StrCat("A temporary file cannot be used: ", std::strerror(number)));
}

}  // namespace

Result<TemporaryFile> TemporaryFile::Create(const std::string& folder) {
  Descriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
  if (!file.valid() && (errno == EOPNOTSUPP || errno == EISDIR)) {
    // A file system that does not know files without names.
    std::string path = folder + "/.tmp-XXXXXX";
    file = Descriptor(::mkostemp(path.data(), O_CLOEXEC));
    if (file.valid()) {
      ::unlink(path.c_str());
    }
  }
  if (!file.valid()) {
    return Failed(errno);
  }
  return TemporaryFile(std::move(file));
}

Status TemporaryFile::WriteAt(uint64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(file_.number(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno != EINTR) {
      return Failed(errno);
    }
    const size_t count = written > 0 ? static_cast<size_t>(written) : 0;
    bytes.remove_prefix(count);
    offset += count;
  }
  return OkStatus();
}

Result<uint64_t> TemporaryFile::Size() const {
  struct stat status {};
  if (::fstat(file_.number(), &status) != 0) {
    return Failed(errno);
  }
  return static_cast<uint64_t>(status.st_size);
}

}  // namespace tintype::blobs::s3
