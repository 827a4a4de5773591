#include "cli/data_files.h"

#include <algorithm>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/strings.h"

namespace tintype::cli {
namespace {

namespace fs = std::filesystem;

/// Deeper than any folder of ours; a link that leads back up ends here.
constexpr int kDepthMax = 32;

bool IsLeftOut(std::string_view name) {
  if (name == "lost+found" || name.ends_with(".tmp") || name.ends_with(".new")) {
    return true;
  }
  // What is beside the tables' own files: the wrapped data keys, without which nobody reads the
  // tables. The rest is the engine's to copy, or means nothing, as BALLAST and LOCK do.
  if (name.starts_with("tables/")) {
    return name != "tables/KEYS";
  }
  // Exports are copies already, and readable ones: a backup of encrypted tables must not have them.
  if (name == "exports" || name.starts_with("exports/")) {
    return true;
  }
  // The key and its predecessors: whoever holds a backup must not hold the key to it, too.
  return name.starts_with("master.key");
}

class Walk {
 public:
  explicit Walk(const DataFilesRequest& request)
      : backups_(request.backups), master_key_(request.master_key_file) {}

  Status Enter(const fs::path& folder, const std::string& prefix, int depth) {
    std::error_code error;
    if (depth > kDepthMax) {
      return Error::Io(StrCat("Cannot back up ", folder.string(),
                              ": the folders are too deep, or a link leads back to them"));
    }
    if (fs::equivalent(folder, backups_, error)) {
      return Error::Validation(StrCat("The backup directory ", backups_.string(),
                                      " is inside the data directory, as ", folder.string(),
                                      ". Name one elsewhere, best on another disk."));
    }
    fs::directory_iterator entries(folder, error);
    for (; !error && entries != fs::directory_iterator(); entries.increment(error)) {
      const std::string name = StrCat(prefix, entries->path().filename().string());
      std::error_code gone;
      const fs::file_status status = entries->status(gone);
      if (IsLeftOut(name)) {
        continue;
      }
      if (fs::is_directory(status)) {
        RETURN_IF_ERROR(Enter(entries->path(), StrCat(name, "/"), depth + 1));
      } else if (fs::is_regular_file(status) && !fs::equivalent(*entries, master_key_, gone)) {
        found_.push_back(name);
      }
    }
    if (error && error != std::errc::no_such_file_or_directory) {
      return Error::Io(StrCat("Cannot list ", folder.string(), ": ", error.message()));
    }
    return OkStatus();
  }

  std::vector<std::string> TakeFound() {
    std::sort(found_.begin(), found_.end());
    return std::move(found_);
  }

 private:
  const fs::path backups_;
  const fs::path master_key_;
  std::vector<std::string> found_;
};

}  // namespace

Result<std::vector<std::string>> ListDataFiles(const DataFilesRequest& request) {
  Walk walk(request);
  RETURN_IF_ERROR(walk.Enter(request.data_dir, "", 0));
  return walk.TakeFound();
}

}  // namespace tintype::cli
