#pragma once

#include "base/result.h"
#include "cli/commands/product_command.h"
#include "cli/settings/config.h"

namespace tintype::cli {

struct EncryptArguments {
  bool json = false;
};

/// The command `tintype encrypt`: asks the server that has the data directory open, or opens it
/// when none has, and encrypts the photos that are in plain. Errors: kValidation where new ones are
/// not encrypted; kUnavailable when it was interrupted; kIo when some could not be encrypted, once
/// they were shown.
Status RunEncrypt(const EncryptArguments& arguments, const ServeConfig& config);

/// What a server does for it, one at a time.
ProductCommand EncryptCommand();

}  // namespace tintype::cli
