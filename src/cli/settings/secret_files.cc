#include "cli/settings/secret_files.h"

#include <sys/stat.h>

#include <cerrno>

#include "base/files.h"
#include "base/strings.h"

namespace tintype::cli {

Status CheckSecretFile(const std::string& path, SecretReaders readers, std::string_view what) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) {
    return errno == ENOENT ? OkStatus() : Status(FileError("look at", path));
  }
  const bool group_may = readers == SecretReaders::kGroup;
  const mode_t closed = group_may ? S_IRWXO : S_IRWXG | S_IRWXO;
  if (!S_ISREG(file.st_mode) || (file.st_mode & closed) == 0) {
    return OkStatus();
  }
  return Error::Validation(StrCat(what, " is in ", path,
                                  group_may ? ", which every user of this machine may open"
                                            : ", which others than its owner may open",
                                  ". Close it with 'chmod ", group_may ? "o=" : "600", " ", path,
                                  "', and replace the secret if somebody may have read it."));
}

Status CheckSecretFiles(const DataDirectory& directory) {
  const auto check = [](const std::string& path, std::string_view what) {
    return CheckSecretFile(path, SecretReaders::kOwner, what);
  };
  RETURN_IF_ERROR(check(directory.credentials(), "The root key"));
  RETURN_IF_ERROR(check(directory.secret(), "The secret of links and sessions"));
  return check(directory.setup_token(), "The token of the first account");
}

}  // namespace tintype::cli
