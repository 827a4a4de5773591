#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/commands/product_command.h"
#include "cli/settings/config.h"

namespace tintype::cli {

/// Which photos: one of the five.
struct RebuildArguments {
  bool all = false;
  std::string user;  ///< An email or a username.
  std::vector<std::string> images;
  bool missing = false;
  bool failed = false;

  bool dry_run = false;
  bool json = false;
};

/// The command `tintype rebuild renditions`: has the server that runs do it, and shows how far it
/// is; without one it is queued for the next. Errors: kNotFound when there is no such account or
/// image; kInUse while other photos are being rebuilt; kUnavailable when it was interrupted, which
/// does not stop the rebuild; kIo when some could not be rebuilt.
Status RunRebuildRenditions(const RebuildArguments& arguments, const ServeConfig& config);

/// What a server does for it.
AdminCommand RebuildRenditionsCommand(const ProductHost& host);

}  // namespace tintype::cli
