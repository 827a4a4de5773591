#include "blobs/internal/file_blob_writer.h"

#include <utility>

namespace tintype::blobs {
namespace {

Error Finished() {
  return Error::Internal("A blob's writer was used after it had failed or committed");
}

}  // namespace

Result<std::unique_ptr<BlobWriter>> FileBlobWriter::Create(FileSystem& files, BlobTree& tree,
                                                           std::string path) {
  return Begin(std::unique_ptr<FileBlobWriter>(new FileBlobWriter(files, tree, std::move(path))));
}

Result<std::unique_ptr<BlobWriter>> FileBlobWriter::CreateInsteadOf(FileSystem& files,
                                                                    BlobTree& tree,
                                                                    std::string path,
                                                                    const FileStatus& old) {
  std::unique_ptr<FileBlobWriter> writer(new FileBlobWriter(files, tree, std::move(path)));
  writer->old_ = old;
  return Begin(std::move(writer));
}

Result<std::unique_ptr<BlobWriter>> FileBlobWriter::Begin(std::unique_ptr<FileBlobWriter> writer) {
  const SystemError error = writer->files_.CreateFile(writer->temporary_, writer->file_);
  if (error != 0) {
    return StorageError(error, "create a file", writer->temporary_);
  }
  return std::unique_ptr<BlobWriter>(std::move(writer));
}

FileBlobWriter::~FileBlobWriter() {
  if (file_ != nullptr) {
    files_.Unlink(temporary_);
  }
}

Status FileBlobWriter::Write(std::string_view piece) {
  if (file_ == nullptr) {
    return Finished();
  }
  if (const SystemError error = file_->Write(piece); error != 0) {
    return Abandon(StorageError(error, "write", temporary_));
  }
  return OkStatus();
}

Result<BlobInfo> FileBlobWriter::Commit() {
  if (file_ == nullptr) {
    return Finished();
  }
  FileStatus status;
  if (old_) {
    if (const SystemError error = file_->SetModified(old_->modified_ms); error != 0) {
      return Abandon(StorageError(error, "date", temporary_));
    }
  }
  if (const SystemError error = file_->Sync(); error != 0) {
    return Abandon(StorageError(error, "sync", temporary_));
  }
  if (const SystemError error = file_->Status(status); error != 0) {
    return Abandon(StorageError(error, "look at a file", temporary_));
  }
  Status placed =
      old_ ? tree_.PlaceInstead(temporary_, path_, old_->number) : tree_.Place(temporary_, path_);
  if (!placed.ok()) {
    return Abandon(std::move(placed).error());
  }
  file_.reset();
  return BlobInfo{.bytes = status.bytes, .modified_ms = status.modified_ms};
}

Error FileBlobWriter::Abandon(Error error) {
  file_.reset();
  files_.Unlink(temporary_);  // Opening the store removes what could not be removed here.
  return error;
}

}  // namespace tintype::blobs
