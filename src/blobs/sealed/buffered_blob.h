#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/mutex.h"
#include "blobs/blob_store.h"

namespace tintype::blobs {

/// A blob of a store that is far away, as S3, read in large pieces: an encrypted blob is opened by
/// its first and its last bytes, and then read chunk by chunk, each of which would be a request.
/// Keeps one piece in memory. Thread-safe.
class BufferedBlob : public OpenBlob {
 public:
  static constexpr size_t kPieceBytes = size_t{1} << 20;

  /// The blob itself where it is near: where it has a file.
  static std::shared_ptr<const OpenBlob> Of(std::shared_ptr<const OpenBlob> blob);

  explicit BufferedBlob(std::shared_ptr<const OpenBlob> blob) : blob_(std::move(blob)) {}

  const BlobInfo& info() const override { return blob_->info(); }
  int descriptor() const override { return blob_->descriptor(); }
  int named_descriptor() const override { return blob_->named_descriptor(); }
  Result<size_t> Read(uint64_t offset, std::span<char> out) const override;
  void ForgetRead(uint64_t end) const override { blob_->ForgetRead(end); }

 private:
  const std::shared_ptr<const OpenBlob> blob_;
  mutable Mutex mutex_;
  mutable uint64_t begin_ GUARDED_BY(mutex_) = 0;  // Where the piece is in the blob.
  mutable std::string piece_ GUARDED_BY(mutex_);
};

}  // namespace tintype::blobs
