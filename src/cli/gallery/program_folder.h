#pragma once

#include <filesystem>
#include <system_error>

namespace tintype::cli {

/// Where this program is: its helpers are beside it.
inline std::filesystem::path ProgramFolder() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
}

}  // namespace tintype::cli
