#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/commands/product_command.h"
#include "cli/settings/config.h"

namespace tintype::cli {

struct ScrubArguments {
  bool quick = false;    ///< Leaves the reading of files out.
  bool restart = false;  ///< Does not go on where an interrupted one stopped.
  int64_t rate_mb = 0;   ///< How many megabytes a second are read, at most. 0: any number.
  bool json = false;
};

/// The command `tintype scrub`: asks the server that has the data directory open, or opens it when
/// none has. Goes on where an interrupted one stopped. Errors: kCorruption when something does not
/// fit together, once all of it was shown; kUnavailable when it was interrupted.
Status RunScrub(const ScrubArguments& arguments, const ServeConfig& config);

/// What a server does for it, one at a time.
ProductCommand ScrubCommand(const std::string& data_dir);

}  // namespace tintype::cli
