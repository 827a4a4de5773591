#pragma once

#include <cstdint>
#include <memory>

#include "blobs/blob_store.h"
#include "blobs/s3/internal/client.h"
#include "blobs/s3/internal/temporary_file.h"
#include "blobs/s3/internal/upload.h"

namespace tintype::blobs::s3 {

/// A blob on its way to S3. Bytes that are written wait in a file without a name until there is a
/// part of them, which then goes up: neither memory nor disk grow with the blob. Bytes that a
/// helper writes through the descriptor go up when the blob is committed. Not thread-safe.
class S3BlobWriter : public BlobWriter {
 public:
  static Result<std::unique_ptr<BlobWriter>> Create(Client& client, BlobKey key);

  Status Write(std::string_view piece) override;
  int descriptor() const override { return finished_ ? -1 : file_.descriptor(); }
  Result<BlobInfo> Commit() override;

 private:
  S3BlobWriter(Client& client, BlobKey key, TemporaryFile file)
      : client_(client), key_(std::move(key)), file_(std::move(file)) {}

  uint64_t PartBytes() const;
  /// Sends what waits as the next part.
  Status SendPart();
  Status WritePieces(std::string_view piece);

  Client& client_;
  const BlobKey key_;
  TemporaryFile file_;
  uint64_t waiting_ = 0;                // Bytes in the file, when they were written by Write.
  std::unique_ptr<PartUpload> upload_;  // Null as long as there is no more than one part.
  bool finished_ = false;
};

}  // namespace tintype::blobs::s3
