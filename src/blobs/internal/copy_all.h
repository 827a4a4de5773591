#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace tintype::blobs {

/// Hands all bytes of `from`, which has a Read as OpenBlob's, to `take`. Errors: kCorruption when
/// it has become shorter; those of both.
template <typename From, typename Take>
Status CopyAll(const From& from, const Take& take) {
  constexpr size_t kPieceBytes = size_t{1} << 20;
  std::string piece(kPieceBytes, '\0');
  for (uint64_t at = 0; at < from.bytes();) {
    ASSIGN_OR_RETURN(const size_t count, from.Read(at, piece));
    if (count == 0) {
      return Error::Corruption("A blob has become shorter since it was opened");
    }
    RETURN_IF_ERROR(take(std::string_view(piece).substr(0, count)));
    at += count;
  }
  return OkStatus();
}

}  // namespace tintype::blobs
