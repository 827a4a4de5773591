#pragma once

#include "base/result.h"
#include "cli/commands/product_command.h"
#include "cli/settings/config.h"

namespace tintype::cli {

struct RecountArguments {
  bool json = false;
};

/// The command `tintype rebuild usage`: has the server that runs count what accounts store, and
/// shows how far it is; without one it is queued for the next. Errors: kUnavailable when it was
/// interrupted, which does not stop the count, and when the count was given up.
Status RunRebuildUsage(const RecountArguments& arguments, const ServeConfig& config);

/// What a server does for it.
AdminCommand RebuildUsageCommand(const ProductHost& host);

}  // namespace tintype::cli
