#pragma once

#include "delivery/resized_cache.h"
#include "delivery/resizer.h"
#include "metrics/registry.h"

namespace tintype::delivery {

/// Shows what a resizer has done, and the size of its cache. Both outlive the registration.
metrics::Registration CollectResizer(metrics::Registry& registry, const Resizer& resizer,
                                     const ResizedCache& cache);

}  // namespace tintype::delivery
