#include "cli/settings/tables_place.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/strings.h"
#include "tables/language/errors.h"

namespace tintype::cli {
namespace {

bool Exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

constexpr mode_t kOwnerOnly = 0600;

/// In place: a new file would not be the one that is locked. It is for people and for
/// CheckTablesAreHere, which only asks whether it is there.
Status Overwrite(const Descriptor& file, const std::string& path, const std::string& url) {
  const std::string line = url + "\n";
  if (::ftruncate(file.number(), 0) != 0 ||
      ::pwrite(file.number(), line.data(), line.size(), 0) != static_cast<ssize_t>(line.size()) ||
      ::fsync(file.number()) != 0) {
    return Error::Io(StrCat("Cannot write ", path));
  }
  return OkStatus();
}

}  // namespace

Error DirectoryInUse(const DataDirectory& directory) {
  return {tables::reasons::kAlreadyOpen,
          StrCat("The data directory ", directory.path,
                 " is in use by another process. Stop that one first, or choose another directory "
                 "with --data-dir.")};
}

Result<std::string> FindTablesAddress(const DataDirectory& directory) {
  const auto url = ReadFile(directory.tables_place());
  if (!url.ok()) {
    return url.error().kind() == ErrorKind::kNotFound ? Result<std::string>(std::string())
                                                      : Result<std::string>(url.error());
  }
  return std::string(Trim(*url, "\n"));
}

Status CheckTablesAreHere(const DataDirectory& directory) {
  if (!Exists(directory.tables_place())) {
    return OkStatus();
  }
  ASSIGN_OR_RETURN(const std::string url, FindTablesAddress(directory));
  return Error::Validation(StrCat("The photos in ", directory.path, " belong to the tables at ",
                                  url, ": set --tables ", url,
                                  ", or choose another directory with --data-dir."));
}

Result<Descriptor> HoldForTablesAt(const DataDirectory& directory, const std::string& url) {
  if (Exists(directory.tables())) {
    return Error::Validation(
        StrCat("The data directory ", directory.path, " has tables of its own, and --tables names ",
               url, ". Leave --tables out, or choose another directory with --data-dir."));
  }
  const std::string path = directory.tables_place();
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly));
  if (!file.valid()) {
    return Error::Io(StrCat("Cannot write ", path));
  }
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    return DirectoryInUse(directory);
  }
  ASSIGN_OR_RETURN(const std::string noted, FindTablesAddress(directory));
  if (noted.empty()) {
    RETURN_IF_ERROR(Overwrite(file, path, url));
  }
  return file;
}

Status NoteTablesAt(const DataDirectory& directory, const std::string& url) {
  ASSIGN_OR_RETURN(const std::string noted, FindTablesAddress(directory));
  if (noted == url) {
    return OkStatus();
  }
  const std::string path = directory.tables_place();
  const Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly));
  if (!file.valid()) {
    return Error::Io(StrCat("Cannot write ", path));
  }
  return Overwrite(file, path, url);
}

}  // namespace tintype::cli
