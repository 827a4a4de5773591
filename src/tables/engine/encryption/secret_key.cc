#include "tables/engine/encryption/secret_key.h"

#include <openssl/crypto.h>

#include <algorithm>

#include "base/hex.h"
#include "base/random.h"
#include "crypto/digest.h"

namespace tintype::tables::engine {
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

std::string FingerprintBytes(const SecretKey& master) {
  return crypto::HkdfSha256(master.bytes(), /*salt=*/"", "tintype master key fingerprint",
                            kFingerprintBytes);
}

std::string Fingerprint(const SecretKey& master) { return ToHex(FingerprintBytes(master)); }

}  // namespace tintype::tables::engine
