#include "blobs/hashing_writer.h"

#include <utility>

#include "base/hex.h"

namespace tintype::blobs {

void ContentHasher::Update(std::string_view piece) {
  md5_.Update(piece);
  sha256_.Update(piece);
}

ContentHashes ContentHasher::hashes() const {
  return {.md5 = ToHex(md5_.Value()), .sha256 = ToHex(sha256_.Value())};
}

HashingWriter::HashingWriter(std::unique_ptr<BlobWriter> writer) : writer_(std::move(writer)) {}

Status HashingWriter::Write(std::string_view piece) {
  hasher_.Update(piece);
  return writer_->Write(piece);
}

}  // namespace tintype::blobs
