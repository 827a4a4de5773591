#include "imports/folder_walk.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/strings.h"

namespace tintype::imports {
namespace {

struct CloseDirectory {
  void operator()(DIR* directory) const { ::closedir(directory); }
};

/// The names in a folder, in order.
Result<std::vector<std::string>> NamesIn(const std::string& folder) {
  // By the descriptor: a link that has taken the folder's place since it was found is not followed.
  const int number = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (number < 0) {
    return FileError("read", folder);
  }
  const std::unique_ptr<DIR, CloseDirectory> directory(::fdopendir(number));
  if (directory == nullptr) {
    return FileError("read", folder);
  }
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = ::readdir(directory.get())) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") {
      names.emplace_back(name);
    }
  }
  if (errno != 0) {
    return FileError("read", folder);
  }
  std::ranges::sort(names);
  return names;
}

class Walker {
 public:
  explicit Walker(const FolderWalk& walk) : walk_(walk) {}

  Status Into(const std::string& folder, const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      RETURN_IF_ERROR(LookAt(StrCat(folder == "/" ? "" : folder, "/", name), name));
    }
    return OkStatus();
  }

  PassedOver passed_over;

 private:
  Status LookAt(const std::string& path, const std::string& name) {
    struct stat status {};
    if (name.starts_with('.')) {
      ++passed_over.hidden;
    } else if (::lstat(path.c_str(), &status) != 0) {
      walk_.unreadable(path, FileError("look at", path));
    } else if (S_ISLNK(status.st_mode)) {
      ++passed_over.links;
    } else if (S_ISREG(status.st_mode)) {
      constexpr int64_t kSecondNs = 1'000'000'000;
      return walk_.visit({path, static_cast<uint64_t>(status.st_size),
                          status.st_mtim.tv_sec * kSecondNs + status.st_mtim.tv_nsec});
    } else if (!S_ISDIR(status.st_mode)) {
      ++passed_over.special;
    } else if (path != walk_.leave_out) {
      const Result<std::vector<std::string>> names = NamesIn(path);
      if (names.ok()) {
        return Into(path, *names);
      }
      walk_.unreadable(path, names.error());
    }
    return OkStatus();
  }

  const FolderWalk& walk_;
};

}  // namespace

Result<PassedOver> WalkFolder(const FolderWalk& walk) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, NamesIn(walk.folder));
  Walker walker(walk);
  RETURN_IF_ERROR(walker.Into(walk.folder, names));
  return walker.passed_over;
}

}  // namespace tintype::imports
