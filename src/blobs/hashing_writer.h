#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "blobs/blob_store.h"
#include "crypto/digest.h"

namespace tintype::blobs {

/// Checksums of some bytes, in lower-case hexadecimal digits.
struct ContentHashes {
  std::string md5;
  std::string sha256;

  bool operator==(const ContentHashes&) const = default;
};

/// Computes MD5 and SHA-256 of bytes that pass by. Not thread-safe.
class ContentHasher {
 public:
  void Update(std::string_view piece);
  /// The checksums of everything so far; more may follow.
  ContentHashes hashes() const;

 private:
  crypto::Digest md5_{crypto::DigestKind::kMd5};
  crypto::Digest sha256_{crypto::DigestKind::kSha256};
};

/// A BlobWriter that also computes the checksums of what is written through it. It has no
/// descriptor, since it would not see what is written there. For the rest as the writer it wraps
/// and owns.
class HashingWriter : public BlobWriter {
 public:
  explicit HashingWriter(std::unique_ptr<BlobWriter> writer);

  Status Write(std::string_view piece) override;
  int descriptor() const override { return -1; }
  Result<BlobInfo> Commit() override { return writer_->Commit(); }

  /// Of everything written so far: before Commit too, to compare with what a client promised.
  ContentHashes hashes() const { return hasher_.hashes(); }

 private:
  const std::unique_ptr<BlobWriter> writer_;
  ContentHasher hasher_;
};

}  // namespace tintype::blobs
