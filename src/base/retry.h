#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>

#include "base/error.h"
#include "base/retry_advice.h"

namespace tintype {

// The one classification of errors for everyone who may try again: flows, workers, imports, and the
// clients of other services.

/// Whether the request that got this error may be made again. An error's detail may know better
/// than its kind (ErrorDetail::retry_advice).
RetryAdvice RetryAdviceFor(const Error& error);

/// Whether the same request may succeed when it is made again, where repeating does no harm.
inline bool IsRetryable(const Error& error) { return RetryAdviceFor(error) != RetryAdvice::kNever; }

/// Whether the error says nothing about the request: the service is busy or away, and every other
/// request would fail as well. A worker does not count it against the work; an import stops.
bool IsOutage(const Error& error);

/// Carried by an error whose maker knows how long to wait.
struct RetryAfter : ErrorDetail {
  explicit RetryAfter(int64_t wait_s) : seconds(wait_s) {}
  std::optional<RetryAdvice> retry_advice() const override { return RetryAdvice::kRefused; }

  int64_t seconds;
};

/// How long to go on when a service is busy, or does not say what came of a request.
struct RetryPolicy {
  int attempts_max = 8;
  std::chrono::milliseconds wait_first{10};
  std::chrono::milliseconds wait_max{500};
  /// Replaced in tests, which do not wait.
  std::function<void(std::chrono::milliseconds)> sleep;
};

/// How long to wait after so many failures in a row (at least 1): doubled each time from
/// `wait_first` up to `wait_max`, then a random part between half of it and all of it, so that
/// those who failed together do not meet again.
std::chrono::milliseconds BackoffWait(std::chrono::milliseconds wait_first,
                                      std::chrono::milliseconds wait_max, int failures);

namespace internal {
void WaitBeforeRetry(const RetryPolicy& policy, int failures);
}  // namespace internal

/// Calls `attempt`, which returns a Result, until it succeeds, fails for good, or the policy ends.
template <typename Attempt>
auto WithRetries(const RetryPolicy& policy, const Attempt& attempt) -> decltype(attempt()) {
  for (int failures = 1;; ++failures) {
    auto outcome = attempt();
    if (outcome.ok() || failures >= policy.attempts_max || !IsRetryable(outcome.error())) {
      return outcome;
    }
    internal::WaitBeforeRetry(policy, failures);
  }
}

}  // namespace tintype
