#include "crypto/secret_key.h"

#include <openssl/crypto.h>

#include <cstring>
#include <string>

#include "base/check.h"
#include "base/random.h"
#include "crypto/digest.h"

namespace tintype::crypto {
namespace {

/// The memory that keys lie in, prepared once. There is room for as many keys as files are open.
KeyMemory PreparedArena() {
  static const KeyMemory kind = [] {
    constexpr size_t kArenaBytes = size_t{1} << 20;
    // 1: it is locked. 2: the system did not allow that. 0: there is none, and OpenSSL takes
    // ordinary memory.
    return CRYPTO_secure_malloc_init(kArenaBytes, SecretKey::kBytes) == 1 ? KeyMemory::kLocked
                                                                          : KeyMemory::kSwappable;
  }();
  return kind;
}

char* AllocateKey() {
  PreparedArena();
  void* bytes = OPENSSL_secure_malloc(SecretKey::kBytes);
  if (bytes == nullptr) {
    bytes = OPENSSL_malloc(SecretKey::kBytes);  // The arena is full.
  }
  CHECK(bytes != nullptr);
  return static_cast<char*>(bytes);
}

}  // namespace

WipedAtEnd::~WipedAtEnd() {
  if (text_ != nullptr) {
    OPENSSL_cleanse(text_->data(), text_->size());
  }
}

SecretKey SecretKey::Random() {
  std::string bytes = RandomBytes(kBytes);
  const WipedAtEnd wiped(&bytes);
  return *FromBytes(bytes);
}

std::optional<SecretKey> SecretKey::FromBytes(std::string_view bytes) {
  return bytes.size() == kBytes ? std::optional(SecretKey(bytes)) : std::nullopt;
}

SecretKey::SecretKey(std::string_view bytes) : bytes_(AllocateKey()) {
  std::memcpy(bytes_, bytes.data(), kBytes);
}

SecretKey& SecretKey::operator=(const SecretKey& other) {
  if (this != &other) {
    std::memcpy(bytes_, other.bytes_, kBytes);
  }
  return *this;
}

SecretKey::~SecretKey() { OPENSSL_secure_clear_free(bytes_, kBytes); }

bool SecretKey::operator==(const SecretKey& other) const {
  return CRYPTO_memcmp(bytes_, other.bytes_, kBytes) == 0;
}

KeyMemory KeyMemoryOfProcess() { return PreparedArena(); }

SecretKey DeriveSecretKey(const SecretKey& key, std::string_view salt, std::string_view info) {
  std::string bytes = HkdfSha256(key.bytes(), salt, info, SecretKey::kBytes);
  const WipedAtEnd wiped(&bytes);
  return *SecretKey::FromBytes(bytes);
}

std::pair<SecretKey, SecretKey> DeriveSecretKeys(const SecretKey& key, std::string_view salt,
                                                 std::string_view info) {
  std::string bytes = HkdfSha256(key.bytes(), salt, info, 2 * SecretKey::kBytes);
  const WipedAtEnd wiped(&bytes);
  const std::string_view view = bytes;
  return {*SecretKey::FromBytes(view.substr(0, SecretKey::kBytes)),
          *SecretKey::FromBytes(view.substr(SecretKey::kBytes))};
}

}  // namespace tintype::crypto
