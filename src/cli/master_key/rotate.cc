#include "cli/master_key/rotate.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

#include "base/clock.h"
#include "base/files.h"
#include "base/strings.h"
#include "cli/master_key/master_key.h"
#include "cli/settings/data_directory.h"
#include "crypto/secret_key.h"
#include "tables/engine/encryption/fingerprint.h"
#include "tables/engine/encryption/keyring_file.h"
#include "tables/language/errors.h"

namespace tintype::cli {
namespace {

using crypto::SecretKey;
using tables::engine::DirectoryLock;
using tables::engine::Fingerprint;
using tables::engine::RotateKeyring;

Result<std::unique_ptr<DirectoryLock>> Lock(const DataDirectory& directory) {
  auto lock = DirectoryLock::Take(nullptr, directory.tables());
  if (!lock.ok() && lock.error().Is(tables::reasons::kAlreadyOpen)) {
    return Error(tables::reasons::kAlreadyOpen,
                 StrCat("The data directory ", directory.path,
                        " is in use by another process. Stop the server first."));
  }
  return lock;
}

Result<SecretKey> ReadOrCreateKeyFile(const RotateMasterConfig& config) {
  auto key = ReadMasterKeyFile(config.new_key_file, config.source.private_file);
  if (key.ok()) {
    // It may have been written just now, and the keyring is about to depend on it.
    RETURN_IF_ERROR(SyncMasterKeyFile(config.new_key_file));
    return key;
  }
  if (key.error().kind() != ErrorKind::kNotFound) {
    return key;
  }
  SecretKey created = SecretKey::Random();
  RETURN_IF_ERROR(WriteMasterKeyFile(config.new_key_file, created));
  return created;
}

Result<SecretKey> MakeNewKey(const RotateMasterConfig& config, const DataDirectory& directory) {
  if (!config.new_key_file.empty()) {
    return ReadOrCreateKeyFile(config);
  }
  SecretKey key = SecretKey::Random();
  RETURN_IF_ERROR(WriteMasterKeyFile(directory.next_master_key(), key));
  return key;
}

Status CheckRequest(const RotateMasterConfig& config, const DataDirectory& directory) {
  if (!config.source.IsDefault() && config.new_key_file.empty()) {
    return Error::Validation(
        "The master key is kept outside the data directory, so the new one is, too: name its file "
        "with --new-master-key-file; it is created if it does not exist.");
  }
  std::error_code ignored;
  const auto is = [&](const std::string& path) {
    return std::filesystem::weakly_canonical(config.new_key_file, ignored) ==
           std::filesystem::weakly_canonical(path, ignored);
  };
  if (!config.new_key_file.empty() &&
      (is(directory.master_key()) || is(directory.next_master_key()))) {
    return Error::Validation(
        StrCat("--new-master-key-file is ", config.new_key_file,
               ", which is the data directory's own key. Leave the flag out to "
               "replace that one."));
  }
  return OkStatus();
}

/// A directory that nobody else has open, and the master key that its keyring is sealed by.
struct OpenedKeyring {
  DataDirectory directory;
  std::unique_ptr<DirectoryLock> lock;
  SecretKey master;
};

/// Errors: kNotFound when there are no encrypted tables.
Result<OpenedKeyring> OpenForRotation(DataDirectory directory, const MasterKeySource& source) {
  ASSIGN_OR_RETURN(auto lock, Lock(directory));
  ASSIGN_OR_RETURN(const auto keys, InspectDirectoryKeys(*lock));
  if (!keys.master) {
    return Error::NotFound(StrCat("The data directory ", directory.path,
                                  " holds no encrypted tables, so there is nothing to rotate."));
  }
  ASSIGN_OR_RETURN(const SecretKey master, source.IsDefault()
                                               ? OpenDefaultMasterKey(directory, *lock)
                                               : LoadNamedMasterKey(source));
  // Before anything is written: a wrong key must not leave traces.
  RETURN_IF_ERROR(OpenKeyring(*lock, master, SystemClock().NowMs()));
  return OpenedKeyring{std::move(directory), std::move(lock), master};
}

}  // namespace

Status RotateDataKeys(const std::string& data_dir, const MasterKeySource& source) {
  ASSIGN_OR_RETURN(DataDirectory directory, OpenDataDirectory(data_dir));
  ASSIGN_OR_RETURN(const OpenedKeyring opened, OpenForRotation(std::move(directory), source));
  RETURN_IF_ERROR(
      RotateKeyring(*opened.lock, {opened.master, opened.master}, SystemClock().NowMs()));
  std::printf(
      "files that are written from the next start on are encrypted with a new data key; those from "
      "before stay as they are until they are written again\n");
  return OkStatus();
}

Status RotateMaster(const RotateMasterConfig& config) {
  ASSIGN_OR_RETURN(DataDirectory found, OpenDataDirectory(config.data_dir));
  RETURN_IF_ERROR(CheckRequest(config, found));
  ASSIGN_OR_RETURN(const OpenedKeyring opened, OpenForRotation(std::move(found), config.source));
  const DataDirectory& directory = opened.directory;
  const DirectoryLock& lock = *opened.lock;
  const SecretKey& old_key = opened.master;
  const bool is_default = config.source.IsDefault();
  ASSIGN_OR_RETURN(const SecretKey new_key, MakeNewKey(config, directory));
  if (new_key == old_key) {
    return Error::Validation("The new master key is the one that is in use already.");
  }
  const std::string kept = directory.kept_master_key(Fingerprint(old_key));
  if (is_default) {
    RETURN_IF_ERROR(WriteMasterKeyFile(kept, old_key));
  }
  RETURN_IF_ERROR(RotateKeyring(lock, {old_key, new_key}, SystemClock().NowMs()));
  if (is_default && config.new_key_file.empty()) {
    RETURN_IF_ERROR(PutNextMasterKeyInPlace(directory));
  } else if (is_default) {
    if (::unlink(directory.master_key().c_str()) != 0) {
      return FileError("remove", directory.master_key());
    }
    RETURN_IF_ERROR(SyncFolder(directory.path));
  }
  std::printf("master key %s replaced by %s\n", Fingerprint(old_key).c_str(),
              Fingerprint(new_key).c_str());
  if (!config.new_key_file.empty()) {
    std::printf("start the server with --master-key-file %s\n", config.new_key_file.c_str());
  }
  if (is_default) {
    std::printf("the old key is kept in %s: backups made before need it; delete it with them\n",
                kept.c_str());
  }
  return OkStatus();
}

}  // namespace tintype::cli
