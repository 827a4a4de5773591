#pragma once

#include "base/error.h"

namespace tintype::contexts::people {

/// The user has no uploads left.
inline constexpr Reason kUploadLimitReached{ErrorKind::kLimitExceeded, "UploadLimitReached"};

}  // namespace tintype::contexts::people
