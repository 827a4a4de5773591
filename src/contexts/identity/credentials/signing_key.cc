#include "contexts/identity/credentials/signing_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/x509.h>

#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/check.h"
#include "base/strings.h"
#include "contexts/common/secrets.h"
#include "crypto/digest.h"
#include "crypto/public_key.h"

namespace tintype::contexts::identity {
namespace {

constexpr int kScalarBytes = 32;

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_MD_CTX* digest) const { EVP_MD_CTX_free(digest); }
  void operator()(ECDSA_SIG* signature) const { ECDSA_SIG_free(signature); }
  void operator()(BIGNUM* number) const { BN_free(number); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* Bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

/// One coordinate of the public key.
std::string Coordinate(const EVP_PKEY* key, const char* name) {
  BIGNUM* number = nullptr;
  CHECK(EVP_PKEY_get_bn_param(key, name, &number) == 1);
  const Owned<BIGNUM> owned(number);
  std::string bytes(kScalarBytes, '\0');
  CHECK(BN_bn2binpad(number, Bytes(bytes), kScalarBytes) == kScalarBytes);
  return bytes;
}

}  // namespace

struct SigningKey::State {
  explicit State(Owned<EVP_PKEY> of)
      : key(std::move(of)),
        x(Coordinate(key.get(), OSSL_PKEY_PARAM_EC_PUB_X)),
        y(Coordinate(key.get(), OSSL_PKEY_PARAM_EC_PUB_Y)),
        public_key(crypto::PublicKey::P256(x, y).value()) {}

  const Owned<EVP_PKEY> key;
  const std::string x;
  const std::string y;
  const crypto::PublicKey public_key;
};

SigningKey::SigningKey(std::shared_ptr<const State> state) : state_(std::move(state)) {
  // The members in this order, without blanks.
  const std::string canonical = StrCat(R"({"crv":"P-256","kty":"EC","x":")", Base64Url(state_->x),
                                       R"(","y":")", Base64Url(state_->y), R"("})");
  const auto digest = crypto::Sha256(canonical);
  id_ = Base64Url({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

SigningKey SigningKey::Generate() {
  Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  CHECK(key);
  return SigningKey(std::make_shared<const State>(std::move(key)));
}

Result<SigningKey> SigningKey::Parse(std::string_view serialized) {
  const unsigned char* bytes = Bytes(serialized);
  Owned<EVP_PKEY> key(d2i_AutoPrivateKey(nullptr, &bytes, static_cast<long>(serialized.size())));
  if (!key || EVP_PKEY_get_base_id(key.get()) != EVP_PKEY_EC ||
      EVP_PKEY_get_bits(key.get()) != 8 * kScalarBytes) {
    return Error::Corruption("The stored key for access tokens is damaged.");
  }
  return SigningKey(std::make_shared<const State>(std::move(key)));
}

std::string SigningKey::Serialize() const {
  unsigned char* bytes = nullptr;
  const int length = i2d_PrivateKey(state_->key.get(), &bytes);
  CHECK(length > 0);
  std::string serialized(reinterpret_cast<const char*>(bytes), static_cast<size_t>(length));
  OPENSSL_clear_free(bytes, static_cast<size_t>(length));
  return serialized;
}

std::string SigningKey::PublicJwk() const {
  return StrCat(R"({"kty":"EC","crv":"P-256","use":"sig","alg":"ES256","kid":")", id_, R"(","x":")",
                Base64Url(state_->x), R"(","y":")", Base64Url(state_->y), R"("})");
}

std::string SigningKey::Sign(std::string_view text) const {
  const Owned<EVP_MD_CTX> digest(EVP_MD_CTX_new());
  size_t length = 0;
  CHECK(digest &&
        EVP_DigestSignInit(digest.get(), nullptr, EVP_sha256(), nullptr, state_->key.get()) == 1 &&
        EVP_DigestSign(digest.get(), nullptr, &length, Bytes(text), text.size()) == 1);
  std::vector<unsigned char> der(length);
  CHECK(EVP_DigestSign(digest.get(), der.data(), &length, Bytes(text), text.size()) == 1);
  const unsigned char* start = der.data();
  const Owned<ECDSA_SIG> parsed(d2i_ECDSA_SIG(nullptr, &start, static_cast<long>(length)));
  CHECK(parsed);
  std::string signature(2 * kScalarBytes, '\0');
  unsigned char* const out = Bytes(signature);
  CHECK(BN_bn2binpad(ECDSA_SIG_get0_r(parsed.get()), out, kScalarBytes) == kScalarBytes &&
        BN_bn2binpad(ECDSA_SIG_get0_s(parsed.get()), out + kScalarBytes, kScalarBytes) ==
            kScalarBytes);
  return signature;
}

bool SigningKey::Verify(std::string_view text, std::string_view signature) const {
  return state_->public_key.Verify(crypto::SignatureKind::kEs256, text, signature);
}

}  // namespace tintype::contexts::identity
