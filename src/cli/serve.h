#pragma once

#include <memory>

#include "base/result.h"
#include "cli/settings/config.h"
#include "cli/settings/data_directory.h"
#include "tables/engine/rocks_database.h"

namespace tintype::cli {

/// Opens the tables of a data directory with the settings for them. Should their disk fail later,
/// the process ends (exit code 3). Errors: kAlreadyOpen when another process has them open; those
/// of RocksDatabase::Open.
Result<std::unique_ptr<tables::engine::RocksDatabase>> OpenTables(const DataDirectory& directory,
                                                                  const ServeConfig& config);

/// Opens the data directory and serves it until SIGINT or SIGTERM, then finishes what was accepted.
/// A second signal ends the process at once. Prints the addresses and `ready` to standard output.
///
/// REQUIRES: called from the main thread, before any other thread exists, so that every thread
/// inherits the signal mask it sets.
Status Serve(const ServeConfig& config);

}  // namespace tintype::cli
