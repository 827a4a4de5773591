#pragma once

#include "base/error.h"

namespace tintype::contexts::people {

/// The user has no uploads left.
inline constexpr Reason kUploadLimitReached{ErrorKind::kLimitExceeded, "UploadLimitReached"};
/// The user's limit was set or taken away since it was looked at: the piece for the other case is
/// to be tried.
inline constexpr Reason kLimitIsAnother{ErrorKind::kConditionFailed, "LimitIsAnother"};

}  // namespace tintype::contexts::people
