#include "blobs/spool_file.h"

#include <utility>

#include "base/check.h"
#include "blobs/internal/file_system.h"

namespace tintype::blobs {

SpoolFile::SpoolFile(FileSystem& files, std::unique_ptr<File> file, uint64_t bytes)
    : files_(files), file_(std::move(file)), bytes_(bytes) {}

SpoolFile::~SpoolFile() = default;

Status SpoolFile::Append(std::string_view piece) {
  if (failure_) {
    return *failure_;
  }
  if (const Status written = Write(piece); !written.ok()) {
    failure_ = written.error();
    return *failure_;
  }
  bytes_ += piece.size();
  return OkStatus();
}

Status SpoolFile::Sync() {
  if (failure_) {
    return *failure_;
  }
  SystemError error = file_->Sync();
  if (error == 0 && !name_synced_) {
    error = files_.SyncDirectory(".");
    name_synced_ = error == 0;
  }
  if (error != 0) {
    // The system may have dropped the bytes: a second try would lie.
    failure_ = StorageError(error, "sync an upload", "");
    return *failure_;
  }
  return OkStatus();
}

Status SpoolFile::Cut(uint64_t bytes) {
  CHECK(bytes <= bytes_);
  if (failure_) {
    return *failure_;
  }
  if (const Status cut = Truncate(bytes); !cut.ok()) {
    failure_ = cut.error();
    return *failure_;
  }
  bytes_ = bytes;
  return OkStatus();
}

}  // namespace tintype::blobs
