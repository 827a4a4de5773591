#include "crypto/secret_key.h"

#include <openssl/crypto.h>

#include <algorithm>
#include <string>

#include "base/random.h"
#include "crypto/digest.h"

namespace tintype::crypto {

SecretKey SecretKey::Random() {
  std::string bytes = RandomBytes(kBytes);
  const SecretKey key = *FromBytes(bytes);
  OPENSSL_cleanse(bytes.data(), bytes.size());
  return key;
}

std::optional<SecretKey> SecretKey::FromBytes(std::string_view bytes) {
  if (bytes.size() != kBytes) {
    return std::nullopt;
  }
  SecretKey key;
  std::copy(bytes.begin(), bytes.end(), key.bytes_.begin());
  return key;
}

SecretKey::~SecretKey() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

SecretKey DeriveSecretKey(const SecretKey& key, std::string_view salt, std::string_view info) {
  std::string bytes = HkdfSha256(key.bytes(), salt, info, SecretKey::kBytes);
  const SecretKey derived = *SecretKey::FromBytes(bytes);
  OPENSSL_cleanse(bytes.data(), bytes.size());
  return derived;
}

std::pair<SecretKey, SecretKey> DeriveSecretKeys(const SecretKey& key, std::string_view salt,
                                                 std::string_view info) {
  std::string bytes = HkdfSha256(key.bytes(), salt, info, 2 * SecretKey::kBytes);
  const std::string_view view = bytes;
  std::pair keys(*SecretKey::FromBytes(view.substr(0, SecretKey::kBytes)),
                 *SecretKey::FromBytes(view.substr(SecretKey::kBytes)));
  OPENSSL_cleanse(bytes.data(), bytes.size());
  return keys;
}

}  // namespace tintype::crypto
