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
  std::string sealed;
  blob->end_.resize(static_cast<size_t>(blob->bytes() - last * kChunkBytes));
  RETURN_IF_ERROR(blob->ReadChunk(last, blob->end_.size(), sealed, blob->end_.data()));
  return std::shared_ptr<const OpenBlob>(blob);
}

Status OpenSealedBlob::ReadChunk(uint64_t number, size_t size, std::string& sealed,
                                 char* out) const {
  sealed.resize(size + kChunkExtraBytes);
  RETURN_IF_ERROR(ReadWhole(*stored_, kSealedHeaderBytes + number * kSealedChunkBytes, sealed));
  return form_.OpenChunk(number, number == last_chunk(), sealed, out);
}

Result<size_t> OpenSealedBlob::Read(uint64_t offset, std::span<char> out) const {
  const uint64_t rest = offset < info_.bytes ? info_.bytes - offset : 0;
  out = out.first(static_cast<size_t>(std::min<uint64_t>(out.size(), rest)));
  std::string sealed;
  std::string chunk;
  for (size_t count = 0; count < out.size();) {
    const uint64_t number = (offset + count) / kChunkBytes;
    const auto at = static_cast<size_t>((offset + count) % kChunkBytes);
    if (number == last_chunk()) {
      end_.copy(out.data() + count, out.size() - count, at);
      break;
    }
    const size_t wanted = std::min(kChunkBytes - at, out.size() - count);
    if (wanted == kChunkBytes) {
      RETURN_IF_ERROR(ReadChunk(number, kChunkBytes, sealed, out.data() + count));
    } else {
      chunk.resize(kChunkBytes);
      RETURN_IF_ERROR(ReadChunk(number, kChunkBytes, sealed, chunk.data()));
      chunk.copy(out.data() + count, wanted, at);
    }
    count += wanted;
  }
  return out.size();
}

}  // namespace tintype::blobs
