#pragma once

#include <cstdint>

#include "base/error.h"

/// What the numbers of an account's storage mean, for whoever shows them.
namespace tintype::contexts::intake {

/// The account has no room for so many bytes.
inline constexpr Reason kQuotaExceeded{ErrorKind::kLimitExceeded, "QuotaExceeded"};
/// What an image is charged with has changed since it was looked at: look again.
inline constexpr Reason kChargeIsAnother{ErrorKind::kConditionFailed, "ChargeIsAnother"};

/// The quota of an account that has none: the largest number that every client reads exactly
/// (2^53 - 1), which no account comes to.
inline constexpr int64_t kNoQuota = 9'007'199'254'740'991;

struct StorageUse {
  int64_t used = 0;  // Of what is stored, and of uploads on their way.
  int64_t free = kNoQuota;

  int64_t quota() const { return used + free; }
  bool has_quota() const { return quota() < kNoQuota; }
};

}  // namespace tintype::contexts::intake
