#include "http/rest/media/blob_source.h"

#include <algorithm>
#include <utility>

#include "base/logging.h"

namespace tintype::http::rest {

void BlobSource::Read(OnceCallback<std::optional<std::string>> next) {
  if (std::optional<std::string> piece = PieceThatIsThere()) {
    return next(*std::move(piece));
  }
  // A task that is not taken drops `next`, which ends the response.
  pool_.Submit(
      [self = shared_from_this(), next = std::move(next)]() mutable { next(self->ReadPiece()); },
      {});
}

std::optional<std::string> BlobSource::PieceThatIsThere() {
  // To the end of a chunk, or the next piece would decrypt the same one again.
  const uint64_t to_edge = kPieceBytesNow - part_.offset % kPieceBytesNow;
  std::string piece(static_cast<size_t>(std::min(part_.length, to_edge)), '\0');
  const auto count = blob_->ReadNow(part_.offset, piece);
  // An error is left to the pool, which finds it again and says so.
  if (!count.ok() || *count != piece.size()) {
    return std::nullopt;
  }
  part_.offset += piece.size();
  part_.length -= piece.size();
  return piece;
}

std::optional<std::string> BlobSource::ReadPiece() {
  std::string piece(static_cast<size_t>(std::min<uint64_t>(part_.length, kPieceBytes)), '\0');
  const Result<size_t> count = blob_->Read(part_.offset, piece);
  if (!count.ok() || *count == 0) {
    LogWarning("medium not sent to its end",
               {{"offset", part_.offset},
                {"missing", part_.length},
                {"why", count.ok() ? "it is too short" : count.error().message()}});
    return std::nullopt;
  }
  piece.resize(*count);
  part_.offset += *count;
  part_.length -= *count;
  return piece;
}

}  // namespace tintype::http::rest
