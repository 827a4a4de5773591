#pragma once

#include <cstddef>
#include <cstdint>

#include "crypto/secret_key.h"

namespace tintype::tables::engine {

/// Encrypts or decrypts, which is the same, `size` bytes that stand at `offset` of what one key is
/// used for: AES-256 in counter mode, where the counter is the number of the 16-byte block. `in`
/// and `out` are the same, or do not overlap. Thread-safe.
void AesCtr(const crypto::SecretKey& key, uint64_t offset, const char* in, char* out, size_t size);

}  // namespace tintype::tables::engine
