#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"

namespace tintype::contexts::identity {

struct AttemptsConfig {
  /// So many wrong attempts in a row are free; each one more has to wait.
  int64_t free = 10;
  /// How long it takes to get one attempt back, in milliseconds.
  int64_t refill_ms = 30'000;
  /// How many names are remembered; the longest forgotten one goes first.
  size_t names_max = 100'000;
};

/// Slows down whoever guesses passwords: counts failures by a name, an account's or a peer's. In
/// memory, so a restart forgives. Thread-safe.
class Attempts {
 public:
  Attempts(AttemptsConfig config, const Clock& clock) : config_(config), clock_(clock) {}

  /// Errors: kLimitExceeded, which says how long to wait.
  Status Check(const std::string& name);
  void Failed(const std::string& name);
  void Succeeded(const std::string& name);

 private:
  /// When all attempts are back, in milliseconds; what is before now has all of them.
  using FullAt = std::map<std::string, int64_t>;

  const AttemptsConfig config_;
  const Clock& clock_;
  Mutex mutex_;
  FullAt full_at_ GUARDED_BY(mutex_);
};

}  // namespace tintype::contexts::identity
