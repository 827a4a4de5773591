#include "blobs/sealed/buffered_blob.h"

#include <algorithm>
#include <utility>

namespace tintype::blobs {

std::shared_ptr<const OpenBlob> BufferedBlob::Of(std::shared_ptr<const OpenBlob> blob) {
  return blob->descriptor() >= 0 ? std::move(blob)
                                 : std::make_shared<const BufferedBlob>(std::move(blob));
}

Result<size_t> BufferedBlob::Read(uint64_t offset, std::span<char> out) const {
  // Other readers of the same blob wait meanwhile: they mostly want the piece that is coming.
  const MutexLock lock(mutex_);
  size_t count = 0;
  while (count < out.size() && offset + count < bytes()) {
    const uint64_t at = offset + count;
    if (at < begin_ || at >= begin_ + piece_.size()) {
      // A read larger than a piece needs none.
      if (out.size() - count >= kPieceBytes) {
        ASSIGN_OR_RETURN(const size_t got, blob_->Read(at, out.subspan(count)));
        return count + got;
      }
      std::string piece(static_cast<size_t>(std::min<uint64_t>(kPieceBytes, bytes() - at)), '\0');
      ASSIGN_OR_RETURN(const size_t got, blob_->Read(at, piece));
      piece.resize(got);
      if (got == 0) {
        break;
      }
      begin_ = at;
      piece_ = std::move(piece);
    }
    const size_t copied =
        piece_.copy(out.data() + count, out.size() - count, static_cast<size_t>(at - begin_));
    count += copied;
  }
  return count;
}

}  // namespace tintype::blobs
