#pragma once

#include "base/error.h"

namespace tintype::contexts::catalog {

/// Somebody changed the image since it was read.
inline constexpr Reason kVersionChanged{ErrorKind::kConditionFailed, "VersionChanged"};
/// Another edit took this revision's number.
inline constexpr Reason kRevisionTaken{ErrorKind::kInUse, "RevisionTaken"};

}  // namespace tintype::contexts::catalog
