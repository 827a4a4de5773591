#include "tables/engine/encryption/file_cipher.h"

#include <utility>

#include "base/big_endian.h"
#include "base/check.h"
#include "base/hex.h"
#include "base/random.h"
#include "base/strings.h"
#include "crypto/digest.h"
#include "crypto/secret_key.h"
#include "tables/engine/encryption/aes_ctr.h"

namespace tintype::tables::engine {
namespace {

// magic with version (8) | id of the data key (8) | salt (32) | HMAC of everything before (32)
constexpr std::string_view kFileMagic("TINTYPE\x01", 8);
constexpr size_t kSaltAt = 16;
constexpr size_t kSaltBytes = 32;
constexpr size_t kTagAt = kSaltAt + kSaltBytes;
constexpr size_t kTagBytes = 32;
static_assert(kTagAt + kTagBytes == FileCipher::kPrefixBytes);

// For the content, and for the HMAC of the prefix.
std::pair<crypto::SecretKey, crypto::SecretKey> DeriveKeys(const crypto::SecretKey& data_key,
                                                           std::string_view salt) {
  return crypto::DeriveSecretKeys(data_key, salt, "tintype file");
}

}  // namespace

FileCipher FileCipher::ForNewFile(const Keyring& keyring, std::string& prefix) {
  const DataKey& data_key = keyring.newest();
  const std::string salt = RandomBytes(kSaltBytes);
  const auto [content, for_prefix] = DeriveKeys(data_key.key, salt);
  prefix = kFileMagic;
  AppendBigEndian64(prefix, data_key.id);
  StrAppend(prefix, salt);
  StrAppend(prefix, crypto::Bytes(crypto::HmacSha256(for_prefix.bytes(), prefix)));
  CHECK(prefix.size() == kPrefixBytes);
  return FileCipher(content);
}

Result<FileCipher> FileCipher::FromPrefix(const Keyring& keyring, std::string_view prefix) {
  CHECK(prefix.size() == kPrefixBytes);
  if (!prefix.starts_with(kFileMagic)) {
    return Error::Corruption("not encrypted, or damaged");
  }
  const uint64_t id = ReadBigEndian64(prefix.substr(kFileMagic.size(), 8));
  const DataKey* data_key = keyring.Find(id);
  if (data_key == nullptr) {
    return Error::Corruption(StrCat("damaged, or encrypted with the data key ",
                                    ToHex(prefix.substr(kFileMagic.size(), 8)),
                                    ", which is not in KEYS"));
  }
  const auto [content, for_prefix] = DeriveKeys(data_key->key, prefix.substr(kSaltAt, kSaltBytes));
  if (!crypto::EqualInConstantTime(
          crypto::Bytes(crypto::HmacSha256(for_prefix.bytes(), prefix.substr(0, kTagAt))),
          prefix.substr(kTagAt))) {
    return Error::Corruption("its first bytes, which say how it is encrypted, are damaged");
  }
  return FileCipher(content);
}

void FileCipher::Apply(uint64_t offset, const char* in, char* out, size_t size) const {
  AesCtr(key_, offset, in, out, size);
}

}  // namespace tintype::tables::engine
