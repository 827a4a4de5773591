#include "tables/engine/encryption/crypto.h"

#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/check.h"

// A failure of OpenSSL in here means that it has no memory or lacks AES or SHA-256, which nothing
// that is read or asked for can bring about. Hence CHECK.

namespace tintype::tables::engine {
namespace {

// OpenSSL would clean up at exit, before RocksDB's threads end, which then give back what they got
// of it. Said before main, since it counts only if it comes first.
const bool kNoCleanupAtExit = OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr) == 1;

constexpr size_t kBlockBytes = 16;
constexpr size_t kSha256Bytes = 32;

const unsigned char* In(const char* text) { return reinterpret_cast<const unsigned char*>(text); }
unsigned char* Out(char* text) { return reinterpret_cast<unsigned char*>(text); }
int Length(size_t size) { return static_cast<int>(size); }

struct FreeContext {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};
using CipherContext = std::unique_ptr<EVP_CIPHER_CTX, FreeContext>;

/// A context that knows its algorithm. To look that up takes longer than to encrypt 4 KB, so each
/// thread does it once; a key is set with each use.
EVP_CIPHER_CTX* CtrContextOfThread() {
  CHECK(kNoCleanupAtExit);
  thread_local const CipherContext context = [] {
    CipherContext fresh(EVP_CIPHER_CTX_new());
    CHECK(EVP_EncryptInit_ex(fresh.get(), EVP_aes_256_ctr(), nullptr, nullptr, nullptr) == 1);
    return fresh;
  }();
  return context.get();
}

CipherContext GcmContext(const SecretKey& key, std::string_view nonce, bool seal) {
  CHECK(nonce.size() == kGcmNonceBytes);
  CipherContext context(EVP_CIPHER_CTX_new());
  CHECK(EVP_CipherInit_ex(context.get(), EVP_aes_256_gcm(), nullptr, In(key.bytes().data()),
                          In(nonce.data()), seal ? 1 : 0) == 1);
  return context;
}

}  // namespace

std::string HkdfSha256(std::string_view key, std::string_view salt, std::string_view info,
                       size_t length) {
  EVP_KDF* algorithm = EVP_KDF_fetch(nullptr, "HKDF", nullptr);
  CHECK(algorithm != nullptr);
  EVP_KDF_CTX* context = EVP_KDF_CTX_new(algorithm);
  EVP_KDF_free(algorithm);
  CHECK(context != nullptr);
  // OpenSSL only reads what these point to.
  const auto octets = [](const char* name, std::string_view text) {
    return OSSL_PARAM_construct_octet_string(name, const_cast<char*>(text.data()), text.size());
  };
  char digest[] = "SHA256";
  const std::array parameters{OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0),
                              octets(OSSL_KDF_PARAM_KEY, key), octets(OSSL_KDF_PARAM_SALT, salt),
                              octets(OSSL_KDF_PARAM_INFO, info), OSSL_PARAM_construct_end()};
  std::string derived(length, '\0');
  CHECK(EVP_KDF_derive(context, Out(derived.data()), derived.size(), parameters.data()) == 1);
  EVP_KDF_CTX_free(context);
  return derived;
}

std::string HmacSha256(std::string_view key, std::string_view text) {
  std::string digest(kSha256Bytes, '\0');
  CHECK(HMAC(EVP_sha256(), key.data(), Length(key.size()), In(text.data()), text.size(),
             Out(digest.data()), nullptr) != nullptr);
  return digest;
}

std::string Sha256(std::string_view text) {
  std::string digest(kSha256Bytes, '\0');
  SHA256(In(text.data()), text.size(), Out(digest.data()));
  return digest;
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

void AesCtr(const SecretKey& key, uint64_t offset, const char* in, char* out, size_t size) {
  std::array<unsigned char, kBlockBytes> counter{};
  uint64_t block = offset / kBlockBytes;
  for (size_t i = 0; i < sizeof block; ++i, block >>= 8) {
    counter[kBlockBytes - 1 - i] = static_cast<unsigned char>(block);
  }
  EVP_CIPHER_CTX* context = CtrContextOfThread();
  CHECK(EVP_EncryptInit_ex(context, nullptr, nullptr, In(key.bytes().data()), counter.data()) == 1);
  int written = 0;
  // What of the first block comes before the offset is encrypted and thrown away.
  std::array<unsigned char, kBlockBytes> skipped{};
  if (const int before = static_cast<int>(offset % kBlockBytes); before > 0) {
    CHECK(EVP_EncryptUpdate(context, skipped.data(), &written, skipped.data(), before) == 1);
  }
  constexpr size_t kAtOnce = size_t{1} << 30;  // OpenSSL counts in int.
  while (size > 0) {
    const size_t part = std::min(size, kAtOnce);
    CHECK(EVP_EncryptUpdate(context, Out(out), &written, In(in), Length(part)) == 1);
    in += part;
    out += part;
    size -= part;
  }
}

std::string SealGcm(const SecretKey& key, std::string_view nonce, std::string_view header,
                    std::string_view text) {
  const CipherContext context = GcmContext(key, nonce, /*seal=*/true);
  std::string sealed(text.size() + kGcmTagBytes, '\0');
  int written = 0;
  CHECK(EVP_EncryptUpdate(context.get(), nullptr, &written, In(header.data()),
                          Length(header.size())) == 1);
  CHECK(EVP_EncryptUpdate(context.get(), Out(sealed.data()), &written, In(text.data()),
                          Length(text.size())) == 1);
  CHECK(EVP_EncryptFinal_ex(context.get(), Out(sealed.data() + text.size()), &written) == 1);
  CHECK(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_GET_TAG, Length(kGcmTagBytes),
                            sealed.data() + text.size()) == 1);
  return sealed;
}

std::optional<std::string> OpenGcm(const SecretKey& key, std::string_view nonce,
                                   std::string_view header, std::string_view sealed) {
  if (sealed.size() < kGcmTagBytes) {
    return std::nullopt;
  }
  const CipherContext context = GcmContext(key, nonce, /*seal=*/false);
  std::string text(sealed.size() - kGcmTagBytes, '\0');
  std::string tag(sealed.substr(text.size()));
  int written = 0;
  CHECK(EVP_DecryptUpdate(context.get(), nullptr, &written, In(header.data()),
                          Length(header.size())) == 1);
  CHECK(EVP_DecryptUpdate(context.get(), Out(text.data()), &written, In(sealed.data()),
                          Length(text.size())) == 1);
  CHECK(EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_GCM_SET_TAG, Length(tag.size()), tag.data()) ==
        1);
  if (EVP_DecryptFinal_ex(context.get(), Out(text.data() + text.size()), &written) != 1) {
    OPENSSL_cleanse(text.data(), text.size());
    return std::nullopt;
  }
  return text;
}

}  // namespace tintype::tables::engine
