#pragma once

#include <functional>
#include <optional>
#include <string>

namespace tintype::cli {

/// Looks up an environment variable. A parameter, so that tests bring their own.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The process's environment. A variable that is set but empty counts as not set.
Environment ProcessEnvironment();

}  // namespace tintype::cli
