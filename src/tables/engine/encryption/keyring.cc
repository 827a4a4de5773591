#include "tables/engine/encryption/keyring.h"

#include <openssl/crypto.h>

#include <algorithm>

#include "base/big_endian.h"
#include "base/hex.h"
#include "base/random.h"
#include "base/strings.h"
#include "crypto/digest.h"
#include "crypto/gcm.h"
#include "crypto/secret_key.h"
#include "tables/engine/encryption/fingerprint.h"

namespace tintype::tables::engine {
namespace {

// magic with version (8) | fingerprint of the master key (8) | number of keys (8) | nonce (12)
// | per key, sealed: id (8), time (8), key (32) | tag (16) | SHA-256 of everything before (32)
constexpr std::string_view kKeyringMagic("TINTKEY\x01", 8);
constexpr size_t kCountBytes = 8;
constexpr size_t kHeaderBytes = 8 + kFingerprintBytes + kCountBytes + crypto::kGcmNonceBytes;
constexpr size_t kEntryBytes = 8 + 8 + crypto::SecretKey::kBytes;
constexpr size_t kChecksumBytes = 32;
constexpr size_t kKeysMax = 100'000;  // One a day for centuries: more is damage.

DataKey NewDataKey(int64_t now_ms) {
  return {ReadBigEndian64(RandomBytes(8)), now_ms, crypto::SecretKey::Random()};
}

// The master key itself is used for nothing but deriving.
crypto::SecretKey WrappingKey(const crypto::SecretKey& master) {
  std::string bytes =
      crypto::HkdfSha256(master.bytes(), /*salt=*/"", "tintype keyring", crypto::SecretKey::kBytes);
  const crypto::SecretKey key = *crypto::SecretKey::FromBytes(bytes);
  OPENSSL_cleanse(bytes.data(), bytes.size());
  return key;
}

Error Damaged(const std::string& path, std::string_view what) {
  return Error::Corruption(StrCat("The key file ", path, " is damaged (", what,
                                  "). Bring it back from a backup: without it the tables cannot be "
                                  "read, whatever the master key."));
}

// The parts of a key file that is whole; views into it.
struct Parts {
  std::string_view header;
  std::string_view fingerprint;
  std::string_view nonce;
  std::string_view sealed;
};

// The checksum comes first, so that damage is not taken for another master key.
Result<Parts> Split(std::string_view file, const std::string& path) {
  if (file.size() < kHeaderBytes + kEntryBytes + crypto::kGcmTagBytes + kChecksumBytes) {
    return Damaged(path, "it is too short");
  }
  const std::string_view content = file.substr(0, file.size() - kChecksumBytes);
  if (crypto::Bytes(crypto::Sha256(content)) != file.substr(content.size())) {
    return Damaged(path, "its checksum is wrong");
  }
  if (!content.starts_with(kKeyringMagic.substr(0, kKeyringMagic.size() - 1))) {
    return Damaged(path, "it is no key file");
  }
  if (!content.starts_with(kKeyringMagic)) {
    return Error::Validation(
        StrCat("The key file ", path, " was written by a newer version of Tintype. Use that one."));
  }
  const uint64_t count =
      ReadBigEndian64(content.substr(kKeyringMagic.size() + kFingerprintBytes, kCountBytes));
  if (count == 0 || count > kKeysMax ||
      content.size() != kHeaderBytes + count * kEntryBytes + crypto::kGcmTagBytes) {
    return Damaged(path, "its length is wrong");
  }
  Parts parts;
  parts.header = content.substr(0, kHeaderBytes);
  parts.fingerprint = parts.header.substr(kKeyringMagic.size(), kFingerprintBytes);
  parts.nonce = parts.header.substr(kHeaderBytes - crypto::kGcmNonceBytes);
  parts.sealed = content.substr(kHeaderBytes);
  return parts;
}

}  // namespace

Keyring Keyring::Create(int64_t now_ms) { return Keyring({NewDataKey(now_ms)}); }

void Keyring::Add(int64_t now_ms) { keys_.push_back(NewDataKey(now_ms)); }

std::vector<DerivedKey> Keyring::Derive(std::string_view info) const {
  std::vector<DerivedKey> derived;
  derived.reserve(keys_.size());
  for (const DataKey& key : keys_) {
    derived.push_back({key.id, crypto::DeriveSecretKey(key.key, /*salt=*/"", info)});
  }
  return derived;
}

const DataKey* Keyring::Find(uint64_t id) const {
  const auto it =
      std::find_if(keys_.begin(), keys_.end(), [id](const DataKey& key) { return key.id == id; });
  return it == keys_.end() ? nullptr : &*it;
}

std::string Keyring::Seal(const crypto::SecretKey& master) const {
  const std::string nonce = RandomBytes(crypto::kGcmNonceBytes);
  std::string file(kKeyringMagic);
  StrAppend(file, FingerprintBytes(master));
  AppendBigEndian64(file, keys_.size());
  StrAppend(file, nonce);
  std::string entries;
  entries.reserve(keys_.size() * kEntryBytes);  // So that growing leaves no copies behind.
  for (const DataKey& key : keys_) {
    AppendBigEndian64(entries, key.id);
    AppendBigEndian64(entries, static_cast<uint64_t>(key.created_ms));
    StrAppend(entries, key.key.bytes());
  }
  StrAppend(file, crypto::SealGcm(WrappingKey(master).bytes(), nonce, file, entries));
  OPENSSL_cleanse(entries.data(), entries.size());
  StrAppend(file, crypto::Bytes(crypto::Sha256(file)));
  return file;
}

Result<std::string> Keyring::SealedBy(std::string_view sealed, const std::string& path) {
  ASSIGN_OR_RETURN(const Parts parts, Split(sealed, path));
  return ToHex(parts.fingerprint);
}

Result<Keyring> Keyring::Open(std::string_view sealed, const crypto::SecretKey& master,
                              const std::string& path) {
  ASSIGN_OR_RETURN(const Parts parts, Split(sealed, path));
  if (parts.fingerprint != FingerprintBytes(master)) {
    return Error::Validation(StrCat(
        "Wrong master key: the tables are encrypted under the key ", ToHex(parts.fingerprint),
        " (see ", path, "), but the one given is ", Fingerprint(master), ". Nothing was changed."));
  }
  std::optional<std::string> opened =
      crypto::OpenGcm(WrappingKey(master).bytes(), parts.nonce, parts.header, parts.sealed);
  if (!opened) {
    return Damaged(path, "it was changed by somebody without the master key");
  }
  std::string& entries = *opened;
  std::vector<DataKey> keys;
  for (std::string_view rest = entries; !rest.empty(); rest.remove_prefix(kEntryBytes)) {
    keys.push_back({ReadBigEndian64(rest.substr(0, 8)),
                    static_cast<int64_t>(ReadBigEndian64(rest.substr(8, 8))),
                    *crypto::SecretKey::FromBytes(rest.substr(16, crypto::SecretKey::kBytes))});
  }
  OPENSSL_cleanse(entries.data(), entries.size());
  return Keyring(std::move(keys));
}

}  // namespace tintype::tables::engine
