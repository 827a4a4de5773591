#include "blobs/sealed/open_sealed_blob.h"

#include <algorithm>
#include <utility>

namespace tintype::blobs {
namespace {

/// All of `out` or an error.
Status ReadWhole(const OpenBlob& stored, uint64_t offset, std::span<char> out) {
  ASSIGN_OR_RETURN(const size_t count, stored.Read(offset, out));
  return count == out.size() ? OkStatus()
                             : Status(Error::Corruption("An encrypted blob ends too early"));
}

}  // namespace

Result<bool> IsSealed(const OpenBlob& stored, const SealingKeys& keys) {
  std::string header(kSealedHeaderBytes, '\0');
  ASSIGN_OR_RETURN(const size_t count, stored.Read(0, header));
  header.resize(count);
  if (header.starts_with(kSealedMagic)) {
    return true;
  }
  // Damage must not make a picture of it: no other file has the id of a key in that place.
  const bool cut_off = !header.empty() && kSealedMagic.starts_with(header);
  if (cut_off || (count == kSealedHeaderBytes && keys.Find(KeyIdOf(header)) != nullptr)) {
    return Error::Corruption("The first bytes of an encrypted blob are damaged");
  }
  return false;
}

Result<std::shared_ptr<const OpenBlob>> OpenSealedBlob::Open(std::shared_ptr<const OpenBlob> stored,
                                                             const SealingKeys& keys) {
  BlobInfo info = stored->info();
  const auto bytes = BytesOfSealed(info.bytes);
  if (!bytes) {
    return Error::Corruption("An encrypted blob was cut off or added to");
  }
  info.bytes = *bytes;
  std::string header(kSealedHeaderBytes, '\0');
  RETURN_IF_ERROR(ReadWhole(*stored, 0, header));
  ASSIGN_OR_RETURN(SealedForm form, SealedForm::FromHeader(keys, header));
  const std::shared_ptr<OpenSealedBlob> blob(
      new OpenSealedBlob(std::move(stored), std::move(form), std::move(info)));
  const uint64_t last = blob->last_chunk();
  std::string end(blob->BytesOfChunk(last), '\0');
  RETURN_IF_ERROR(blob->ReadChunk(Wait::kYes, last, end.data()));
  return std::shared_ptr<const OpenBlob>(blob);
}

Result<bool> OpenSealedBlob::ReadChunk(Wait wait, uint64_t number, char* out) const {
  // Kept by the thread, since clearing new memory for each chunk takes as long as copying it.
  static thread_local std::string sealed;
  sealed.resize(BytesOfChunk(number) + kChunkExtraBytes);
  const uint64_t at = kSealedHeaderBytes + number * kSealedChunkBytes;
  if (wait == Wait::kYes) {
    RETURN_IF_ERROR(ReadWhole(*stored_, at, sealed));
  } else {
    ASSIGN_OR_RETURN(const std::optional<size_t> count, stored_->ReadNow(at, sealed));
    if (count != sealed.size()) {
      return false;
    }
  }
  RETURN_IF_ERROR(form_.OpenChunk(number, number == last_chunk(), sealed, out));
  return true;
}

Result<size_t> OpenSealedBlob::Read(uint64_t offset, std::span<char> out) const {
  ASSIGN_OR_RETURN(const std::optional<size_t> count, ReadAs(Wait::kYes, offset, out));
  return *count;
}

Result<std::optional<size_t>> OpenSealedBlob::ReadNow(uint64_t offset, std::span<char> out) const {
  return ReadAs(Wait::kNo, offset, out);
}

Result<std::optional<size_t>> OpenSealedBlob::ReadAs(Wait wait, uint64_t offset,
                                                     std::span<char> out) const {
  const uint64_t rest = offset < info_.bytes ? info_.bytes - offset : 0;
  out = out.first(static_cast<size_t>(std::min<uint64_t>(out.size(), rest)));
  std::string chunk;
  for (size_t count = 0; count < out.size();) {
    const uint64_t number = (offset + count) / kChunkBytes;
    const auto at = static_cast<size_t>((offset + count) % kChunkBytes);
    const size_t size = BytesOfChunk(number);
    const size_t wanted = std::min(size - at, out.size() - count);
    const bool whole = wanted == size;
    if (!whole) {
      chunk.resize(size);
    }
    ASSIGN_OR_RETURN(const bool there,
                     ReadChunk(wait, number, whole ? out.data() + count : chunk.data()));
    if (!there) {
      return std::optional<size_t>();
    }
    if (!whole) {
      chunk.copy(out.data() + count, wanted, at);
    }
    count += wanted;
  }
  return std::optional(out.size());
}

}  // namespace tintype::blobs
