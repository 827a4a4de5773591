#include "blobs/s3/internal/checksums.h"

#include <openssl/evp.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <vector>

#include "base/check.h"
#include "base/hex.h"
#include "base/strings.h"

namespace tintype::blobs::s3 {
namespace {

constexpr size_t kPieceBytes = 256 << 10;

/// One digest that is being computed.
class Digest {
 public:
  explicit Digest(const EVP_MD* kind) : context_(EVP_MD_CTX_new(), EVP_MD_CTX_free) {
    CHECK(context_ != nullptr && EVP_DigestInit_ex(context_.get(), kind, nullptr) == 1);
  }
  void Add(std::string_view piece) {
    CHECK(EVP_DigestUpdate(context_.get(), piece.data(), piece.size()) == 1);
  }
  std::string Finish() {
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes;
    unsigned size = 0;
    CHECK(EVP_DigestFinal_ex(context_.get(), bytes.data(), &size) == 1);
    return {reinterpret_cast<const char*>(bytes.data()), size};
  }

 private:
  std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context_;
};

}  // namespace

std::string Checksums::md5_hex() const { return ToHex(md5); }

std::string Checksums::md5_base64() const {
  std::array<unsigned char, 32> text;
  const int size = EVP_EncodeBlock(text.data(), reinterpret_cast<const unsigned char*>(md5.data()),
                                   static_cast<int>(md5.size()));
  return {reinterpret_cast<const char*>(text.data()), static_cast<size_t>(size)};
}

Checksums ChecksumsOf(std::string_view text) {
  Digest md5(EVP_md5());
  Digest sha256(EVP_sha256());
  md5.Add(text);
  sha256.Add(text);
  return {md5.Finish(), ToHex(sha256.Finish())};
}

Result<Checksums> ChecksumsOf(int file, uint64_t offset, uint64_t length) {
  Digest md5(EVP_md5());
  Digest sha256(EVP_sha256());
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
      md5.Add(bytes);
      sha256.Add(bytes);
      done += bytes.size();
    }
  }
  return Checksums{md5.Finish(), ToHex(sha256.Finish())};
}

std::string ETagOfParts(std::string_view md5s, size_t parts) {
  Digest md5(EVP_md5());
  md5.Add(md5s);
  return StrCat(ToHex(md5.Finish()), "-", parts);
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
