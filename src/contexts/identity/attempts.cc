#include "contexts/identity/attempts.h"

#include <algorithm>
#include <memory>

#include "base/rate_limited.h"
#include "base/strings.h"

namespace tintype::contexts::identity {

Status Attempts::Check(const std::string& name) {
  const MutexLock lock(mutex_);
  const auto found = full_at_.find(name);
  if (found == full_at_.end()) {
    return OkStatus();
  }
  const int64_t wait_ms = found->second - clock_.NowMs() - (config_.free - 1) * config_.refill_ms;
  if (wait_ms <= 0) {
    return OkStatus();
  }
  const int64_t wait_s = (wait_ms + 999) / 1000;
  return Error::LimitExceeded(StrCat("Too many wrong attempts. Try again in ", wait_s, " s."))
      .WithDetail(std::make_shared<RateLimited>(wait_s, "wrong-attempts", config_.free,
                                                config_.free * config_.refill_ms / 1000));
}

void Attempts::Failed(const std::string& name) {
  const MutexLock lock(mutex_);
  const int64_t now_ms = clock_.NowMs();
  if (full_at_.size() >= config_.names_max && !full_at_.contains(name)) {
    std::erase_if(full_at_, [&](const auto& entry) { return entry.second <= now_ms; });
    if (full_at_.size() >= config_.names_max) {
      full_at_.erase(
          std::ranges::min_element(full_at_, {}, [](const auto& entry) { return entry.second; }));
    }
  }
  int64_t& full_at = full_at_[name];
  full_at = std::max(full_at, now_ms) + config_.refill_ms;
}

void Attempts::Succeeded(const std::string& name) {
  const MutexLock lock(mutex_);
  full_at_.erase(name);
}

}  // namespace tintype::contexts::identity
