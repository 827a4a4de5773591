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

}  // namespace

Error DirectoryInUse(const DataDirectory& directory) {
  return {tables::reasons::kAlreadyOpen,
          StrCat("The data directory ", directory.path,
                 " is in use by another process. Stop that one first, or choose another directory "
                 "with --data-dir.")};
}

Status CheckTablesAreHere(const DataDirectory& directory) {
  const auto url = ReadFile(directory.tables_place());
  if (!url.ok()) {
    return url.error().kind() == ErrorKind::kNotFound ? OkStatus() : Status(url.error());
  }
  return Error::Validation(StrCat("The photos in ", directory.path, " belong to the tables at ",
                                  Trim(*url, "\n"), ": set --tables ", Trim(*url, "\n"),
                                  ", or choose another directory with --data-dir."));
}

Result<Descriptor> HoldForTablesAt(const DataDirectory& directory, const std::string& url) {
  if (Exists(directory.tables())) {
    return Error::Validation(
        StrCat("The data directory ", directory.path, " has tables of its own, and --tables names ",
               url, ". Leave --tables out, or choose another directory with --data-dir."));
  }
  const std::string path = directory.tables_place();
  constexpr mode_t kOwnerOnly = 0600;
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kOwnerOnly));
  if (!file.valid()) {
    return Error::Io(StrCat("Cannot write ", path));
  }
  if (::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
    return DirectoryInUse(directory);
  }
  // In place: a new file would not be the one that is locked. It is for people and for
  // CheckTablesAreHere, which only asks whether it is there.
  const std::string line = url + "\n";
  if (::ftruncate(file.number(), 0) != 0 ||
      ::pwrite(file.number(), line.data(), line.size(), 0) != static_cast<ssize_t>(line.size()) ||
      ::fsync(file.number()) != 0) {
    return Error::Io(StrCat("Cannot write ", path));
  }
  return file;
}

}  // namespace tintype::cli
