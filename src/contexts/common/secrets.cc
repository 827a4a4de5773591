#include "contexts/common/secrets.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>

#include <cstdint>
#include <memory>

#include "base/check.h"
#include "base/random.h"

namespace tintype::contexts {
namespace {

constexpr size_t kNonceBytes = 12;
constexpr size_t kTagBytes = 16;
constexpr char kSealVersion = 1;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* Bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

struct FreeCipher {
  void operator()(EVP_CIPHER_CTX* cipher) const { EVP_CIPHER_CTX_free(cipher); }
};
using Cipher = std::unique_ptr<EVP_CIPHER_CTX, FreeCipher>;

struct FreePkey {
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
};

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

Key256 DeriveKey(std::string_view secret, std::string_view label) {
  const std::unique_ptr<EVP_PKEY_CTX, FreePkey> context(
      EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nullptr));
  Key256 key{};
  size_t length = key.size();
  // Nothing of this depends on what anybody sends: a failure is a broken library.
  CHECK(context && EVP_PKEY_derive_init(context.get()) == 1 &&
        EVP_PKEY_CTX_set_hkdf_md(context.get(), EVP_sha256()) == 1 &&
        EVP_PKEY_CTX_set1_hkdf_key(context.get(), Bytes(secret), static_cast<int>(secret.size())) ==
            1 &&
        EVP_PKEY_CTX_add1_hkdf_info(context.get(), Bytes(label), static_cast<int>(label.size())) ==
            1 &&
        EVP_PKEY_derive(context.get(), key.data(), &length) == 1 && length == key.size());
  return key;
}

std::string Hmac(const Key256& key, std::string_view text) {
  std::string mac(32, '\0');
  unsigned int length = 0;
  CHECK(HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), Bytes(text), text.size(),
             Bytes(mac), &length) != nullptr);
  CHECK(length == mac.size());
  return mac;
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string Seal(const Key256& key, std::string_view context, std::string_view plain) {
  const std::string nonce = RandomBytes(kNonceBytes);
  std::string sealed(1 + kNonceBytes + plain.size() + kTagBytes, '\0');
  sealed[0] = kSealVersion;
  nonce.copy(sealed.data() + 1, kNonceBytes);
  unsigned char* const body = Bytes(sealed) + 1 + kNonceBytes;
  const Cipher cipher(EVP_CIPHER_CTX_new());
  int length = 0;
  CHECK(
      cipher &&
      EVP_EncryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.data(), Bytes(nonce)) == 1 &&
      EVP_EncryptUpdate(cipher.get(), nullptr, &length, Bytes(context),
                        static_cast<int>(context.size())) == 1 &&
      EVP_EncryptUpdate(cipher.get(), body, &length, Bytes(plain),
                        static_cast<int>(plain.size())) == 1 &&
      EVP_EncryptFinal_ex(cipher.get(), body + length, &length) == 1 &&
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_GET_TAG, kTagBytes, body + plain.size()) == 1);
  return sealed;
}

Result<std::string> Unseal(const Key256& key, std::string_view context, std::string_view sealed) {
  const Error wrong = Error::Corruption(
      "A sealed secret cannot be opened: it is damaged, or data/secret is not "
      "the one that it was sealed with.");
  if (sealed.size() < 1 + kNonceBytes + kTagBytes || sealed[0] != kSealVersion) {
    return wrong;
  }
  const std::string_view nonce = sealed.substr(1, kNonceBytes);
  const std::string_view body =
      sealed.substr(1 + kNonceBytes, sealed.size() - 1 - kNonceBytes - kTagBytes);
  std::string tag(sealed.substr(sealed.size() - kTagBytes));
  std::string plain(body.size(), '\0');
  const Cipher cipher(EVP_CIPHER_CTX_new());
  int length = 0;
  CHECK(cipher && EVP_DecryptInit_ex(cipher.get(), EVP_aes_256_gcm(), nullptr, key.data(),
                                     Bytes(nonce)) == 1);
  if (EVP_DecryptUpdate(cipher.get(), nullptr, &length, Bytes(context),
                        static_cast<int>(context.size())) != 1 ||
      EVP_DecryptUpdate(cipher.get(), Bytes(plain), &length, Bytes(body),
                        static_cast<int>(body.size())) != 1 ||
      EVP_CIPHER_CTX_ctrl(cipher.get(), EVP_CTRL_GCM_SET_TAG, kTagBytes, tag.data()) != 1 ||
      EVP_DecryptFinal_ex(cipher.get(), Bytes(plain) + length, &length) != 1) {
    return wrong;
  }
  return plain;
}

std::string Base64Url(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  uint32_t bits = 0;
  int count = 0;
  for (const char byte : bytes) {
    bits = (bits << 8) | static_cast<unsigned char>(byte);
    for (count += 8; count >= 6; count -= 6) {
      text.push_back(kDigits[(bits >> (count - 6)) & 0x3F]);
    }
  }
  if (count > 0) {
    text.push_back(kDigits[(bits << (6 - count)) & 0x3F]);
  }
  return text;
}

Result<std::string> FromBase64Url(std::string_view text) {
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) {
      return Error::Validation("This is not base64url.");
    }
    bits = (bits << 6) | static_cast<uint32_t>(digit);
    count += 6;
    if (count >= 8) {
      count -= 8;
      bytes.push_back(static_cast<char>(bits >> count));
    }
  }
  // Six bits left over are a digit too many; others must be zero, or there are two spellings.
  if (count == 6 || (bits & ((1U << count) - 1)) != 0) {
    return Error::Validation("This is not base64url.");
  }
  return bytes;
}

}  // namespace tintype::contexts
