#include "tables/engine/encryption/aes_ctr.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>

#include "base/check.h"
#include "crypto/secret_key.h"

// A failure of OpenSSL in here means that it has no memory or lacks AES, which nothing
// that is read or asked for can bring about. Hence CHECK.

namespace tintype::tables::engine {
namespace {

// OpenSSL would clean up at exit, before RocksDB's threads end, which then give back what they got
// of it. Said before main, since it counts only if it comes first.
const bool kNoCleanupAtExit = OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, nullptr) == 1;

constexpr size_t kBlockBytes = 16;

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

}  // namespace

void AesCtr(const crypto::SecretKey& key, uint64_t offset, const char* in, char* out, size_t size) {
  std::array<unsigned char, kBlockBytes> counter{};
  uint64_t block = offset / kBlockBytes;
  for (size_t i = 0; i < sizeof block; ++i, block >>= 8) {
    counter[kBlockBytes - 1 - i] = static_cast<unsigned char>(block);
  }
  EVP_CIPHER_CTX* context = CtrContextOfThread();
  CHECK(EVP_EncryptInit_ex(context, nullptr, nullptr, In(key.bytes().data()), counter.data()) == 1);
  int written = 0;
  // The part of the first block before the offset is encrypted and thrown away.
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

}  // namespace tintype::tables::engine
