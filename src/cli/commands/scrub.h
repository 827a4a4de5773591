#pragma once

#include "base/result.h"
#include "cli/admin/socket.h"
#include "cli/settings/config.h"
#include "flows/product.h"

namespace tintype::cli {

struct ScrubArguments {
  bool json = false;
};

/// The command `tintype scrub`: asks the server that has the data directory open, or opens it when
/// none has. Errors: kCorruption when something does not fit together, once all of it was shown.
Status RunScrub(const ScrubArguments& arguments, const ServeConfig& config);

/// What a server does for it. The product must outlive it.
AdminCommand ScrubCommand(flows::Product& product);

}  // namespace tintype::cli
