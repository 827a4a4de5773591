#include "crypto/public_key.h"

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ecdsa.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>

#include <string>
#include <utility>

#include "base/check.h"
#include "base/strings.h"

namespace tintype::crypto {
namespace {

constexpr size_t kScalarBytes = 32;

struct Free {
  void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
  void operator()(EVP_PKEY_CTX* context) const { EVP_PKEY_CTX_free(context); }
  void operator()(EVP_MD_CTX* digest) const { EVP_MD_CTX_free(digest); }
  void operator()(ECDSA_SIG* signature) const { ECDSA_SIG_free(signature); }
  void operator()(BIGNUM* number) const { BN_free(number); }
  void operator()(OSSL_PARAM_BLD* builder) const { OSSL_PARAM_BLD_free(builder); }
  void operator()(OSSL_PARAM* parameters) const { OSSL_PARAM_free(parameters); }
};
template <typename T>
using Owned = std::unique_ptr<T, Free>;

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

Owned<BIGNUM> Number(std::string_view bytes) {
  Owned<BIGNUM> number(BN_bin2bn(Bytes(bytes), static_cast<int>(bytes.size()), nullptr));
  CHECK(number);
  return number;
}

/// Null when OpenSSL finds that there is no such key.
Owned<EVP_PKEY> MakeKey(const char* type, OSSL_PARAM_BLD* builder) {
  const Owned<OSSL_PARAM> parameters(OSSL_PARAM_BLD_to_param(builder));
  const Owned<EVP_PKEY_CTX> making(EVP_PKEY_CTX_new_from_name(nullptr, type, nullptr));
  CHECK(parameters && making);
  EVP_PKEY* made = nullptr;
  if (EVP_PKEY_fromdata_init(making.get()) != 1 ||
      EVP_PKEY_fromdata(making.get(), &made, EVP_PKEY_PUBLIC_KEY, parameters.get()) != 1) {
    return nullptr;
  }
  Owned<EVP_PKEY> key(made);
  const Owned<EVP_PKEY_CTX> checking(EVP_PKEY_CTX_new_from_pkey(nullptr, made, nullptr));
  CHECK(checking);
  return EVP_PKEY_public_check(checking.get()) == 1 ? std::move(key) : nullptr;
}

/// A signature as OpenSSL wants it: in DER.
std::string DerOf(std::string_view signature) {
  const Owned<ECDSA_SIG> parsed(ECDSA_SIG_new());
  Owned<BIGNUM> r = Number(signature.substr(0, kScalarBytes));
  Owned<BIGNUM> s = Number(signature.substr(kScalarBytes));
  // On success, the numbers are the signature's.
  CHECK(parsed && ECDSA_SIG_set0(parsed.get(), r.get(), s.get()) == 1);
  static_cast<void>(r.release());
  static_cast<void>(s.release());
  unsigned char* der = nullptr;
  const int length = i2d_ECDSA_SIG(parsed.get(), &der);
  CHECK(length > 0);
  std::string bytes(reinterpret_cast<const char*>(der), static_cast<size_t>(length));
  OPENSSL_free(der);
  return bytes;
}

}  // namespace

struct PublicKey::State {
  Owned<EVP_PKEY> key;
  bool is_rsa = false;
};

PublicKey::PublicKey(std::shared_ptr<const State> state) : state_(std::move(state)) {}

Result<PublicKey> PublicKey::Rsa(std::string_view modulus, std::string_view exponent) {
  constexpr int kModulusBitsMin = 2048;
  constexpr int kModulusBitsMax = 8192;
  constexpr size_t kBytesMax = kModulusBitsMax / 8 + 1;
  if (modulus.size() > kBytesMax || exponent.size() > kBytesMax) {
    return Error::Validation("the RSA key is too long");
  }
  const Owned<BIGNUM> n = Number(modulus);
  const Owned<BIGNUM> e = Number(exponent);
  if (BN_num_bits(n.get()) < kModulusBitsMin || BN_num_bits(n.get()) > kModulusBitsMax) {
    return Error::Validation(StrCat("the RSA key has ", BN_num_bits(n.get()), " bits; ",
                                    kModulusBitsMin, " to ", kModulusBitsMax, " are accepted"));
  }
  if (!BN_is_odd(e.get()) || BN_is_one(e.get()) || BN_num_bits(e.get()) > 64) {
    return Error::Validation("the RSA key's exponent is not acceptable");
  }
  const Owned<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
  CHECK(builder && OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_N, n.get()) == 1 &&
        OSSL_PARAM_BLD_push_BN(builder.get(), OSSL_PKEY_PARAM_RSA_E, e.get()) == 1);
  Owned<EVP_PKEY> key = MakeKey("RSA", builder.get());
  if (!key) {
    return Error::Validation("the RSA key is not one");
  }
  return PublicKey(std::make_shared<const State>(State{std::move(key), true}));
}

Result<PublicKey> PublicKey::P256(std::string_view x, std::string_view y) {
  if (x.size() != kScalarBytes || y.size() != kScalarBytes) {
    return Error::Validation("a coordinate on P-256 has 32 bytes");
  }
  const std::string point = StrCat("\x04", x, y);
  const Owned<OSSL_PARAM_BLD> builder(OSSL_PARAM_BLD_new());
  CHECK(builder &&
        OSSL_PARAM_BLD_push_utf8_string(builder.get(), OSSL_PKEY_PARAM_GROUP_NAME, "P-256", 0) ==
            1 &&
        OSSL_PARAM_BLD_push_octet_string(builder.get(), OSSL_PKEY_PARAM_PUB_KEY, point.data(),
                                         point.size()) == 1);
  Owned<EVP_PKEY> key = MakeKey("EC", builder.get());
  if (!key) {
    return Error::Validation("the point is not on P-256");
  }
  return PublicKey(std::make_shared<const State>(State{std::move(key), false}));
}

bool PublicKey::Fits(SignatureKind kind) const {
  return state_->is_rsa == (kind != SignatureKind::kEs256);
}

bool PublicKey::Verify(SignatureKind kind, std::string_view text,
                       std::string_view signature) const {
  const bool is_ecdsa = kind == SignatureKind::kEs256;
  if (!Fits(kind) || (is_ecdsa && signature.size() != 2 * kScalarBytes)) {
    return false;
  }
  const std::string der = is_ecdsa ? DerOf(signature) : std::string();
  const std::string_view checked = is_ecdsa ? std::string_view(der) : signature;
  const Owned<EVP_MD_CTX> digest(EVP_MD_CTX_new());
  EVP_PKEY_CTX* context = nullptr;  // The digest's.
  CHECK(digest && EVP_DigestVerifyInit(digest.get(), &context, EVP_sha256(), nullptr,
                                       state_->key.get()) == 1);
  if (kind == SignatureKind::kPs256) {
    CHECK(EVP_PKEY_CTX_set_rsa_padding(context, RSA_PKCS1_PSS_PADDING) == 1 &&
          EVP_PKEY_CTX_set_rsa_pss_saltlen(context, RSA_PSS_SALTLEN_DIGEST) == 1);
  }
  return EVP_DigestVerify(digest.get(), Bytes(checked), checked.size(), Bytes(text), text.size()) ==
         1;
}

}  // namespace tintype::crypto
