#pragma once

#include "base/error.h"

namespace tintype::tables {

/// What is asked of a server that stops, or is not finished when it does, is refused with this.
inline Error ShuttingDown() { return {ErrorKind::kUnavailable, "The server is shutting down"}; }

}  // namespace tintype::tables
