#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/commands/product_command.h"
#include "cli/settings/config.h"

namespace tintype::cli {

struct ReanalyseArguments {
  std::vector<std::string> kinds;
  std::string image;
  bool again = false;
  bool json = false;
};

/// The command `tintype rebuild analysis`: has the server that runs analyse again what it should,
/// and shows how far it is; without one it is queued for the next. Errors: kUnavailable when it was
/// interrupted, which does not stop the work, and when the work was given up.
Status RunRebuildAnalysis(const ReanalyseArguments& arguments, const ServeConfig& config);

/// What a server does for it.
AdminCommand RebuildAnalysisCommand(const ProductHost& host);

}  // namespace tintype::cli
