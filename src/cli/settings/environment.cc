#include "cli/settings/environment.h"

#include <cstdlib>

namespace tintype::cli {

Environment ProcessEnvironment() {
  return [](const std::string& name) -> std::optional<std::string> {
    const char* value = std::getenv(name.c_str());
    if (value == nullptr || *value == '\0') {
      return std::nullopt;
    }
    return value;
  };
}

}  // namespace tintype::cli
