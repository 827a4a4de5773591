#include "flows/scrub/read_blob.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "blobs/blob_store.h"

namespace tintype::flows::scrub {
namespace {

/// Large enough for a storage that is asked over the network for each.
constexpr size_t kPieceBytes = size_t{4} << 20;

/// Whether an error of reading is about these bytes, and not about a store that others cannot use
/// either just now.
bool IsDamage(const Error& error, const blobs::OpenBlob& blob) {
  return error.kind() == ErrorKind::kCorruption ||
         (error.kind() == ErrorKind::kIo && blob.named_descriptor() >= 0);
}

void Hash(Run& run, blobs::ContentHasher& hasher, std::string_view piece) {
  // It keeps a processor busy, as the checksums of uploads do.
  run.parts.hashing.acquire();
  hasher.Update(piece);
  run.parts.hashing.release();
}

}  // namespace

Result<std::optional<BlobContent>> ReadBlob(Run& run, const blobs::BlobKey& key) {
  const Result<std::shared_ptr<const blobs::OpenBlob>> opened = run.parts.blobs.Open(key);
  if (!opened.ok()) {
    switch (opened.error().kind()) {
      case ErrorKind::kNotFound:
        return std::optional<BlobContent>();
      case ErrorKind::kCorruption:  // An encrypted one is looked at when it is opened.
        return std::optional(BlobContent{{}, opened.error().message()});
      default:
        return opened.error();
    }
  }
  const blobs::OpenBlob& blob = **opened;
  const int64_t passed = run.counts().bytes_passed;
  blobs::ContentHasher hasher;
  std::vector<char> buffer(std::min<uint64_t>(kPieceBytes, blob.bytes() + 1));
  for (uint64_t offset = 0;;) {
    const Result<size_t> count = blob.Read(offset, buffer);
    if (!count.ok() && count.error().kind() == ErrorKind::kNotFound) {
      return std::optional<BlobContent>();
    }
    if (!count.ok() && IsDamage(count.error(), blob)) {
      return std::optional(BlobContent{{}, count.error().message()});
    }
    RETURN_IF_ERROR(count);
    if (*count == 0) {
      return std::optional(BlobContent{hasher.hashes(), std::nullopt});
    }
    Hash(run, hasher, {buffer.data(), *count});
    offset += *count;
    blob.ForgetRead(offset);
    run.counts().bytes_read += static_cast<int64_t>(*count);
    run.counts().bytes_passed = passed + static_cast<int64_t>(offset);
    RETURN_IF_ERROR(run.KeepPace(static_cast<int64_t>(*count)));
  }
}

}  // namespace tintype::flows::scrub
