#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "blobs/blob_store.h"
#include "blobs/s3/internal/client.h"
#include "blobs/s3/internal/object.h"

/// How bytes come to be an object.
namespace tintype::blobs::s3 {

/// S3 takes no more parts than that.
inline constexpr size_t kPartsMax = 10'000;

/// An object that comes in parts, of which nobody sees anything before Complete. Destroyed without
/// that, it removes the parts, if the storage can be reached. Not thread-safe.
class PartUpload {
 public:
  static Result<std::unique_ptr<PartUpload>> Begin(Client& client, BlobKey key);
  ~PartUpload();
  PartUpload(const PartUpload&) = delete;
  PartUpload& operator=(const PartUpload&) = delete;

  size_t parts() const { return etags_.size(); }
  /// Whether the storage has said that it encrypts this one.
  bool is_encrypted_there() const { return encrypts_; }
  /// The next part, from a range of a file.
  Status Add(int file, uint64_t offset, uint64_t length);
  /// The next part, from a range of another object, as long as that is the one of `head`.
  Status AddCopy(const BlobKey& source, const ObjectHead& head, uint64_t offset, uint64_t length);
  Result<BlobInfo> Complete();

 private:
  PartUpload(Client& client, BlobKey key, std::string id, bool encrypts)
      : client_(client), key_(std::move(key)), id_(std::move(id)), encrypts_(encrypts) {}

  std::string NextQuery() const;
  /// Whether the object is there as it was sent.
  Result<BlobInfo> FindCompleted();

  Client& client_;
  const BlobKey key_;
  const std::string id_;
  const bool encrypts_;
  uint64_t bytes_ = 0;
  std::vector<std::string> etags_;
  std::string md5s_;  // Of the parts, one after the other, as far as they are known.
  bool completed_ = false;
};

/// One object from a file, in parts if it is large. Errors: as the store's; kCorruption when the
/// file is shorter.
Result<BlobInfo> UploadFile(Client& client, const BlobKey& key, int file, uint64_t bytes);

/// One object from another, in parts if it is large.
Status CopyObject(Client& client, const BlobKey& from, const ObjectHead& head, const BlobKey& to);

/// The size of parts for an object of that many bytes.
uint64_t PartBytesFor(uint64_t bytes, uint64_t part_bytes);

}  // namespace tintype::blobs::s3
