#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/admin/socket.h"
#include "cli/settings/config.h"
#include "flows/product.h"

namespace tintype::cli {

/// How much `tintype jobs list` shows at a time, at most.
inline constexpr int64_t kJobsShownMax = 500;

struct JobsArguments {
  std::string status = "dead";
  int64_t limit = 50;  ///< Of a list; at most kJobsShownMax.
  std::string after;   ///< Where a list goes on, as the last one said.
  std::string id;      ///< What to show, replay or purge,
  bool all = false;    ///< or everything that is dead.
  bool yes = false;    ///< Purge it, instead of telling what would be lost.
  bool json = false;
};

// The commands `tintype jobs list`, `show`, `replay` and `purge`: work in the background that
// waits, is being done, or was given up. They ask the server that has the data directory open, or
// open it when none has.

Status RunJobsList(const JobsArguments& arguments, const ServeConfig& config);
/// Errors: kNotFound.
Status RunJobsShow(const JobsArguments& arguments, const ServeConfig& config);
/// Errors: kNotFound when there is no dead work of that id.
Status RunJobsReplay(const JobsArguments& arguments, const ServeConfig& config);
/// Errors: kValidation when nothing or not all was purged, once it was shown why.
Status RunJobsPurge(const JobsArguments& arguments, const ServeConfig& config);

// What a server does for them. The product must outlive them.
AdminCommand JobsListCommand(flows::Product& product);
AdminCommand JobsShowCommand(flows::Product& product);
AdminCommand JobsReplayCommand(flows::Product& product);
AdminCommand JobsPurgeCommand(flows::Product& product);

}  // namespace tintype::cli
