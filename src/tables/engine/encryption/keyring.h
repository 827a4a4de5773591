#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "crypto/secret_key.h"

namespace tintype::tables::engine {

/// One key that the keys of files are derived from.
struct DataKey {
  uint64_t id = 0;  // Random, so that keys of different directories or of a restored one differ.
  int64_t created_ms = 0;
  crypto::SecretKey key;
};

/// A key that was derived from a data key, and has its id.
struct DerivedKey {
  uint64_t id = 0;
  crypto::SecretKey key;
};

/// The data keys of a directory, oldest first. New files use the newest; the others stay for the
/// files that were written with them. A value; immutable once it is shared. It lives on disk sealed
/// by a master key (docs/formats/encryption.md).
class Keyring {
 public:
  /// With one random key.
  static Keyring Create(int64_t now_ms);

  /// Reads what Seal wrote. `path` is for messages. Errors: kCorruption when a byte is not what it
  /// was; kValidation when it is sealed by another master key, naming the fingerprints of both.
  static Result<Keyring> Open(std::string_view sealed, const crypto::SecretKey& master,
                              const std::string& path);

  /// The fingerprint of the master key that sealed it. Errors: kCorruption.
  static Result<std::string> SealedBy(std::string_view sealed, const std::string& path);

  std::string Seal(const crypto::SecretKey& master) const;

  /// Adds a random key, the newest from now on.
  void Add(int64_t now_ms);

  const DataKey& newest() const { return keys_.back(); }
  const std::vector<DataKey>& keys() const { return keys_; }

  /// A key from each data key, oldest first, for what is no file of the tables: `info` says for
  /// what.
  std::vector<DerivedKey> Derive(std::string_view info) const;

  /// Null if there is none of that id.
  const DataKey* Find(uint64_t id) const;

 private:
  explicit Keyring(std::vector<DataKey> keys) : keys_(std::move(keys)) {}

  std::vector<DataKey> keys_;
};

}  // namespace tintype::tables::engine
