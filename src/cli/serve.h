#pragma once

#include "base/result.h"
#include "cli/settings/config.h"

namespace tintype::cli {

/// Opens the data directory and serves it until SIGINT or SIGTERM, then finishes what was accepted.
/// A second signal ends the process at once. Prints the addresses and `ready` to standard output.
///
/// REQUIRES: called from the main thread, before any other thread exists, so that every thread
/// inherits the signal mask it sets.
Status Serve(const ServeConfig& config);

}  // namespace tintype::cli
