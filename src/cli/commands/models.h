#pragma once

#include "base/result.h"
#include "cli/settings/config.h"

namespace tintype::cli {

/// `tintype models list`: which models this version knows, and which are here. Looks at sizes
/// alone, so that it is quick.
Status RunModelsList(const ServeConfig& config, bool json);

/// `tintype models verify`: hashes each. Errors: one is missing, or is not what it should be.
Status RunModelsVerify(const ServeConfig& config, bool json);

}  // namespace tintype::cli
