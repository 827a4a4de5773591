#pragma once

#include <span>
#include <string>

#include "base/result.h"
#include "cli/settings/config.h"

namespace tintype::cli {

/// Reads a settings file: top-level keys with the names of `settings`, each a string or a whole
/// number. Errors: kValidation with the line for bad syntax, and with the key for one that is
/// unknown or has a value of another type.
Result<SettingValues> ReadTomlFile(const std::string& path, std::span<const Setting> settings);

}  // namespace tintype::cli
