#include "cli/backup/keys.h"

#include <algorithm>
#include <string>
#include <string_view>

#include "base/files.h"
#include "base/strings.h"
#include "tables/engine/encryption/keyring.h"

namespace tintype::cli {
namespace {

/// What every encrypted file begins with (docs/formats/encryption.md).
constexpr std::string_view kEncrypted = "TINTYPE";

const BackupFile* Find(const BackupManifest& manifest, std::string_view target) {
  const auto file = std::find_if(manifest.files.begin(), manifest.files.end(),
                                 [&](const BackupFile& each) { return each.target == target; });
  return file == manifest.files.end() ? nullptr : &*file;
}

}  // namespace

const BackupFile* FindWrappedKeys(const BackupManifest& manifest) {
  return Find(manifest, "tables/KEYS");
}

Result<std::string> CheckBackupKeys(const BackupDirectory& directory,
                                    const BackupManifest& manifest) {
  if (const BackupFile* keys = FindWrappedKeys(manifest)) {
    const std::string path = StrCat(directory.path, "/", keys->stored);
    ASSIGN_OR_RETURN(const std::string content, ReadFile(path));
    return tables::engine::Keyring::SealedBy(content, path);
  }
  // All of the tables' files are encrypted, or none. This one every backup has, and it is small.
  const BackupFile* current = Find(manifest, "tables/CURRENT");
  if (current == nullptr) {
    return Error::Corruption(StrCat("Backup ", manifest.id, " in ", directory.path,
                                    " has no file tables/CURRENT, so it has no tables"));
  }
  ASSIGN_OR_RETURN(const std::string content,
                   ReadFile(StrCat(directory.path, "/", current->stored)));
  if (content.starts_with(kEncrypted)) {
    return Error::Corruption(StrCat("Backup ", manifest.id, " in ", directory.path,
                                    " has encrypted tables, but not the file tables/KEYS, without "
                                    "which nobody can read them"));
  }
  return std::string();
}

}  // namespace tintype::cli
