#include "contexts/common/secrets.h"

#include <optional>
#include <utility>

#include "base/random.h"
#include "base/strings.h"
#include "crypto/digest.h"
#include "crypto/gcm.h"

namespace tintype::contexts {
namespace {

using crypto::kGcmNonceBytes;

constexpr char kSealVersion = 1;

std::string_view BytesOf(const Key256& key) {
  return {reinterpret_cast<const char*>(key.data()), key.size()};
}

}  // namespace

Key256 DeriveKey(std::string_view secret, std::string_view label) {
  Key256 key{};
  crypto::HkdfSha256(secret, /*salt=*/"", label, key.size())
      .copy(reinterpret_cast<char*>(key.data()), key.size());
  return key;
}

std::string Hmac(const Key256& key, std::string_view text) {
  return std::string(crypto::Bytes(crypto::HmacSha256(BytesOf(key), text)));
}

std::string Seal(const Key256& key, std::string_view context, std::string_view plain) {
  const std::string nonce = RandomBytes(kGcmNonceBytes);
  return StrCat(kSealVersion, nonce, crypto::SealGcm(BytesOf(key), nonce, context, plain));
}

Result<std::string> Unseal(const Key256& key, std::string_view context, std::string_view sealed) {
  constexpr size_t kHeaderBytes = 1 + kGcmNonceBytes;
  if (sealed.size() < kHeaderBytes || sealed[0] != kSealVersion) {
    return Error::Corruption("A sealed text is damaged.");
  }
  std::optional<std::string> plain = crypto::OpenGcm(BytesOf(key), sealed.substr(1, kGcmNonceBytes),
                                                     context, sealed.substr(kHeaderBytes));
  if (!plain) {
    return Error(kSealedWithAnotherKey,
                 "A sealed text was sealed with another key, or is damaged.");
  }
  return *std::move(plain);
}

}  // namespace tintype::contexts
