#include "blobs/sealed/sealed_form.h"

#include <utility>

#include "base/big_endian.h"
#include "base/check.h"
#include "base/hex.h"
#include "base/random.h"
#include "base/strings.h"
#include "crypto/digest.h"

namespace tintype::blobs {
namespace {

using crypto::SecretKey;

// magic (8) | version (1) | zeros (7) | id of the key (8) | salt (32) | HMAC of all before (32)
constexpr char kVersion = 1;
constexpr size_t kVersionAt = 8;
constexpr size_t kKeyIdAt = 16;
constexpr size_t kSaltAt = 24;
constexpr size_t kSaltBytes = 32;
constexpr size_t kTagAt = kSaltAt + kSaltBytes;
static_assert(kTagAt + sizeof(crypto::Sha256Digest) == kSealedHeaderBytes);

/// For the chunks, and for the HMAC of the header.
std::pair<SecretKey, SecretKey> DeriveKeys(const SecretKey& key, std::string_view salt) {
  return crypto::DeriveSecretKeys(key, salt, "tintype blob");
}

std::string TagOf(const SecretKey& key, std::string_view header) {
  return std::string(crypto::Bytes(crypto::HmacSha256(key.bytes(), header.substr(0, kTagAt))));
}

/// What a chunk is authenticated with beside its bytes: nobody can move it, or end the blob with
/// another one.
std::string PlaceOf(uint64_t number, bool last) {
  std::string place;
  AppendBigEndian64(place, number);
  place.push_back(last ? '\1' : '\0');
  return place;
}

}  // namespace

uint64_t SealedBytesOf(uint64_t bytes) {
  const uint64_t chunks = bytes == 0 ? 1 : (bytes + kChunkBytes - 1) / kChunkBytes;
  return kSealedHeaderBytes + bytes + chunks * kChunkExtraBytes;
}

std::optional<uint64_t> BytesOfSealed(uint64_t sealed_bytes) {
  if (sealed_bytes < kSealedHeaderBytes + kChunkExtraBytes) {
    return std::nullopt;
  }
  const uint64_t rest = sealed_bytes - kSealedHeaderBytes;
  const uint64_t chunks = (rest + kSealedChunkBytes - 1) / kSealedChunkBytes;
  // The last chunk is whole as far as its nonce and tag go, and empty only where it is the first.
  const uint64_t in_last = rest - (chunks - 1) * kSealedChunkBytes;
  if (in_last < kChunkExtraBytes || (in_last == kChunkExtraBytes && chunks > 1)) {
    return std::nullopt;
  }
  return rest - chunks * kChunkExtraBytes;
}

uint64_t KeyIdOf(std::string_view header) {
  return ReadBigEndian64(header.substr(kKeyIdAt, sizeof(uint64_t)));
}

SealedForm SealedForm::ForNewBlob(const SealingKeys& keys, std::string& header) {
  const SealingKey& newest = keys.newest();
  const std::string salt = RandomBytes(kSaltBytes);
  const auto [content, for_header] = DeriveKeys(newest.key, salt);
  header = kSealedMagic;
  header.push_back(kVersion);
  header.resize(kKeyIdAt, '\0');
  AppendBigEndian64(header, newest.id);
  StrAppend(header, salt);
  StrAppend(header, TagOf(for_header, header));
  CHECK(header.size() == kSealedHeaderBytes);
  return SealedForm(content);
}

Result<SealedForm> SealedForm::FromHeader(const SealingKeys& keys, std::string_view header) {
  CHECK(header.size() == kSealedHeaderBytes);
  if (!header.starts_with(kSealedMagic)) {
    return Error::Corruption("It is not encrypted, or its first bytes are damaged");
  }
  if (header[kVersionAt] != kVersion) {
    return Error::Corruption(
        StrCat("It is encrypted in a way that this version does not know (",
               static_cast<int>(static_cast<unsigned char>(header[kVersionAt])), ")"));
  }
  const SealingKey* key = keys.Find(KeyIdOf(header));
  if (key == nullptr) {
    return Error::Corruption(StrCat("It is encrypted with the data key ",
                                    ToHex(header.substr(kKeyIdAt, sizeof(uint64_t))),
                                    ", which is not here, or its first bytes are damaged"));
  }
  const auto [content, for_header] = DeriveKeys(key->key, header.substr(kSaltAt, kSaltBytes));
  if (!crypto::EqualInConstantTime(TagOf(for_header, header), header.substr(kTagAt))) {
    return Error::Corruption("Its first bytes, which say how it is encrypted, are damaged");
  }
  return SealedForm(content);
}

void SealedForm::SealChunk(uint64_t number, bool last, std::string_view bytes,
                           std::string& out) const {
  CHECK(bytes.size() <= kChunkBytes);
  const std::string nonce = RandomBytes(crypto::kGcmNonceBytes);
  const size_t at = out.size();
  out.resize(at + bytes.size() + kChunkExtraBytes);
  nonce.copy(out.data() + at, nonce.size());
  crypto::SealGcmTo(out.data() + at + nonce.size(), key_.bytes(), nonce, PlaceOf(number, last),
                    bytes);
}

Status SealedForm::OpenChunk(uint64_t number, bool last, std::string_view sealed, char* out) const {
  CHECK(sealed.size() >= kChunkExtraBytes && sealed.size() <= kSealedChunkBytes);
  const std::string_view nonce = sealed.substr(0, crypto::kGcmNonceBytes);
  if (!crypto::OpenGcmTo(out, key_.bytes(), nonce, PlaceOf(number, last),
                         sealed.substr(nonce.size()))) {
    return Error::Corruption(
        StrCat("It does not hold what was written from byte ", number * kChunkBytes, " on"));
  }
  return OkStatus();
}

std::string SealWhole(const SealingKeys& keys, std::string_view bytes) {
  std::string sealed;
  const SealedForm form = SealedForm::ForNewBlob(keys, sealed);
  sealed.reserve(SealedBytesOf(bytes.size()));
  uint64_t number = 0;
  for (; bytes.size() > kChunkBytes; bytes.remove_prefix(kChunkBytes)) {
    form.SealChunk(number++, /*last=*/false, bytes.substr(0, kChunkBytes), sealed);
  }
  form.SealChunk(number, /*last=*/true, bytes, sealed);
  return sealed;
}

Result<std::string> OpenWhole(const SealingKeys& keys, std::string_view sealed) {
  const auto size = BytesOfSealed(sealed.size());
  if (!size) {
    return Error::Corruption("It was cut off or added to");
  }
  ASSIGN_OR_RETURN(const SealedForm form,
                   SealedForm::FromHeader(keys, sealed.substr(0, kSealedHeaderBytes)));
  sealed.remove_prefix(kSealedHeaderBytes);
  std::string bytes(static_cast<size_t>(*size), '\0');
  char* out = bytes.data();
  for (uint64_t number = 0; !sealed.empty(); ++number) {
    const std::string_view chunk = sealed.substr(0, kSealedChunkBytes);
    sealed.remove_prefix(chunk.size());
    RETURN_IF_ERROR(form.OpenChunk(number, /*last=*/sealed.empty(), chunk, out));
    out += chunk.size() - kChunkExtraBytes;
  }
  return bytes;
}

}  // namespace tintype::blobs
