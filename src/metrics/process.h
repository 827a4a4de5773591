#pragma once

#include "metrics/registry.h"

namespace tintype::metrics {

/// Shows what the system knows of this process: memory, processor time, descriptors, threads, and
/// when it was started.
Registration CollectProcess(Registry& registry);

}  // namespace tintype::metrics
