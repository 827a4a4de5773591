#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace tintype::cli {

/// The files of a data directory that a backup copies as they are, relative to it, sorted:
/// everything but the tables, which are copied by the engine, and what must not or need not leave
/// it: the master key, also if it has another name than usual, every other small file that holds a
/// master key, exports, the admin socket, unfinished files. Links are followed.
///
/// Errors: kIo, also for a file that cannot be looked at and a link that leads nowhere; kValidation
/// when `backups`, the directory to copy to, is in there.
struct DataFilesRequest {
  std::string data_dir;
  std::string backups;
  std::string master_key_file;  ///< Empty: it is where it is by default, or in no file.
};
Result<std::vector<std::string>> ListDataFiles(const DataFilesRequest& request);

}  // namespace tintype::cli
