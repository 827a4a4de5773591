#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/error.h"
#include "base/mutex.h"

namespace tintype::http::rest {

/// Lets each name do something so often a minute: as many at once, then one for each that has come
/// back. In memory, so a restart forgives. Thread-safe.
class RateLimit {
 public:
  struct Config {
    int64_t per_minute = 600;
    /// How many names are remembered. Those that have all of theirs back need not be.
    size_t names_max = 100'000;
  };

  /// Keeps a reference to `clock`. REQUIRES: per_minute > 0.
  RateLimit(Config config, const Clock& clock) : config_(config), clock_(clock) {}

  /// Takes one. Nothing when there was one to take, else after how many seconds there will be.
  std::optional<int64_t> Take(const std::string& name);

  /// What an error carries when there was none to take, for the headers that say so. `policy` names
  /// this limit.
  std::shared_ptr<const ErrorDetail> Exceeded(std::string policy, int64_t wait_s) const;

 private:
  void Forget(int64_t now_us) REQUIRES_LOCK(mutex_);

  const Config config_;
  const Clock& clock_;
  Mutex mutex_;
  /// When each name has all of its own back, in microseconds.
  std::map<std::string, int64_t> full_at_us_ GUARDED_BY(mutex_);
};

}  // namespace tintype::http::rest
