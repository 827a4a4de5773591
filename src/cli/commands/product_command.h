#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "cli/admin/message.h"
#include "cli/admin/socket.h"
#include "cli/console/progress.h"
#include "cli/settings/config.h"
#include "flows/product.h"

namespace tintype::cli {

/// A product that commands work on, and what they may want to know of the process that has it.
struct ProductHost {
  flows::Product& product;
  /// Whether it is served, so that work in its backlog is done meanwhile.
  bool has_workers = false;
  /// What the gallery's keys are derived from. Errors: those of SecretOf.
  std::function<Result<std::string>()> secret;

  /// Most commands want no more than that.
  operator flows::Product&() const { return product; }  // NOLINT(google-explicit-constructor)
};

/// Makes a command that works on a product, which outlives it.
using ProductCommand = std::function<AdminCommand(const ProductHost& host)>;

/// Has the server that has the data directory open do what `request` names, or opens the directory
/// and does it here when no server has. `config` is from ResolvePhotosConfig.
Result<AdminFields> DoOnProduct(const ServeConfig& config, const AdminMessage& request,
                                const ProductCommand& command, const ProgressReport& report);

}  // namespace tintype::cli
