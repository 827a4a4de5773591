#pragma once

#include <cstdint>
#include <memory>

#include "blobs/blob_store.h"
#include "blobs/sealed/sealed_form.h"
#include "http/rest/protocol/pool.h"
#include "http/server/message.h"

namespace tintype::http::rest {

/// A part of a blob that has no file with its bytes, as the body of a response, a piece at a time.
/// What is in memory is decrypted by the server's own thread, which takes less than handing it
/// over would; anything else is read by the pool, which outlives this. Used by one response.
class BlobSource : public BodySource, public std::enable_shared_from_this<BlobSource> {
 public:
  struct Part {
    uint64_t offset = 0;
    uint64_t length = 0;
  };
  BlobSource(std::shared_ptr<const blobs::OpenBlob> blob, const Part& part, Pool& pool)
      : blob_(std::move(blob)), part_(part), pool_(pool) {}

  void Read(OnceCallback<std::optional<std::string>> next) override;

 private:
  /// As much as a client may have of our memory, and enough for one request to the storage.
  static constexpr size_t kPieceBytes = 512 * 1024;

  /// What the server's own thread does at once: some 100 microseconds. With a quarter of it a
  /// client is woken so often that a third fewer pictures are sent.
  static constexpr uint64_t kPieceBytesNow = 4 * blobs::kChunkBytes;

  std::optional<std::string> PieceThatIsThere();
  std::optional<std::string> ReadPiece();

  const std::shared_ptr<const blobs::OpenBlob> blob_;  // Shared, as blobs that are open are.
  Part part_;                                          // What is left of it.
  Pool& pool_;
};

}  // namespace tintype::http::rest
