#include "blobs/sealed/sealed_writer.h"

#include <algorithm>
#include <utility>

namespace tintype::blobs {

SealedWriter::SealedWriter(std::unique_ptr<BlobWriter> stored, const SealingKeys& keys)
    : stored_(std::move(stored)), form_(SealedForm::ForNewBlob(keys, sealed_)) {
  chunk_.reserve(kChunkBytes);
}

Status SealedWriter::CheckUsable() const {
  return over_ ? Status(Error::Internal("A blob was written to after its end")) : OkStatus();
}

Error SealedWriter::Fail(Error error) {
  over_ = true;
  return error;
}

Status SealedWriter::SealChunk(bool last) {
  form_.SealChunk(number_, last, chunk_, sealed_);
  ++number_;
  chunk_.clear();
  const Status written = stored_->Write(sealed_);
  sealed_.clear();
  return written.ok() ? OkStatus() : Status(Fail(written.error()));
}

Status SealedWriter::WriteSealed(std::string_view piece) {
  while (!piece.empty()) {
    // The last chunk is known when nothing comes behind it.
    if (chunk_.size() == kChunkBytes) {
      RETURN_IF_ERROR(SealChunk(/*last=*/false));
    }
    const size_t count = std::min(kChunkBytes - chunk_.size(), piece.size());
    chunk_.append(piece.substr(0, count));
    piece.remove_prefix(count);
  }
  return OkStatus();
}

Status SealedWriter::Write(std::string_view piece) {
  RETURN_IF_ERROR(CheckUsable());
  return WriteSealed(piece);
}

int SealedWriter::descriptor() const {
  if (!file_) {
    file_ = MemoryFile::Create();
  }
  return file_->ok() ? (*file_)->descriptor() : -1;
}

Status SealedWriter::TakeFile() {
  if (!file_) {
    return OkStatus();
  }
  if (!file_->ok()) {
    return Fail(file_->error());
  }
  std::string piece(kChunkBytes, '\0');
  for (uint64_t at = 0;; at += piece.size()) {
    const Result<size_t> count = ReadAt((*file_)->descriptor(), at, piece);
    if (!count.ok()) {
      return Fail(count.error());
    }
    RETURN_IF_ERROR(WriteSealed(std::string_view(piece).substr(0, *count)));
    if (*count < piece.size()) {
      return OkStatus();
    }
  }
}

Result<BlobInfo> SealedWriter::Commit() {
  RETURN_IF_ERROR(CheckUsable());
  RETURN_IF_ERROR(TakeFile());
  const uint64_t bytes = number_ * kChunkBytes + chunk_.size();
  RETURN_IF_ERROR(SealChunk(/*last=*/true));
  over_ = true;
  ASSIGN_OR_RETURN(BlobInfo info, stored_->Commit());
  info.bytes = bytes;
  return info;
}

}  // namespace tintype::blobs
