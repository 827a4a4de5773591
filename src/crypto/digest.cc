#include "crypto/digest.h"

// OpenSSL's plain SHA-256 functions: its general layer takes longer to set up than a small request
// takes to hash. They are called deprecated in favour of that layer; there is nothing unsafe to
// them.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/sha.h>

#include "base/check.h"
#include "base/hex.h"
#include "crypto/hmac_key.h"

// A failure of OpenSSL in here means that it has no memory or lacks SHA-256, which nothing that is
// read or asked for can bring about. Hence CHECK.

namespace tintype::crypto {
namespace {

// OpenSSL would clean up at exit, before RocksDB's threads end, which then give back what they got
// of it. Said before main, since it counts only if it comes first.
const bool kNoCleanupAtExit = OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr) == 1;

constexpr size_t kBlockBytes = 64;

const EVP_MD* AlgorithmOf(DigestKind kind) {
  switch (kind) {
    case DigestKind::kMd5:
      return EVP_md5();
    case DigestKind::kSha1:
      return EVP_sha1();
    case DigestKind::kSha256:
      return EVP_sha256();
  }
  CHECK(false);
}

struct FreeDigestContext {
  void operator()(EVP_MD_CTX* context) const { EVP_MD_CTX_free(context); }
};
using ContextPointer = std::unique_ptr<EVP_MD_CTX, FreeDigestContext>;

ContextPointer NewContext() {
  CHECK(kNoCleanupAtExit);
  ContextPointer context(EVP_MD_CTX_new());
  CHECK(context != nullptr);
  return context;
}

void StartHmac(SHA256_CTX& context, std::string_view key, unsigned char pad) {
  std::array<unsigned char, kBlockBytes> block;
  block.fill(pad);
  for (size_t i = 0; i < key.size(); ++i) {
    block[i] ^= static_cast<unsigned char>(key[i]);
  }
  CHECK(SHA256_Init(&context) == 1);
  CHECK(SHA256_Update(&context, block.data(), block.size()) == 1);
}

Sha256Digest FinishHmac(SHA256_CTX& context, std::string_view text) {
  Sha256Digest digest;
  CHECK(SHA256_Update(&context, text.data(), text.size()) == 1);
  CHECK(SHA256_Final(digest.data(), &context) == 1);
  return digest;
}

/// Both hashes of an HMAC after their first block, which depends on the key alone.
struct StartedHmac {
  explicit StartedHmac(std::string_view key) {
    Sha256Digest hashed;
    if (key.size() > kBlockBytes) {
      hashed = Sha256(key);
      key = Bytes(hashed);
    }
    StartHmac(inner, key, 0x36);
    StartHmac(outer, key, 0x5C);
  }

  Sha256Digest Finish(std::string_view text) const {
    SHA256_CTX of_text = inner;
    SHA256_CTX of_both = outer;
    return FinishHmac(of_both, Bytes(FinishHmac(of_text, text)));
  }

  SHA256_CTX inner;
  SHA256_CTX outer;
};

}  // namespace

struct Digest::Context {
  ContextPointer pointer = NewContext();
};

Digest::Digest(DigestKind kind) : context_(std::make_unique<Context>()) {
  CHECK(EVP_DigestInit_ex(context_->pointer.get(), AlgorithmOf(kind), nullptr) == 1);
}

Digest::Digest(Digest&&) noexcept = default;
Digest& Digest::operator=(Digest&&) noexcept = default;
Digest::~Digest() = default;

void Digest::Update(std::string_view piece) {
  CHECK(EVP_DigestUpdate(context_->pointer.get(), piece.data(), piece.size()) == 1);
}

std::string Digest::Value() const {
  // Finishing ends a computation, so a copy of it is finished.
  const ContextPointer copy = NewContext();
  CHECK(EVP_MD_CTX_copy_ex(copy.get(), context_->pointer.get()) == 1);
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes;
  unsigned size = 0;
  CHECK(EVP_DigestFinal_ex(copy.get(), bytes.data(), &size) == 1);
  return {reinterpret_cast<const char*>(bytes.data()), size};
}

std::string Md5(std::string_view bytes) {
  Digest digest(DigestKind::kMd5);
  digest.Update(bytes);
  return digest.Value();
}

Sha256Digest Sha256(std::string_view bytes) {
  Sha256Digest digest;
  SHA256_CTX context;
  CHECK(SHA256_Init(&context) == 1);
  CHECK(SHA256_Update(&context, bytes.data(), bytes.size()) == 1);
  CHECK(SHA256_Final(digest.data(), &context) == 1);
  return digest;
}

std::string Sha256Hex(std::string_view bytes) { return ToHex(Bytes(Sha256(bytes))); }

Sha256Digest HmacSha256(std::string_view key, std::string_view text) {
  return StartedHmac(key).Finish(text);
}

struct HmacKey::State {
  StartedHmac started;
};

HmacKey::HmacKey(std::string_view key)
    : state_(std::make_shared<const State>(State{StartedHmac(key)})) {}

Sha256Digest HmacKey::Of(std::string_view text) const { return state_->started.Finish(text); }

// By our HMAC: OpenSSL looks its own up by name at each call, which takes ten times as long, and a
// key is derived for every encrypted file that is opened.
std::string HkdfSha256(std::string_view key, std::string_view salt, std::string_view info,
                       size_t length) {
  CHECK(length <= 255 * sizeof(Sha256Digest));
  // An absent salt is one of zeros, which is what HMAC makes of a short key.
  Sha256Digest extracted = HmacSha256(salt, key);
  const StartedHmac expand(Bytes(extracted));
  OPENSSL_cleanse(extracted.data(), extracted.size());
  std::string derived;
  derived.reserve(length);
  Sha256Digest block{};
  std::string text;
  for (unsigned char number = 1; derived.size() < length; ++number) {
    text.assign(number == 1 ? std::string_view() : Bytes(block));
    text.append(info);
    text.push_back(static_cast<char>(number));
    block = expand.Finish(text);
    derived.append(Bytes(block).substr(0, length - derived.size()));
  }
  OPENSSL_cleanse(block.data(), block.size());
  OPENSSL_cleanse(text.data(), text.size());
  return derived;
}

bool EqualInConstantTime(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace tintype::crypto
