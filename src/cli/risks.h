#pragma once

#include "cli/settings/config.h"
#include "cli/settings/data_directory.h"

namespace tintype::cli {

/// Logs a line for each setting, and each of the surroundings, that leaves something unprotected.
void WarnOfRisks(const ServeConfig& config, const DataDirectory& directory);

}  // namespace tintype::cli
