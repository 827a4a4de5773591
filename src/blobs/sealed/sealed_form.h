#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "blobs/sealed/sealing_keys.h"
#include "crypto/gcm.h"
#include "crypto/secret_key.h"

/// How a blob looks that is encrypted (docs/formats/blobs.md): a header with the salt of its own
/// key, then chunks, each of which is authenticated by itself and knows its place and whether it is
/// the last. So a range costs the chunks that it touches, and a blob that was changed, cut,
/// repeated or put together anew is an error.
namespace tintype::blobs {

inline constexpr size_t kSealedHeaderBytes = 88;
/// Of the blob's own bytes; the last chunk has fewer, or as many, and only that of an empty blob
/// none.
inline constexpr size_t kChunkBytes = size_t{64} * 1024;
/// What a chunk has beside them: its nonce and its tag.
inline constexpr size_t kChunkExtraBytes = crypto::kGcmNonceBytes + crypto::kGcmTagBytes;
inline constexpr size_t kSealedChunkBytes = kChunkBytes + kChunkExtraBytes;

/// How the first bytes of every sealed blob begin; of what is not sealed, nothing that cameras and
/// programs write does.
inline constexpr std::string_view kSealedMagic = "TINTBLOB";

uint64_t SealedBytesOf(uint64_t bytes);
/// How many bytes a sealed blob of that size holds; nothing for a size that none has.
std::optional<uint64_t> BytesOfSealed(uint64_t sealed_bytes);

/// Which key a header names. REQUIRES: it has kSealedHeaderBytes.
uint64_t KeyIdOf(std::string_view header);

/// The key of one blob, and the chunks that it seals and opens. Immutable and thread-safe.
class SealedForm {
 public:
  /// For a new blob, with the newest key. Returns the header that it begins with in `header`.
  static SealedForm ForNewBlob(const SealingKeys& keys, std::string& header);

  /// For a blob that begins with `header`. REQUIRES: it has kSealedHeaderBytes. Errors:
  /// kCorruption, saying what is wrong, but not of which blob.
  static Result<SealedForm> FromHeader(const SealingKeys& keys, std::string_view header);

  /// Appends the chunk of that number to `out`. REQUIRES: at most kChunkBytes.
  void SealChunk(uint64_t number, bool last, std::string_view bytes, std::string& out) const;

  /// Writes what the chunk holds, sealed.size() - kChunkExtraBytes, to `out`. REQUIRES: it has at
  /// least kChunkExtraBytes, at most kSealedChunkBytes. Errors: kCorruption.
  Status OpenChunk(uint64_t number, bool last, std::string_view sealed, char* out) const;

 private:
  explicit SealedForm(const crypto::SecretKey& key) : key_(key) {}

  crypto::SecretKey key_;
};

/// A sealed blob in one piece.
std::string SealWhole(const SealingKeys& keys, std::string_view bytes);
/// What it holds. Errors: kCorruption.
Result<std::string> OpenWhole(const SealingKeys& keys, std::string_view sealed);

}  // namespace tintype::blobs
