#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::blobs {

/// Where a blob is: a bucket and a key in it, as on S3. A plain value; it may hold anything until
/// it is validated, which every store does before it looks at it.
struct BlobKey {
  std::string bucket;
  std::string key;

  auto operator<=>(const BlobKey&) const = default;
};

inline constexpr size_t kBlobKeyBytesMax = 1024;

/// A bucket's name: 3 to 63 lower-case letters, digits, '-' and '.', a letter or digit at both
/// ends. Errors: kValidation.
Status ValidateBucketName(std::string_view name);

/// A key: 1 to 1024 bytes of UTF-8 without control characters, whose components (between slashes)
/// are not empty, "." or "..", and at most 255 bytes once a file system can hold them. S3 would
/// take more, but every store refuses the same keys, so that blobs can move between them. Errors:
/// kValidation.
Status ValidateBlobKey(const BlobKey& key);

}  // namespace tintype::blobs
