#pragma once

#include <string>

#include "darkroom/darkroom.h"
#include "metrics/registry.h"

namespace tintype::darkroom {

/// Shows the helpers of a darkroom, which outlives the registration, and what they are for.
metrics::Registration CollectHelpers(metrics::Registry& registry, std::string purpose,
                                     const Darkroom& darkroom);

/// Shows whether the helpers of a darkroom, which outlives the registration, have their sandbox:
/// for the first one of a server, since it is the same for all.
metrics::Registration CollectSandbox(metrics::Registry& registry, const Darkroom& darkroom);

}  // namespace tintype::darkroom
