#pragma once

#include "base/error.h"

namespace tintype::tables {

namespace reasons {
inline constexpr Reason kShuttingDown{ErrorKind::kUnavailable, "ShuttingDown"};
}  // namespace reasons

/// What is asked of a server that stops, or is not finished when it does, is refused with this.
inline Error ShuttingDown() { return {reasons::kShuttingDown, "The server is shutting down"}; }

}  // namespace tintype::tables
