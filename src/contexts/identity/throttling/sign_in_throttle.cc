#include "contexts/identity/throttling/sign_in_throttle.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "base/rate_limited.h"
#include "base/strings.h"

namespace tintype::contexts::identity {
namespace {

/// `policy` names the budget that the client is told of, the one of its own.
Error TooMany(std::string_view what, int64_t wait_ms, std::string policy,
              const BudgetConfig& budget) {
  const int64_t wait_s = (wait_ms + 999) / 1000;
  const int64_t window_s = budget.free * budget.refill_ms / 1000;
  return Error::LimitExceeded(StrCat(what, " Try again in ", wait_s, " s."))
      .WithDetail(std::make_shared<RateLimited>(wait_s, std::move(policy), budget.free, window_s));
}

/// A name holds no line break that counts: whatever it holds, the network comes first.
std::string Both(const LogInAttempt& attempt) {
  return StrCat(attempt.network.near, "\n", attempt.name);
}

}  // namespace

SignInThrottle::SignInThrottle(const SignInThrottleConfig& config, const Clock& clock)
    : clock_(clock),
      known_networks_max_(config.known_networks_max),
      by_name_and_network_(config.name_and_network),
      by_network_(config.network),
      by_wide_network_(config.wide_network),
      by_name_(config.name),
      by_device_(config.device),
      sign_ups_(config.sign_ups),
      wide_sign_ups_(config.wide_sign_ups),
      returns_(config.returns),
      wide_returns_(config.wide_returns) {}

Status SignInThrottle::TakeLogIn(LogInAttempt& attempt) {
  const MutexLock lock(mutex_);
  const int64_t now = clock_.NowMs();
  if (!attempt.device.empty()) {
    const int64_t wait_ms = by_device_.WaitMs(attempt.device, now);
    if (wait_ms > 0) {
      return TooMany("Too many wrong attempts from this device.", wait_ms, "device",
                     by_device_.config());
    }
    by_device_.Take(attempt.device, now);
    return OkStatus();
  }
  int64_t wait_ms = std::max(by_name_and_network_.WaitMs(Both(attempt), now),
                             by_network_.WaitMs(attempt.network.near, now));
  attempt.from_known_network = IsKnown(attempt.network);
  if (!attempt.from_known_network) {
    wait_ms = std::max(wait_ms, by_wide_network_.WaitMs(attempt.network.wide, now));
    // Not how long it takes: what others do at this name is nobody's business.
    if (by_name_.WaitMs(attempt.name, now) > 0) {
      wait_ms = std::max(wait_ms, by_name_.config().refill_ms);
    }
  }
  if (wait_ms > 0) {
    return TooMany("Too many wrong attempts.", wait_ms, "log-in", by_name_and_network_.config());
  }
  by_name_and_network_.Take(Both(attempt), now);
  by_network_.Take(attempt.network.near, now);
  if (!attempt.from_known_network) {
    by_wide_network_.Take(attempt.network.wide, now);
    by_name_.Take(attempt.name, now);
  }
  return OkStatus();
}

void SignInThrottle::Succeeded(const LogInAttempt& attempt) {
  const MutexLock lock(mutex_);
  GiveBackLocked(attempt);
  Remember(attempt.network);
}

void SignInThrottle::GiveBack(const LogInAttempt& attempt) {
  const MutexLock lock(mutex_);
  GiveBackLocked(attempt);
}

void SignInThrottle::GiveBackLocked(const LogInAttempt& attempt) {
  const int64_t now = clock_.NowMs();
  if (!attempt.device.empty()) {
    return by_device_.GiveBack(attempt.device, now);
  }
  by_name_and_network_.GiveBack(Both(attempt), now);
  by_network_.GiveBack(attempt.network.near, now);
  if (!attempt.from_known_network) {
    by_wide_network_.GiveBack(attempt.network.wide, now);
    by_name_.GiveBack(attempt.name, now);
  }
}

Status SignInThrottle::TakeSignUp(const Network& network) {
  const MutexLock lock(mutex_);
  const int64_t now = clock_.NowMs();
  const int64_t wait_ms =
      std::max(sign_ups_.WaitMs(network.near, now), wide_sign_ups_.WaitMs(network.wide, now));
  if (wait_ms > 0) {
    return TooMany("Too many accounts were asked for from your network.", wait_ms, "sign-up",
                   sign_ups_.config());
  }
  sign_ups_.Take(network.near, now);
  wide_sign_ups_.Take(network.wide, now);
  return OkStatus();
}

Status SignInThrottle::TakeReturn(const Network& network) {
  const MutexLock lock(mutex_);
  const int64_t now = clock_.NowMs();
  const int64_t wait_ms =
      std::max(returns_.WaitMs(network.near, now), wide_returns_.WaitMs(network.wide, now));
  if (wait_ms > 0) {
    return TooMany("Too many sign-ins failed in your network.", wait_ms, "outside-sign-in",
                   returns_.config());
  }
  returns_.Take(network.near, now);
  wide_returns_.Take(network.wide, now);
  return OkStatus();
}

void SignInThrottle::GiveReturnBack(const Network& network) {
  const MutexLock lock(mutex_);
  const int64_t now = clock_.NowMs();
  returns_.GiveBack(network.near, now);
  wide_returns_.GiveBack(network.wide, now);
}

bool SignInThrottle::IsKnown(const Network& network) const {
  return known_networks_.contains(network.near);
}

void SignInThrottle::Remember(const Network& network) {
  if (known_networks_.size() >= known_networks_max_ && !IsKnown(network)) {
    known_networks_.erase(std::ranges::min_element(known_networks_, {},
                                                   [](const auto& entry) { return entry.second; }));
  }
  known_networks_[network.near] = clock_.NowMs();
}

}  // namespace tintype::contexts::identity
