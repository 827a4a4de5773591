#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/result.h"
#include "contexts/identity/throttling/budget.h"
#include "contexts/identity/throttling/network.h"

namespace tintype::contexts::identity {

struct SignInThrottleConfig {
  // Wrong attempts to log in.
  BudgetConfig name_and_network{.free = 10, .refill_ms = 30'000};
  BudgetConfig network{.free = 20, .refill_ms = 10'000};
  BudgetConfig wide_network{.free = 200, .refill_ms = 1'000};
  /// At one name, from everywhere.
  BudgetConfig name{.free = 100, .refill_ms = 30'000};
  /// By somebody who was here before, at the account of the device token.
  BudgetConfig device{.free = 10, .refill_ms = 30'000};

  // Attempts to sign up, right or wrong.
  BudgetConfig sign_ups{.free = 20, .refill_ms = 60'000};
  BudgetConfig wide_sign_ups{.free = 100, .refill_ms = 10'000};

  // Returns from another issuer that it does not confirm; each of them asks it.
  BudgetConfig returns{.free = 20, .refill_ms = 10'000};
  BudgetConfig wide_returns{.free = 200, .refill_ms = 1'000};

  /// Networks that are remembered because somebody logged in there; the longest ago goes first.
  size_t known_networks_max = 10'000;
};

/// An attempt to log in.
struct LogInAttempt {
  std::string name;  // As it was given, in lower case.
  Network network;
  /// The id of the device, if its token is of the account that `name` leads to; else empty.
  std::string device;
  bool from_known_network = false;  // TakeLogIn says so.
};

/// Slows down strangers who guess passwords, make accounts or make up returns from another issuer,
/// and nobody else:
///
/// - A client with a device token of the account has a budget of its own; no attempt of others
///   counts.
/// - A network in which somebody has logged in has budgets of its own, by name and in all; attempts
///   of others at the same name or in the neighbourhood do not count.
/// - All others share what strangers have: by name, near network and wide network together.
///
/// Names count as they were given, whether there is such an account or not, and only the one who
/// gave a right password sees what it changes: so the refusal is the same for every name.
///
/// An attempt is taken before the password is looked at, and given back if it was right: many at
/// once get no more than one after another. In memory and bounded: a restart forgives, and each of
/// several nodes counts for itself. Thread-safe.
class SignInThrottle {
 public:
  SignInThrottle(const SignInThrottleConfig& config, const Clock& clock);

  /// Errors: kLimitExceeded with RetryAfter.
  Status TakeLogIn(LogInAttempt& attempt);
  /// The password was right. Gives the attempt back, and remembers its network.
  void Succeeded(const LogInAttempt& attempt);
  /// Nobody learned whether the password was right.
  void GiveBack(const LogInAttempt& attempt);

  /// Errors: kLimitExceeded with RetryAfter.
  Status TakeSignUp(const Network& network);

  /// Errors: kLimitExceeded with RetryAfter.
  Status TakeReturn(const Network& network);
  /// The other issuer has confirmed it.
  void GiveReturnBack(const Network& network);

 private:
  bool IsKnown(const Network& network) const REQUIRES_LOCK(mutex_);
  void Remember(const Network& network) REQUIRES_LOCK(mutex_);
  void GiveBackLocked(const LogInAttempt& attempt) REQUIRES_LOCK(mutex_);

  const Clock& clock_;
  const size_t known_networks_max_;
  Mutex mutex_;
  Budget by_name_and_network_ GUARDED_BY(mutex_);
  Budget by_network_ GUARDED_BY(mutex_);
  Budget by_wide_network_ GUARDED_BY(mutex_);
  Budget by_name_ GUARDED_BY(mutex_);
  Budget by_device_ GUARDED_BY(mutex_);
  Budget sign_ups_ GUARDED_BY(mutex_);
  Budget wide_sign_ups_ GUARDED_BY(mutex_);
  Budget returns_ GUARDED_BY(mutex_);
  Budget wide_returns_ GUARDED_BY(mutex_);
  /// Near networks, and when somebody last logged in there.
  std::unordered_map<std::string, int64_t> known_networks_ GUARDED_BY(mutex_);
};

}  // namespace tintype::contexts::identity
