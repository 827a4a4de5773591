#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/admin/socket.h"
#include "cli/settings/config.h"
#include "flows/product.h"

namespace tintype::cli {

/// How much `tintype work list` shows at a time, at most.
inline constexpr int64_t kWorkShownMax = 500;

struct WorkArguments {
  std::string status = "dead";
  int64_t limit = 50;  ///< Of a list; at most kWorkShownMax.
  std::string after;   ///< Where a list goes on, as the last one said.
  std::string id;      ///< What to show, replay or purge,
  bool all = false;    ///< or everything that is dead.
  bool yes = false;    ///< Purge it, instead of telling what would be lost.
  bool json = false;
};

// The commands `tintype work list`, `show`, `replay` and `purge`: work in the background that
// waits, is being done, or was given up. They ask the server that has the data directory open, or
// open it when none has.

Status RunWorkList(const WorkArguments& arguments, const ServeConfig& config);
/// Errors: kNotFound.
Status RunWorkShow(const WorkArguments& arguments, const ServeConfig& config);
/// Errors: kNotFound when there is no dead work of that id.
Status RunWorkReplay(const WorkArguments& arguments, const ServeConfig& config);
/// Errors: kValidation when nothing or not all was purged, once it was shown why.
Status RunWorkPurge(const WorkArguments& arguments, const ServeConfig& config);

// What a server does for them. The product must outlive them.
AdminCommand WorkListCommand(flows::Product& product);
AdminCommand WorkShowCommand(flows::Product& product);
AdminCommand WorkReplayCommand(flows::Product& product);
AdminCommand WorkPurgeCommand(flows::Product& product);

}  // namespace tintype::cli
