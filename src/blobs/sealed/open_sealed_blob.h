#pragma once

#include <memory>
#include <string>

#include "blobs/blob_store.h"
#include "blobs/sealed/sealed_form.h"

namespace tintype::blobs {

/// Whether a stored blob is sealed: whether it begins with kSealedMagic. Errors: kCorruption for
/// what was sealed with one of the keys, by the rest of its header, and does not begin so any more,
/// or ends before that can be told; those of Read.
Result<bool> IsSealed(const OpenBlob& stored, const SealingKeys& keys);

/// What is sealed in a blob. As OpenBlob.
class OpenSealedBlob : public OpenBlob {
 public:
  /// Looks at the header, and at the end: from then on the length is known to be the blob's own.
  /// Errors: kCorruption; those of Read.
  static Result<std::shared_ptr<const OpenBlob>> Open(std::shared_ptr<const OpenBlob> stored,
                                                      const SealingKeys& keys);

  const BlobInfo& info() const override { return info_; }
  int descriptor() const override { return -1; }
  int named_descriptor() const override { return stored_->named_descriptor(); }
  /// Also: kCorruption when a byte of a chunk that it touches is not what was written.
  Result<size_t> Read(uint64_t offset, std::span<char> out) const override;
  Result<std::optional<size_t>> ReadNow(uint64_t offset, std::span<char> out) const override;
  void ForgetRead(uint64_t end) const override { stored_->ForgetRead(SealedBytesOf(end)); }

 private:
  OpenSealedBlob(std::shared_ptr<const OpenBlob> stored, SealedForm form, BlobInfo info)
      : stored_(std::move(stored)), form_(std::move(form)), info_(std::move(info)) {}

  uint64_t last_chunk() const { return info_.bytes == 0 ? 0 : (info_.bytes - 1) / kChunkBytes; }
  enum class Wait { kYes, kNo };
  Result<std::optional<size_t>> ReadAs(Wait wait, uint64_t offset, std::span<char> out) const;
  /// Writes what a chunk holds to `out`, which has room for all of it. False when that would take
  /// waiting, which is not wanted.
  Result<bool> ReadChunk(Wait wait, uint64_t number, char* out) const;
  size_t BytesOfChunk(uint64_t number) const {
    return number < last_chunk() ? kChunkBytes
                                 : static_cast<size_t>(bytes() - number * kChunkBytes);
  }

  const std::shared_ptr<const OpenBlob> stored_;
  const SealedForm form_;
  const BlobInfo info_;
};

}  // namespace tintype::blobs
