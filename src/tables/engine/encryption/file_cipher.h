#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "crypto/secret_key.h"
#include "tables/engine/encryption/keyring.h"

namespace tintype::tables::engine {

/// Encrypts and decrypts one file. Each file has a key of its own, derived from a data key and the
/// random salt in the file's prefix, so that no two files, and no two positions of one, share key
/// stream. That holds as long as no position is written twice: files are appended to, and never
/// changed in place. Immutable and thread-safe.
class FileCipher {
 public:
  /// What every encrypted file starts with (docs/formats/encryption.md).
  static constexpr size_t kPrefixBytes = 80;

  /// For a new file, with the newest key. Returns the prefix that it must start with in `prefix`.
  static FileCipher ForNewFile(const Keyring& keyring, std::string& prefix);

  /// For a file that starts with `prefix`. Errors: kCorruption, saying what is wrong with the file,
  /// but not which file it is.
  static Result<FileCipher> FromPrefix(const Keyring& keyring, std::string_view prefix);

  /// Encrypts or decrypts, which is the same, the bytes at `offset` of the content, which begins
  /// after the prefix. `in` and `out` are the same, or do not overlap.
  void Apply(uint64_t offset, const char* in, char* out, size_t size) const;

 private:
  explicit FileCipher(const crypto::SecretKey& key) : key_(key) {}

  crypto::SecretKey key_;
};

}  // namespace tintype::tables::engine
