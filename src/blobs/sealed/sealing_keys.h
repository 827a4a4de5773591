#pragma once

#include <cstdint>
#include <vector>

#include "crypto/secret_key.h"

namespace tintype::blobs {

/// What becomes of blobs, and of uploads on their way, that are begun from now on.
enum class NewBlobs { kSealed, kPlain };

/// One key that the keys of blobs are derived from.
struct SealingKey {
  uint64_t id = 0;
  crypto::SecretKey key;
};

/// The keys of a store, oldest first, at least one: new blobs are sealed with the newest, the
/// others open what was sealed before. A value; immutable once it is shared.
class SealingKeys {
 public:
  /// REQUIRES: there is one.
  explicit SealingKeys(std::vector<SealingKey> keys);

  const SealingKey& newest() const { return keys_.back(); }
  const SealingKey& oldest() const { return keys_.front(); }
  /// Null if there is none of that id.
  const SealingKey* Find(uint64_t id) const;

 private:
  std::vector<SealingKey> keys_;
};

}  // namespace tintype::blobs
