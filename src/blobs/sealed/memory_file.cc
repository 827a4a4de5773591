#include "blobs/sealed/memory_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/files.h"
#include "blobs/internal/file_system.h"

namespace tintype::blobs {

Result<MemoryFile> MemoryFile::Create() {
  Descriptor file(::memfd_create("blob", MFD_CLOEXEC));
  if (!file.valid()) {
    return FileError("create", "a file in memory");
  }
  return MemoryFile(std::move(file));
}

Status MemoryFile::Append(std::string_view piece) {
  while (!piece.empty()) {
    const ssize_t count =
        ::pwrite(file_.number(), piece.data(), piece.size(), static_cast<off_t>(bytes_));
    if (count < 0 && errno != EINTR) {
      return StorageError(errno, "write a file in memory", "");
    }
    const size_t written = count > 0 ? static_cast<size_t>(count) : 0;
    bytes_ += written;
    piece.remove_prefix(written);
  }
  return OkStatus();
}

Result<size_t> BlobInMemory::Read(uint64_t offset, std::span<char> out) const {
  return ReadAt(file_.descriptor(), offset, out);
}

Result<size_t> ReadAt(int descriptor, uint64_t offset, std::span<char> out) {
  size_t count = 0;
  while (count < out.size()) {
    const ssize_t got = ::pread(descriptor, out.data() + count, out.size() - count,
                                static_cast<off_t>(offset + count));
    if (got < 0 && errno != EINTR) {
      return StorageError(errno, "read a file", "");
    }
    if (got == 0) {
      break;
    }
    count += got > 0 ? static_cast<size_t>(got) : 0;
  }
  return count;
}

}  // namespace tintype::blobs
