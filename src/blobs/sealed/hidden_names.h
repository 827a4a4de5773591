#pragma once

#include <string>
#include <string_view>

#include "blobs/sealed/sealing_keys.h"
#include "crypto/secret_key.h"

namespace tintype::blobs {

/// Keys of blobs that tell an email address, as they lie on a disk (docs/formats/blobs.md): each
/// component with an '@' is encrypted, always to the same text. Immutable and thread-safe.
class HiddenNames {
 public:
  /// By the oldest of the keys, so that names stay when a new one is added.
  explicit HiddenNames(const SealingKeys& keys);

  static bool HidesAnyOf(std::string_view key) { return key.find('@') != std::string_view::npos; }

  /// The name of a valid key, or of its beginning up to a slash. It may have more components.
  std::string Hide(std::string_view key) const;
  /// The key of a name. A component that was not hidden with these keys stays as it is.
  std::string Show(std::string_view name) const;

 private:
  explicit HiddenNames(const std::pair<crypto::SecretKey, crypto::SecretKey>& keys)
      : for_nonce_(keys.first), for_text_(keys.second) {}
  std::string HideComponent(std::string_view component) const;

  const crypto::SecretKey for_nonce_;
  const crypto::SecretKey for_text_;
};

}  // namespace tintype::blobs
