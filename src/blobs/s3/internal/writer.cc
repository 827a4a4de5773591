#include "blobs/s3/internal/writer.h"

#include <algorithm>
#include <utility>

namespace tintype::blobs::s3 {
namespace {

/// Since nobody says how much there will be, later parts are larger: with 16 MiB at first, ten
/// thousand of them hold more than S3 takes as one object.
constexpr size_t kPartsPerSize = 1000;
constexpr uint64_t kPartBytesMost = uint64_t{4} << 30;

Error Finished() {
  return Error::Internal("A blob's writer was used after it had failed or committed");
}

}  // namespace

Result<std::unique_ptr<BlobWriter>> S3BlobWriter::Create(Client& client, BlobKey key) {
  ASSIGN_OR_RETURN(TemporaryFile file, TemporaryFile::Create(client.config().temporary_folder));
  return std::unique_ptr<BlobWriter>(new S3BlobWriter(client, std::move(key), std::move(file)));
}

uint64_t S3BlobWriter::PartBytes() const {
  const size_t doublings = upload_ == nullptr ? 0 : upload_->parts() / kPartsPerSize;
  return std::min(client_.config().part_bytes << doublings, kPartBytesMost);
}

Status S3BlobWriter::Write(std::string_view piece) {
  if (finished_) {
    return Finished();
  }
  Status written = WritePieces(piece);
  if (!written.ok()) {
    finished_ = true;
    upload_.reset();
  }
  return written;
}

Status S3BlobWriter::WritePieces(std::string_view piece) {
  while (!piece.empty()) {
    // Sent only when there is more: the last part is Commit's.
    if (waiting_ == PartBytes()) {
      RETURN_IF_ERROR(SendPart());
    }
    const auto fits = static_cast<size_t>(std::min<uint64_t>(piece.size(), PartBytes() - waiting_));
    RETURN_IF_ERROR(file_.WriteAt(waiting_, piece.substr(0, fits)));
    waiting_ += fits;
    piece.remove_prefix(fits);
  }
  return OkStatus();
}

Status S3BlobWriter::SendPart() {
  if (upload_ == nullptr) {
    ASSIGN_OR_RETURN(upload_, PartUpload::Begin(client_, key_));
  }
  RETURN_IF_ERROR(upload_->Add(file_.descriptor(), 0, waiting_));
  waiting_ = 0;  // The next bytes are written over it.
  return OkStatus();
}

Result<BlobInfo> S3BlobWriter::Commit() {
  if (finished_) {
    return Finished();
  }
  finished_ = true;
  if (upload_ == nullptr) {
    ASSIGN_OR_RETURN(const uint64_t bytes, file_.Size());
    return UploadFile(client_, key_, file_.descriptor(), bytes);
  }
  const std::unique_ptr<PartUpload> upload = std::move(upload_);
  RETURN_IF_ERROR(upload->Add(file_.descriptor(), 0, waiting_));
  return upload->Complete();
}

}  // namespace tintype::blobs::s3
