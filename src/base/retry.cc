#include "base/retry.h"

#include <algorithm>
#include <thread>

#include "base/random.h"

namespace tintype {

RetryAdvice RetryAdviceFor(const Error& error) {
  if (error.detail() != nullptr) {
    if (const auto advice = error.detail()->retry_advice()) {
      return *advice;
    }
  }
  switch (error.kind()) {
    case ErrorKind::kOverloaded:
      return RetryAdvice::kRefused;
    case ErrorKind::kUnavailable:
    case ErrorKind::kIo:        // No answer, or half of one.
    case ErrorKind::kInternal:  // DynamoDB's documentation leaves the outcome open too.
      return RetryAdvice::kOutcomeOpen;
    default:
      return RetryAdvice::kNever;
  }
}

bool IsOutage(const Error& error) {
  if (error.detail() != nullptr) {
    if (const auto advice = error.detail()->retry_advice()) {
      return *advice == RetryAdvice::kRefused;
    }
  }
  return error.Is(ErrorKind::kUnavailable) || error.Is(ErrorKind::kOverloaded);
}

std::chrono::milliseconds BackoffWait(std::chrono::milliseconds wait_first,
                                      std::chrono::milliseconds wait_max, int failures) {
  std::chrono::milliseconds longest = wait_first;
  for (int i = 1; i < failures && longest < wait_max; ++i) {
    longest *= 2;
  }
  longest = std::min(longest, wait_max);
  const auto random = static_cast<unsigned char>(RandomBytes(1).front());
  return longest / 2 + longest * random / (2 * 256);
}

void internal::WaitBeforeRetry(const RetryPolicy& policy, int failures) {
  const auto wait = BackoffWait(policy.wait_first, policy.wait_max, failures);
  if (policy.sleep) {
    policy.sleep(wait);
  } else {
    std::this_thread::sleep_for(wait);
  }
}

}  // namespace tintype
