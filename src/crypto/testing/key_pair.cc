#include "crypto/testing/key_pair.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <vector>

#include "base/base64.h"
#include "base/check.h"
#include "base/strings.h"

namespace tintype::crypto::testing {
namespace {

constexpr int kScalarBytes = 32;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

std::string BytesOf(const BIGNUM* number, int length) {
  std::string bytes(static_cast<size_t>(length), '\0');
  CHECK(BN_bn2binpad(number, reinterpret_cast<unsigned char*>(bytes.data()), length) == length);
  return bytes;
}

/// A number of the key, base64url; of `length` bytes, or as many as it has.
std::string NumberOf(const EVP_PKEY* key, const char* name, int length = 0) {
  BIGNUM* number = nullptr;
  CHECK(EVP_PKEY_get_bn_param(key, name, &number) == 1);
  std::string text = Base64Url(BytesOf(number, length == 0 ? BN_num_bytes(number) : length));
  BN_free(number);
  return text;
}

/// r and s one after another, as tokens have them, of what OpenSSL writes.
std::string PlainSignature(const std::vector<unsigned char>& der, size_t length) {
  const unsigned char* start = der.data();
  ECDSA_SIG* parsed = d2i_ECDSA_SIG(nullptr, &start, static_cast<long>(length));
  CHECK(parsed != nullptr);
  std::string plain = StrCat(BytesOf(ECDSA_SIG_get0_r(parsed), kScalarBytes),
                             BytesOf(ECDSA_SIG_get0_s(parsed), kScalarBytes));
  ECDSA_SIG_free(parsed);
  return plain;
}

}  // namespace

struct KeyPair::State {
  explicit State(EVP_PKEY* made) : key(made) { CHECK(key != nullptr); }
  ~State() { EVP_PKEY_free(key); }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  bool is_rsa() const { return EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA; }

  EVP_PKEY* const key;
};

KeyPair KeyPair::Rsa() { return KeyPair(std::make_shared<const State>(EVP_RSA_gen(2048))); }

KeyPair KeyPair::P256() { return KeyPair(std::make_shared<const State>(EVP_EC_gen("P-256"))); }

std::string KeyPair::Sign(SignatureKind kind, std::string_view text) const {
  CHECK(state_->is_rsa() == (kind != SignatureKind::kEs256));
  EVP_MD_CTX* const digest = EVP_MD_CTX_new();
  EVP_PKEY_CTX* context = nullptr;  // The digest's.
  CHECK(EVP_DigestSignInit(digest, &context, EVP_sha256(), nullptr, state_->key) == 1);
  if (kind == SignatureKind::kPs256) {
    CHECK(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
          EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1);
  }
  size_t length = 0;
  CHECK(EVP_DigestSign(digest, nullptr, &length, Bytes(text), text.size()) == 1);
  std::vector<unsigned char> signature(length);
  CHECK(EVP_DigestSign(digest, signature.data(), &length, Bytes(text), text.size()) == 1);
  EVP_MD_CTX_free(digest);
  return kind == SignatureKind::kEs256
             ? PlainSignature(signature, length)
             : std::string(reinterpret_cast<const char*>(signature.data()), length);
}

std::string KeyPair::JwkMembers() const {
  const EVP_PKEY* key = state_->key;
  if (state_->is_rsa()) {
    return StrCat(R"("kty":"RSA","n":")", NumberOf(key, OSSL_PKEY_PARAM_RSA_N), R"(","e":")",
                  NumberOf(key, OSSL_PKEY_PARAM_RSA_E), R"(")");
  }
  return StrCat(R"("kty":"EC","crv":"P-256","x":")",
                NumberOf(key, OSSL_PKEY_PARAM_EC_PUB_X, kScalarBytes), R"(","y":")",
                NumberOf(key, OSSL_PKEY_PARAM_EC_PUB_Y, kScalarBytes), R"(")");
}

}  // namespace tintype::crypto::testing
