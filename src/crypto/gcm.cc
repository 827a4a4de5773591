#include "crypto/gcm.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <memory>

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

CipherContext NewContext(std::string_view key, std::string_view nonce, bool seal) {
  CHECK(key.size() == kGcmKeyBytes && nonce.size() == kGcmNonceBytes);
  CipherContext context(EVP_CIPHER_CTX_new());
  CHECK(EVP_CipherInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, In(key), In(nonce),
                          seal ? 1 : 0) == 1);
  return context;
}

}  // namespace

std::string SealGcm(std::string_view key, std::string_view nonce, std::string_view header,
                    std::string_view text) {
  const CipherContext context = NewContext(key, nonce, /*seal=*/true);
  std::string sealed(text.size() + kGcmTagBytes, '\0');
  int written = 0;
  CHECK(EVP_EncryptUpdate(context.get(), nullptr, &written, In(header), Length(header.size())) ==
        1);
  CHECK(EVP_EncryptUpdate(context.get(), Out(sealed.data()), &written, In(text),
                          Length(text.size())) == 1);
  CHECK(EVP_EncryptFinal_ex(context.get(), Out(sealed.data() + text.size()), &written) == 1);
  CHECK(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, Length(kGcmTagBytes),
                            sealed.data() + text.size()) == 1);
  return sealed;
}

std::optional<std::string> OpenGcm(std::string_view key, std::string_view nonce,
                                   std::string_view header, std::string_view sealed) {
  if (sealed.size() < kGcmTagBytes) {
    return std::nullopt;
  }
  const CipherContext context = NewContext(key, nonce, /*seal=*/false);
  std::string text(sealed.size() - kGcmTagBytes, '\0');
  std::string tag(sealed.substr(text.size()));
  int written = 0;
  CHECK(EVP_DecryptUpdate(context.get(), nullptr, &written, In(header), Length(header.size())) ==
        1);
  CHECK(EVP_DecryptUpdate(context.get(), Out(text.data()), &written, In(sealed),
                          Length(text.size())) == 1);
  CHECK(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, Length(tag.size()), tag.data()) ==
        1);
  if (EVP_DecryptFinal_ex(context.get(), Out(text.data() + text.size()), &written) != 1) {
    OPENSSL_cleanse(text.data(), text.size());
    return std::nullopt;
  }
  return text;
}

}  // namespace tintype::crypto
