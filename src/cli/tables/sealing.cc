#include "cli/tables/sealing.h"

#include <utility>
#include <vector>

#include "base/files.h"
#include "base/random.h"
#include "base/strings.h"
#include "blobs/sealed/sealed_form.h"

namespace tintype::cli {
namespace {

// Not the length of a master key, for which a backup would take it and leave it out.
constexpr size_t kSecretBytes = 64;

Status WriteSecret(const DataDirectory& directory, const blobs::SealingKeys* keys,
                   const std::string& secret) {
  if (keys == nullptr) {
    return WriteFileAtomically(directory.secret(), secret, 0600);
  }
  RETURN_IF_ERROR(AllowSealedFiles(directory));
  return WriteFileAtomically(directory.secret(), blobs::SealWhole(*keys, secret), 0600);
}

}  // namespace

std::shared_ptr<const blobs::SealingKeys> SealingKeysOf(const EmbeddedTables* tables,
                                                        std::string_view info) {
  std::vector<blobs::SealingKey> keys;
  if (tables != nullptr) {
    for (const tables::engine::DerivedKey& key : tables->DeriveKeys(info)) {
      keys.push_back({key.id, key.key});
    }
  }
  return keys.empty() ? nullptr : std::make_shared<const blobs::SealingKeys>(std::move(keys));
}

Result<tables::transfer::RecordSealing> TransferSealingOf(const DataDirectory& directory,
                                                          const EmbeddedTables& tables) {
  const auto keys = SealingKeysOf(&tables, "tintype transfers");
  if (keys == nullptr) {
    return tables::transfer::RecordSealing{};
  }
  RETURN_IF_ERROR(AllowSealedFiles(directory));
  return tables::transfer::RecordSealing{
      [keys](std::string_view text) { return blobs::SealWhole(*keys, text); },
      [keys](std::string_view sealed) { return blobs::OpenWhole(*keys, sealed); }};
}

Result<std::string> SecretOf(const DataDirectory& directory, Tables& tables) {
  const auto keys = SealingKeysOf(tables.embedded(), "tintype secret");
  const std::string path = directory.secret();
  Result<std::string> found = ReadFile(path);
  if (!found.ok() && found.error().kind() == ErrorKind::kNotFound) {
    std::string made = RandomBytes(kSecretBytes);
    RETURN_IF_ERROR(WriteSecret(directory, keys.get(), made));
    return made;
  }
  ASSIGN_OR_RETURN(std::string secret, std::move(found));
  if (secret.starts_with(blobs::kSealedMagic)) {
    Result<std::string> opened =
        keys == nullptr ? Error::Corruption("The tables, which have its key, are not encrypted")
                        : blobs::OpenWhole(*keys, secret);
    if (!opened.ok()) {
      return Error::Corruption(StrCat(path, " cannot be opened: ", opened.error().message(),
                                      ". Bring it back together with tables/KEYS, from a backup."));
    }
    return opened;
  }
  if (secret.size() < kSecretBytes) {
    return Error::Corruption(StrCat(path, " is too short: it was damaged."));
  }
  if (keys != nullptr) {
    RETURN_IF_ERROR(WriteSecret(directory, keys.get(), secret));
  }
  return secret;
}

contexts::Key256 PasswordKeyOf(std::string_view secret) {
  return contexts::DeriveKey(secret, "password hashes");
}

contexts::Key256 RingSealingKeyOf(std::string_view secret) {
  return contexts::DeriveKey(secret, "sealed keys");
}

}  // namespace tintype::cli
