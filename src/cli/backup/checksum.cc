#include "cli/backup/checksum.h"

#include <fcntl.h>
#include <openssl/evp.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "base/check.h"
#include "base/descriptor.h"
#include "base/files.h"

namespace tintype::cli {
namespace {

constexpr size_t kPieceBytes = size_t{1} << 20;

/// Calls `use` with each piece of a file.
template <typename Use>
Status ReadPieces(const std::string& path, const OnPiece& on_piece, Use use) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.valid()) {
    return FileError("open", path);
  }
  std::vector<char> buffer(kPieceBytes);
  for (;;) {
    const ssize_t count = ::read(file.number(), buffer.data(), buffer.size());
    if (count == 0) {
      return OkStatus();
    }
    if (count < 0 && errno == EINTR) {
      continue;
    }
    if (count < 0) {
      return FileError("read", path);
    }
    RETURN_IF_ERROR(use(std::string_view(buffer.data(), static_cast<size_t>(count))));
    if (!on_piece(static_cast<uint64_t>(count))) {
      return Error(ErrorKind::kUnavailable, "The command was cancelled");
    }
  }
}

}  // namespace

Sha256Stream::Sha256Stream() : context_(EVP_MD_CTX_new()) {
  CHECK(context_ != nullptr);
  CHECK(EVP_DigestInit_ex(context_, EVP_sha256(), nullptr) == 1);
}

Sha256Stream::~Sha256Stream() { EVP_MD_CTX_free(context_); }

void Sha256Stream::Add(std::string_view piece) {
  CHECK(EVP_DigestUpdate(context_, piece.data(), piece.size()) == 1);
}

std::string Sha256Stream::Finish() {
  static constexpr char kDigits[] = "0123456789abcdef";
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned size = 0;
  CHECK(EVP_DigestFinal_ex(context_, digest, &size) == 1);
  std::string hex;
  for (unsigned i = 0; i < size; ++i) {
    hex.push_back(kDigits[digest[i] >> 4]);
    hex.push_back(kDigits[digest[i] & 15]);
  }
  return hex;
}

Result<Checksum> ChecksumOfFile(const std::string& path, const OnPiece& on_piece) {
  Sha256Stream sha256;
  Checksum sum;
  RETURN_IF_ERROR(ReadPieces(path, on_piece, [&](std::string_view piece) {
    sha256.Add(piece);
    sum.bytes += piece.size();
    return OkStatus();
  }));
  sum.sha256 = sha256.Finish();
  return sum;
}

Result<Checksum> CopyFile(const std::string& from, const std::string& to, const OnPiece& on_piece) {
  const Descriptor copy(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!copy.valid()) {
    return FileError("create", to);
  }
  Sha256Stream sha256;
  Checksum sum;
  RETURN_IF_ERROR(ReadPieces(from, on_piece, [&](std::string_view piece) -> Status {
    sha256.Add(piece);
    sum.bytes += piece.size();
    return WriteAll(copy, piece, to);
  }));
  if (::fsync(copy.number()) != 0) {
    return FileError("sync", to);
  }
  sum.sha256 = sha256.Finish();
  return sum;
}

}  // namespace tintype::cli
