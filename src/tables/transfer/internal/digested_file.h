#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/result.h"
#include "crypto/digest.h"

namespace tintype::tables::transfer {

/// Everything is created for its owner alone: it holds what the tables hold.
inline constexpr mode_t kFileMode = 0600;

/// The MD5 of a file, the checksum of DynamoDB's manifests.
struct FileDigest {
  std::string md5;  // 16 bytes.

  std::string Hex() const;
  std::string Base64() const;
};

/// A file that is being written, as NewFile does it, and its digest. Not thread-safe.
class DigestedFile {
 public:
  static Result<std::unique_ptr<DigestedFile>> Create(std::string path);

  Status Write(std::string_view bytes);
  Result<FileDigest> Finish();

 private:
  explicit DigestedFile(NewFile file);

  NewFile file_;
  crypto::Digest digest_{crypto::DigestKind::kMd5};
};

Result<FileDigest> WriteDigestedFile(const std::string& path, std::string_view content);

}  // namespace tintype::tables::transfer
