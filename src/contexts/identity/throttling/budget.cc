#include "contexts/identity/throttling/budget.h"

#include <algorithm>

namespace tintype::contexts::identity {

int64_t Budget::FullAt(const std::string& name, int64_t now_ms) const {
  const auto found = full_at_ms_.find(name);
  // Never further away than all of them take: the clock may have been put back.
  return found == full_at_ms_.end()
             ? now_ms
             : std::clamp(found->second, now_ms, now_ms + config_.free * config_.refill_ms);
}

int64_t Budget::WaitMs(const std::string& name, int64_t now_ms) const {
  const int64_t free_ms = (config_.free - 1) * config_.refill_ms;
  return std::max<int64_t>(0, FullAt(name, now_ms) - now_ms - free_ms);
}

void Budget::Take(const std::string& name, int64_t now_ms) {
  if (full_at_ms_.size() >= forget_at_) {
    Forget(now_ms);
  }
  full_at_ms_[name] = FullAt(name, now_ms) + config_.refill_ms;
}

void Budget::GiveBack(const std::string& name, int64_t now_ms) {
  const int64_t full_at = FullAt(name, now_ms) - config_.refill_ms;
  if (full_at <= now_ms) {
    full_at_ms_.erase(name);
  } else {
    full_at_ms_[name] = full_at;
  }
}

void Budget::Forget(int64_t now_ms) {
  std::erase_if(full_at_ms_, [&](const auto& entry) { return entry.second <= now_ms; });
  while (full_at_ms_.size() >= config_.names_max) {
    full_at_ms_.erase(full_at_ms_.begin());
  }
  // Looking at all of them again has to wait until there are twice as many.
  forget_at_ = std::clamp<size_t>(2 * full_at_ms_.size(), 1024, config_.names_max);
}

}  // namespace tintype::contexts::identity
