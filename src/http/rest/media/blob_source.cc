#include "http/rest/media/blob_source.h"

#include <algorithm>
#include <utility>

#include "base/logging.h"

namespace tintype::http::rest {

void BlobSource::Read(OnceCallback<std::optional<std::string>> next) {
  // A task that is not taken drops `next`, which ends the response.
  pool_.Submit(
      [self = shared_from_this(), next = std::move(next)]() mutable { next(self->ReadPiece()); },
      {});
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
