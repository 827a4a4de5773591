#pragma once

#include <string>

#include "base/result.h"
#include "cli/admin/socket.h"
#include "cli/settings/config.h"
#include "flows/product.h"

namespace tintype::cli {

struct BacklogArguments {
  std::string status = "dead";
  std::string id;    ///< What to replay,
  bool all = false;  ///< or everything that is dead.
  bool json = false;
};

/// The commands `tintype backlog list` and `tintype backlog replay`: work in the background that
/// waits, is being done, or was given up. They ask the server that has the data directory open, or
/// open it when none has.
Status RunBacklogList(const BacklogArguments& arguments, const ServeConfig& config);
/// Errors: kNotFound when there is no dead work of that id.
Status RunBacklogReplay(const BacklogArguments& arguments, const ServeConfig& config);

/// What a server does for them. The product must outlive them.
AdminCommand BacklogListCommand(flows::Product& product);
AdminCommand BacklogReplayCommand(flows::Product& product);

}  // namespace tintype::cli
