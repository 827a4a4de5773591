#pragma once

#include "base/error.h"

namespace tintype::tables {

namespace reasons {
inline constexpr Reason kShuttingDown{ErrorKind::kUnavailable, "ShuttingDown"};
}  // namespace reasons

/// Requests made to a stopping server, or unfinished when it stops, are refused with this.
inline Error ShuttingDown() { return {reasons::kShuttingDown, "The server is shutting down"}; }

}  // namespace tintype::tables
