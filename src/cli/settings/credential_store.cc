#include "cli/settings/credential_store.h"

#include <sys/stat.h>

#include <utility>
#include <vector>

#include "base/logging.h"
#include "cli/settings/credentials.h"

namespace tintype::cli {
namespace {

constexpr int64_t kCheckIntervalMs = 1000;

}  // namespace

std::optional<FileCredentialStore::Version> FileCredentialStore::FindVersion(
    const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return std::nullopt;
  }
  return Version(status.st_ino, status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

Result<FileCredentialStore::Keys> FileCredentialStore::Load(const std::string& path) {
  ASSIGN_OR_RETURN(const std::vector<ProfileKey> listed, ReadCredentials(path));
  const std::string root_id = RootOf(listed).id;
  Keys keys;
  for (const ProfileKey& key : listed) {
    FileKey& made = keys[key.id];
    made.secret.secret = key.secret;
    if (!key.session_token.empty()) {
      made.secret.session_token = key.session_token;
    }
    made.profile = key.profile;
    made.root = key.id == root_id || key.good_until_ms != 0;
    made.good_until_ms = key.good_until_ms;
  }
  return keys;
}

Result<std::unique_ptr<FileCredentialStore>> FileCredentialStore::Open(std::string path,
                                                                       const Clock& clock) {
  // The version is taken before the content: a change in between is then noticed later, not missed.
  const std::optional<Version> version = FindVersion(path);
  ASSIGN_OR_RETURN(Keys keys, Load(path));
  std::unique_ptr<FileCredentialStore> store(new FileCredentialStore(std::move(path), clock));
  const MutexLock lock(store->mutex_);
  store->keys_ = std::move(keys);
  store->version_ = version;
  store->checked_ms_ = clock.NowMs();
  return store;
}

std::optional<FileKey> FileCredentialStore::Find(std::string_view access_key_id) const {
  const MutexLock lock(mutex_);
  Refresh();
  const auto it = keys_.find(access_key_id);
  if (it == keys_.end()) {
    return std::nullopt;
  }
  const FileKey& found = it->second;
  const bool is_over = found.good_until_ms != 0 && found.good_until_ms <= clock_.NowMs();
  return is_over ? std::nullopt : std::optional(found);
}

std::vector<std::string> FileCredentialStore::OtherProfiles() const {
  const MutexLock lock(mutex_);
  std::vector<std::string> profiles;
  for (const auto& [id, key] : keys_) {
    if (!key.root) {
      profiles.push_back(key.profile);
    }
  }
  return profiles;
}

void FileCredentialStore::Refresh() const {
  const int64_t now_ms = clock_.NowMs();
  // A clock that was set back counts as time gone by, so that checking never stops.
  if (now_ms >= checked_ms_ && now_ms - checked_ms_ < kCheckIntervalMs) {
    return;
  }
  checked_ms_ = now_ms;
  const std::optional<Version> version = FindVersion(path_);
  if (version == version_) {
    return;
  }
  version_ = version;  // Also when reading fails, so that each change is reported once.
  auto keys = Load(path_);
  if (!keys.ok()) {
    LogWarning("credentials not reloaded", {{"error", keys.error().message()}});
    return;
  }
  keys_ = *std::move(keys);
  LogInfo("credentials reloaded", {{"keys", keys_.size()}});
}

}  // namespace tintype::cli
