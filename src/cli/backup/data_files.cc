#include "cli/backup/data_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>

#include "base/files.h"
#include "base/logging.h"
#include "base/strings.h"
#include "cli/backup/restore.h"
#include "cli/master_key/master_key.h"
#include "cli/settings/data_directory.h"

namespace tintype::cli {
namespace {

namespace fs = std::filesystem;

/// Deeper than any folder of ours; a link that leads back up ends here.
constexpr int kDepthMax = 32;

/// Longer than a master key in any spelling, with an end of line.
constexpr off_t kKeyFileBytesMax = 128;

bool IsLeftOut(std::string_view name) {
  if (name == kRestoringName || name == "lost+found" || name.ends_with(".tmp") ||
      name.ends_with(".new")) {
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
  // A restored directory is another node, beside which this one may go on.
  if (name == "NODE" || name == kAuditHeadName || name == kAuditPendingName) {
    return true;
  }
  // What can be made again, and where a scrub of this directory stopped.
  if (name == "cache" || name == kScrubStateName) {
    return true;
  }
  // The root key and the token of the first account open the server that this was copied from; a
  // restored one makes its own.
  if (name == "credentials" || name == "setup-token") {
    return true;
  }
  // The key and its predecessors: the holder of a backup must not hold the key to it, too.
  return name.starts_with("master.key");
}

/// What a file is, or what a link leads to; nothing if it has been removed since it was listed.
Result<std::optional<struct stat>> StatusOf(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) {
    return std::optional(status);
  }
  if (errno != ENOENT) {
    return FileError("back up", path);
  }
  if (::lstat(path.c_str(), &status) == 0 && S_ISLNK(status.st_mode)) {
    return Error::Io(StrCat("Cannot back up ", path, ": it is a link that leads nowhere"));
  }
  return std::optional<struct stat>();
}

/// Whether a file holds a master key, such as an earlier one that was moved aside. One that cannot
/// be read is none: copying it will say why.
bool HoldsMasterKey(const std::string& path, const struct stat& status) {
  if (status.st_size > kKeyFileBytesMax) {
    return false;
  }
  const auto content = ReadFile(path);
  return content.ok() && ParseMasterKey(*content, path).ok();
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
      if (IsLeftOut(name)) {
        continue;
      }
      ASSIGN_OR_RETURN(const std::optional<struct stat> status, StatusOf(entries->path().string()));
      if (status && S_ISDIR(status->st_mode)) {
        RETURN_IF_ERROR(Enter(entries->path(), StrCat(name, "/"), depth + 1));
      } else if (status && S_ISREG(status->st_mode)) {
        AddFile(entries->path(), name, *status);
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
  void AddFile(const fs::path& path, const std::string& name, const struct stat& status) {
    std::error_code gone;
    if (fs::equivalent(path, master_key_, gone)) {
      return;
    }
    // Whatever lies among the photos was uploaded, whatever it looks like.
    if (!name.starts_with("blobs/") && HoldsMasterKey(path.string(), status)) {
      LogWarning("file not backed up, since it holds a master key", {{"file", path.string()}});
      return;
    }
    found_.push_back(name);
  }

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
