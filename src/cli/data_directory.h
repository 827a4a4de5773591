#pragma once

#include <string>

#include "base/result.h"

namespace tintype::cli {

/// Where the parts of a data directory are. The directory holds:
///   FORMAT        the version of everything in it, as `tintype N`
///   credentials   the access keys, as an AWS profile file
///   tables/       the embedded engine's RocksDB
struct DataDirectory {
  std::string path;

  std::string credentials() const { return path + "/credentials"; }
  std::string tables() const { return path + "/tables"; }
};

/// Opens a data directory, creating it (mode 0700) with its FORMAT file when there is none or it is
/// empty. Errors: kValidation when it holds something else, or a format that this version does not
/// know; kNotFound or kIo when the system refuses. All name the path.
Result<DataDirectory> OpenOrCreateDataDirectory(const std::string& path);

/// As above, but never creates anything: kNotFound when there is no data directory.
Result<DataDirectory> OpenDataDirectory(const std::string& path);

}  // namespace tintype::cli
