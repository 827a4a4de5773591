#include "crypto/gcm.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <memory>
#include <utility>

#include "base/check.h"

namespace tintype::crypto {
namespace {

const unsigned char* In(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* Out(char* text) { return reinterpret_cast<unsigned char*>(text); }
int Length(size_t size) { return static_cast<int>(size); }

struct FreeCipherContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, FreeCipherContext>;

/// Looked up once: by its name, OpenSSL would do so for every text.
const EVP_CIPHER* Gcm() {
  static const EVP_CIPHER* const cipher = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  CHECK(cipher != nullptr);
  return cipher;
}

CipherContext NewContext(std::string_view key, std::string_view nonce, bool seal) {
  CHECK(key.size() == kGcmKeyBytes && nonce.size() == kGcmNonceBytes);
  CipherContext context(EVP_CIPHER_CTX_new());
  CHECK(EVP_CipherInit_ex(context.get(), Gcm(), nullptr, In(key), In(nonce), seal ? 1 : 0) == 1);
  return context;
}

}  // namespace

void SealGcmTo(char* out, std::string_view key, std::string_view nonce, std::string_view header,
               std::string_view text) {
  const CipherContext context = NewContext(key, nonce, /*seal=*/true);
  int written = 0;
  CHECK(EVP_EncryptUpdate(context.get(), nullptr, &written, In(header), Length(header.size())) ==
        1);
  CHECK(EVP_EncryptUpdate(context.get(), Out(out), &written, In(text), Length(text.size())) == 1);
  CHECK(EVP_EncryptFinal_ex(context.get(), Out(out + text.size()), &written) == 1);
  CHECK(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, Length(kGcmTagBytes),
                            out + text.size()) == 1);
}

std::string SealGcm(std::string_view key, std::string_view nonce, std::string_view header,
                    std::string_view text) {
  std::string sealed(text.size() + kGcmTagBytes, '\0');
  SealGcmTo(sealed.data(), key, nonce, header, text);
  return sealed;
}

bool OpenGcmTo(char* out, std::string_view key, std::string_view nonce, std::string_view header,
               std::string_view sealed) {
  if (sealed.size() < kGcmTagBytes) {
    return false;
  }
  const CipherContext context = NewContext(key, nonce, /*seal=*/false);
  const size_t size = sealed.size() - kGcmTagBytes;
  std::string tag(sealed.substr(size));
  int written = 0;
  CHECK(EVP_DecryptUpdate(context.get(), nullptr, &written, In(header), Length(header.size())) ==
        1);
  CHECK(EVP_DecryptUpdate(context.get(), Out(out), &written, In(sealed), Length(size)) == 1);
  CHECK(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, Length(tag.size()), tag.data()) ==
        1);
  if (EVP_DecryptFinal_ex(context.get(), Out(out + size), &written) != 1) {
    OPENSSL_cleanse(out, size);
    return false;
  }
  return true;
}

std::optional<std::string> OpenGcm(std::string_view key, std::string_view nonce,
                                   std::string_view header, std::string_view sealed) {
  std::string text(sealed.size() < kGcmTagBytes ? 0 : sealed.size() - kGcmTagBytes, '\0');
  return OpenGcmTo(text.data(), key, nonce, header, sealed) ? std::optional(std::move(text))
                                                            : std::nullopt;
}

}  // namespace tintype::crypto
