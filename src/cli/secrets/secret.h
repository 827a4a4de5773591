#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/settings/environment.h"

/// Settings that must not be on a command line or in the file of settings.
namespace tintype::cli {

/// The secret that the variable `variable` is about. It comes from one place: the variable, which
/// has the secret itself or `ssm://NAME`, a parameter in AWS's parameter store; the file that
/// `{variable}_FILE` names; or what the command in `{variable}_COMMAND` writes to its standard
/// output. Line ends behind it are no part of it. Nothing when none of these is set.
///
/// Errors, none of which tells the secret: kValidation when more than one is set, others may
/// read the file, or the secret is empty; kNotFound and kIo for a file; those of RunCommand and
/// ReadParameter.
Result<std::optional<std::string>> FindSecret(const std::string& variable,
                                              const Environment& environment);

/// The secret in a file. `source` is the setting that names it.
Result<std::string> ReadSecretFile(const std::string& path, std::string_view source);

}  // namespace tintype::cli
