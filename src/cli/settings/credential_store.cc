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

Result<FileCredentialStore::Secrets> FileCredentialStore::Load(const std::string& path) {
  ASSIGN_OR_RETURN(std::vector<AccessKey> keys, ReadCredentials(path));
  Secrets secrets;
  for (AccessKey& key : keys) {
    sigv4::AccessKeySecret& secret = secrets[std::move(key.id)];
    secret.secret = std::move(key.secret);
    if (!key.session_token.empty()) {
      secret.session_token = std::move(key.session_token);
    }
  }
  return secrets;
}

Result<std::unique_ptr<FileCredentialStore>> FileCredentialStore::Open(std::string path,
                                                                       const Clock& clock) {
  // The version is taken before the content: a change in between is then noticed later, not missed.
  const std::optional<Version> version = FindVersion(path);
  ASSIGN_OR_RETURN(Secrets secrets, Load(path));
  std::unique_ptr<FileCredentialStore> store(new FileCredentialStore(std::move(path), clock));
  const MutexLock lock(store->mutex_);
  store->secrets_ = std::move(secrets);
  store->version_ = version;
  store->checked_ms_ = clock.NowMs();
  return store;
}

std::optional<sigv4::AccessKeySecret> FileCredentialStore::SecretFor(
    std::string_view access_key_id) const {
  const MutexLock lock(mutex_);
  Refresh();
  const auto it = secrets_.find(access_key_id);
  if (it == secrets_.end()) {
    return std::nullopt;
  }
  return it->second;
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
  auto secrets = Load(path_);
  if (!secrets.ok()) {
    LogWarning("credentials not reloaded", {{"error", secrets.error().message()}});
    return;
  }
  secrets_ = *std::move(secrets);
  LogInfo("credentials reloaded", {{"keys", secrets_.size()}});
}

}  // namespace tintype::cli
