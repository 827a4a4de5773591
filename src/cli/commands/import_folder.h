#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/commands/product_command.h"
#include "cli/settings/config.h"

namespace tintype::cli {

struct ImportArguments {
  std::string folder;
  std::string user;   ///< An email or a username.
  std::string album;  ///< Empty for none.
  bool dry_run = false;
  bool json = false;
};

/// The command `tintype import folder`: the server that has the data directory open reads the
/// folder, or this process when none has. Errors: kNotFound when there is no such account or
/// folder; kUnavailable when it ended before it was through, kIo when files were not imported, once
/// everything was shown.
Status RunImportFolder(const ImportArguments& arguments, const ServeConfig& config);

/// What a server does for it, one at a time. Larger files than `file_bytes_max` are not imported.
ProductCommand ImportFolderCommand(uint64_t file_bytes_max);

}  // namespace tintype::cli
