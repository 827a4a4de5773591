#include "blobs/s3/internal/checksums.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "base/base64.h"
#include "base/hex.h"
#include "base/strings.h"
#include "crypto/digest.h"

namespace tintype::blobs::s3 {
namespace {

constexpr size_t kPieceBytes = 256 << 10;

}  // namespace

std::string Checksums::md5_hex() const { return ToHex(md5); }

std::string Checksums::md5_base64() const { return Base64(md5); }

Checksums ChecksumsOf(std::string_view text) {
  return {crypto::Md5(text), crypto::Sha256Hex(text)};
}

Result<Checksums> ChecksumsOf(int file, uint64_t offset, uint64_t length) {
  crypto::Digest md5(crypto::DigestKind::kMd5);
  crypto::Digest sha256(crypto::DigestKind::kSha256);
  std::vector<char> piece(kPieceBytes);
  for (uint64_t done = 0; done < length;) {
    const auto wanted = static_cast<size_t>(std::min<uint64_t>(piece.size(), length - done));
    const ssize_t got = ::pread(file, piece.data(), wanted, static_cast<off_t>(offset + done));
    if (got < 0 && errno != EINTR) {
      return Error::Io("A file that is to be stored cannot be read");
    }
    if (got == 0) {
      return Error::Corruption("A file that is to be stored has become shorter");
    }
    if (got > 0) {
      const std::string_view bytes(piece.data(), static_cast<size_t>(got));
      md5.Update(bytes);
      sha256.Update(bytes);
      done += bytes.size();
    }
  }
  return Checksums{md5.Value(), ToHex(sha256.Value())};
}

std::string ETagOfParts(std::string_view md5s, size_t parts) {
  return StrCat(ToHex(crypto::Md5(md5s)), "-", parts);
}

bool IsMd5(std::string_view etag) {
  return etag.size() == 32 && etag.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

std::string_view Unquoted(std::string_view etag) {
  if (etag.size() >= 2 && etag.starts_with('"') && etag.ends_with('"')) {
    etag = etag.substr(1, etag.size() - 2);
  }
  return etag;
}

}  // namespace tintype::blobs::s3
