#pragma once

#include "base/result.h"
#include "cli/commands/product_command.h"
#include "cli/settings/config.h"

namespace tintype::cli {

struct RotateArguments {
  /// Signatures of the keys before are not honoured any more.
  bool at_once = false;
  bool json = false;
};

// The commands `tintype rotate links` and `signing`: they replace the keys in the tables that all
// nodes sign with. They ask the server that has the data directory open, or open it when none has.
// Errors: those of contexts::identity::KeyRing::Rotate.

Status RunRotateLinks(const RotateArguments& arguments, const ServeConfig& config);
Status RunRotateSigning(const RotateArguments& arguments, const ServeConfig& config);

/// What a server does for them. `config` tells how long links may last.
ProductCommand RotateLinksCommand(const ServeConfig& config);
ProductCommand RotateSigningCommand();

}  // namespace tintype::cli
