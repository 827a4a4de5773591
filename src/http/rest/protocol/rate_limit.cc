#include "http/rest/protocol/rate_limit.h"

#include <algorithm>
#include <utility>

#include "base/rate_limited.h"

namespace tintype::http::rest {
namespace {

constexpr int64_t kSecondUs = 1'000'000;
constexpr int64_t kMinuteUs = 60 * kSecondUs;

}  // namespace

std::optional<int64_t> RateLimit::Take(const std::string& name) {
  const int64_t now_us = clock_.NowMs() * 1000;
  const MutexLock lock(mutex_);
  if (full_at_us_.size() >= config_.names_max) {
    Forget(now_us);
  }
  const auto known = full_at_us_.find(name);
  // Never further away than all of them take: the clock may have been put back.
  const int64_t full_at_us =
      known == full_at_us_.end() ? now_us : std::clamp(known->second, now_us, now_us + kMinuteUs);
  const int64_t after_us = full_at_us + kMinuteUs / config_.per_minute;
  const int64_t wait_us = after_us - now_us - kMinuteUs;
  if (wait_us > 0) {
    return (wait_us + kSecondUs - 1) / kSecondUs;
  }
  full_at_us_[name] = after_us;
  return std::nullopt;
}

std::shared_ptr<const ErrorDetail> RateLimit::Exceeded(std::string policy, int64_t wait_s) const {
  return std::make_shared<RateLimited>(wait_s, std::move(policy), config_.per_minute,
                                       kMinuteUs / kSecondUs);
}

void RateLimit::Forget(int64_t now_us) {
  std::erase_if(full_at_us_, [&](const auto& entry) { return entry.second <= now_us; });
  if (full_at_us_.size() >= config_.names_max) {
    full_at_us_.erase(full_at_us_.begin());
  }
}

}  // namespace tintype::http::rest
