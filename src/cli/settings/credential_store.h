#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "sigv4/sigv4.h"

namespace tintype::cli {

/// A key of a credentials file.
struct FileKey {
  sigv4::AccessKeySecret secret;
  std::string profile;
  /// The key of the directory's owner: that of the profile `default`, else the file's first; and
  /// those before it while they are good.
  bool root = false;
  int64_t good_until_ms = 0;  // Not 0: it was replaced.
};

/// The keys of a credentials file, for the endpoint. Looks at most once a second whether the file
/// has changed, and then reads it again, so that `tintype keys` needs no restart. A file that has
/// become unreadable or malformed is reported in the log, and the keys stay as they were.
///
/// Thread-safe. Owned by the process's wiring; the clock must outlive it.
class FileCredentialStore {
 public:
  /// Errors: those of ReadCredentials.
  static Result<std::unique_ptr<FileCredentialStore>> Open(std::string path, const Clock& clock);

  std::optional<FileKey> Find(std::string_view access_key_id) const;

  /// The profiles beside those of root keys.
  std::vector<std::string> OtherProfiles() const;

 private:
  using Keys = std::map<std::string, FileKey, std::less<>>;
  /// Inode, size, seconds and nanoseconds of the last change: what tells two contents apart.
  using Version = std::tuple<uint64_t, int64_t, int64_t, int64_t>;

  FileCredentialStore(std::string path, const Clock& clock)
      : path_(std::move(path)), clock_(clock) {}

  /// Absent when the file cannot be looked at; reading it then says why.
  static std::optional<Version> FindVersion(const std::string& path);
  static Result<Keys> Load(const std::string& path);
  void Refresh() const REQUIRES_LOCK(mutex_);

  const std::string path_;
  const Clock& clock_;
  mutable Mutex mutex_;
  mutable Keys keys_ GUARDED_BY(mutex_);
  mutable std::optional<Version> version_ GUARDED_BY(mutex_);
  mutable int64_t checked_ms_ GUARDED_BY(mutex_) = 0;
};

}  // namespace tintype::cli
