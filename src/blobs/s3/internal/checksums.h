#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::blobs::s3 {

/// What S3 wants to know of bytes that it gets, to be sure that it got them.
struct Checksums {
  std::string md5;         // 16 bytes.
  std::string sha256_hex;  // As the signature has it.

  std::string md5_hex() const;
  std::string md5_base64() const;  // As the header Content-MD5 has it.
};

Checksums ChecksumsOf(std::string_view text);

/// Of a range of a file. Errors: kIo; kCorruption when the file is shorter.
Result<Checksums> ChecksumsOf(int file, uint64_t offset, uint64_t length);

/// The ETag of an object that was put together from parts: the MD5 of their MD5s, and their number.
std::string ETagOfParts(std::string_view md5s, size_t parts);

/// Whether an ETag, without its quotes, is the MD5 of the object's bytes.
bool IsMd5(std::string_view etag);

/// An ETag without its quotes.
std::string_view Unquoted(std::string_view etag);

}  // namespace tintype::blobs::s3
