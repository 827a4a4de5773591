#include "cli/backup/checksum.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <vector>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/hex.h"
#include "crypto/digest.h"

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

Result<Checksum> ChecksumOfFile(const std::string& path, const OnPiece& on_piece) {
  crypto::Digest sha256(crypto::DigestKind::kSha256);
  Checksum sum;
  RETURN_IF_ERROR(ReadPieces(path, on_piece, [&](std::string_view piece) {
    sha256.Update(piece);
    sum.bytes += piece.size();
    return OkStatus();
  }));
  sum.sha256 = ToHex(sha256.Value());
  return sum;
}

Result<Checksum> CopyFile(const std::string& from, const std::string& to, const OnPiece& on_piece) {
  const Descriptor copy(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!copy.valid()) {
    return FileError("create", to);
  }
  crypto::Digest sha256(crypto::DigestKind::kSha256);
  Checksum sum;
  RETURN_IF_ERROR(ReadPieces(from, on_piece, [&](std::string_view piece) -> Status {
    sha256.Update(piece);
    sum.bytes += piece.size();
    return WriteAll(copy, piece, to);
  }));
  if (::fsync(copy.number()) != 0) {
    return FileError("sync", to);
  }
  sum.sha256 = ToHex(sha256.Value());
  return sum;
}

}  // namespace tintype::cli
