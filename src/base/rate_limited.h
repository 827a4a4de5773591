#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "base/retry.h"

namespace tintype {

/// Carried by an error whose maker knows how long to wait, and the name of what is used up: for the
/// headers that tell of it.
struct RateLimited : RetryAfter {
  /// `policy_name` is of letters, digits and dashes. `window`: in how many seconds there is as much
  /// again; 0 when time does not bring it back.
  RateLimited(int64_t wait_s, std::string policy_name, int64_t quota_per_window, int64_t window = 0)
      : RetryAfter(wait_s),
        policy(std::move(policy_name)),
        quota(quota_per_window),
        window_s(window) {}

  std::string policy;
  int64_t quota;
  int64_t window_s;
};

}  // namespace tintype
