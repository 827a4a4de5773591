#include "blobs/internal/plain_spool_file.h"

#include <utility>

#include "blobs/internal/file_system.h"

namespace tintype::blobs {

PlainSpoolFile::PlainSpoolFile(FileSystem& files, std::unique_ptr<File> file, std::string path,
                               uint64_t bytes)
    : SpoolFile(files, std::move(file), bytes), path_(std::move(path)) {}

Result<std::unique_ptr<SpoolFile>> PlainSpoolFile::Open(FileSystem& files,
                                                        std::unique_ptr<File> file,
                                                        std::string path, uint64_t offset) {
  FileStatus status;
  if (const SystemError error = file->Status(status); error != 0) {
    return StorageError(error, "look at a file", path);
  }
  if (status.bytes < offset) {
    return Error::Corruption("An upload has fewer bytes than were acknowledged").WithNote(path);
  }
  std::unique_ptr<SpoolFile> opened(
      new PlainSpoolFile(files, std::move(file), std::move(path), status.bytes));
  if (status.bytes > offset) {
    RETURN_IF_ERROR(opened->Cut(offset));
  }
  return opened;
}

Status PlainSpoolFile::Write(std::string_view piece) {
  const SystemError error = file().Write(piece);
  return error == 0 ? OkStatus() : Status(StorageError(error, "write an upload", path_));
}

Status PlainSpoolFile::Truncate(uint64_t bytes) {
  const SystemError error = file().Cut(bytes);
  return error == 0 ? OkStatus() : Status(StorageError(error, "cut an upload", path_));
}

Result<size_t> PlainSpoolFile::Read(uint64_t offset, std::span<char> out) const {
  size_t count = 0;
  if (const SystemError error = file().Read(offset, out, count); error != 0) {
    return StorageError(error, "read an upload", path_);
  }
  return count;
}

Result<BlobInfo> PlainSpoolFile::StoreIn(BlobStore& store, const BlobKey& key) const {
  return store.Adopt(path_, key);
}

}  // namespace tintype::blobs
