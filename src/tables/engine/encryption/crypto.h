#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "tables/engine/encryption/secret_key.h"

namespace tintype::tables::engine {

/// The algorithms that encryption at rest is made of, as OpenSSL has them. All are thread-safe.

/// `length` bytes derived from a key (RFC 5869). `info` says what they are for.
std::string HkdfSha256(std::string_view key, std::string_view salt, std::string_view info,
                       size_t length);

std::string HmacSha256(std::string_view key, std::string_view text);

std::string Sha256(std::string_view text);

/// Whether two texts are equal, in a time that does not tell where they differ.
bool EqualInConstantTime(std::string_view a, std::string_view b);

/// Encrypts or decrypts, which is the same, `size` bytes that stand at `offset` of what one key is
/// used for: AES-256 in counter mode, where the counter is the number of the 16-byte block. `in`
/// and `out` are the same, or do not overlap.
void AesCtr(const SecretKey& key, uint64_t offset, const char* in, char* out, size_t size);

constexpr size_t kGcmNonceBytes = 12;
constexpr size_t kGcmTagBytes = 16;

/// AES-256-GCM: the encrypted text followed by the tag, which also covers `header`.
std::string SealGcm(const SecretKey& key, std::string_view nonce, std::string_view header,
                    std::string_view text);

/// The text again; nothing if a single bit is not what it was, or the key another.
std::optional<std::string> OpenGcm(const SecretKey& key, std::string_view nonce,
                                   std::string_view header, std::string_view sealed);

}  // namespace tintype::tables::engine
