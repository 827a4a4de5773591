#include "cli/settings/data_directory.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/clock.h"
#include "base/files.h"
#include "base/strings.h"
#include "base/ulid.h"

namespace tintype::cli {
namespace {

// Version 0 is what there was before encryption; nothing reads it. Version 2 says that files beside
// the tables may be encrypted, which versions of the program from before would take as they lie
// there: the secret, and photos.
constexpr std::string_view kFormat = "tintype 1\n";
constexpr std::string_view kFormatOfSealedFiles = "tintype 2\n";

constexpr size_t kNameBytesMax = 64;

/// Whether this can be the name of a node, or the id of a gallery.
bool IsName(std::string_view text) {
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-';
  };
  return !text.empty() && text.size() <= kNameBytesMax && std::ranges::all_of(text, is_plain);
}

std::string FormatFile(const std::string& path) { return path + "/FORMAT"; }

/// What the directory's format allows.
Result<DataDirectory> ReadFormat(const std::string& path) {
  ASSIGN_OR_RETURN(std::string found, ReadFile(FormatFile(path)));
  if (found == kFormat || found == kFormatOfSealedFiles) {
    return DataDirectory{path, found == kFormatOfSealedFiles};
  }
  found = found.substr(0, found.find('\n')).substr(0, 80);
  return Error::Validation(StrCat("The data directory ", path, " has format '", found,
                                  "', but this version of Tintype reads only '",
                                  kFormat.substr(0, kFormat.size() - 1), "' and '",
                                  kFormatOfSealedFiles.substr(0, kFormatOfSealedFiles.size() - 1),
                                  "'. Use the version that wrote it, or another --data-dir."));
}

/// The first entry that a directory which is still to be set up must not have; empty if none.
Result<std::string> FindForeignEntry(const std::string& path) {
  std::error_code error;
  std::filesystem::directory_iterator entries(path, error);
  for (; !error && entries != std::filesystem::directory_iterator(); entries.increment(error)) {
    const std::string name = entries->path().filename().string();
    // What a crash during set-up leaves behind, and what a freshly made file system contains.
    if (name != "FORMAT.tmp" && name != "lost+found") {
      return name;
    }
  }
  if (error) {
    return Error::Io(StrCat("Cannot list ", path, ": ", error.message()));
  }
  return std::string();
}

Status SetUp(const std::string& path) {
  std::error_code error;
  std::filesystem::path folder = std::filesystem::absolute(path, error).lexically_normal();
  if (!folder.has_filename()) {
    folder = folder.parent_path();  // The path ended in a slash.
  }
  // Only the last step is private: the folders above it are not ours.
  const std::filesystem::path parent = folder.parent_path();
  std::filesystem::create_directories(parent, error);
  if (error) {
    return Error::Io(StrCat("Cannot create ", parent.string(), ": ", error.message()));
  }
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) {
    return FileError("create", path);
  }
  ASSIGN_OR_RETURN(const std::string foreign, FindForeignEntry(path));
  if (!foreign.empty()) {
    return Error::Validation(
        StrCat(path, " is not a data directory of Tintype (it has '", foreign,
               "' but no FORMAT file). Name another --data-dir, or an empty or new one."));
  }
  return WriteFileAtomically(FormatFile(path), kFormat, 0600);
}

}  // namespace

Result<DataDirectory> OpenDataDirectory(const std::string& path) {
  Result<DataDirectory> directory = ReadFormat(path);
  if (!directory.ok() && directory.error().kind() == ErrorKind::kNotFound) {
    return Error::NotFound(StrCat(path,
                                  " is not a data directory of Tintype; 'tintype serve --data-dir ",
                                  path, "' would create it"));
  }
  return directory;
}

Result<DataDirectory> OpenOrCreateDataDirectory(const std::string& path) {
  Result<DataDirectory> directory = ReadFormat(path);
  if (!directory.ok() && directory.error().kind() == ErrorKind::kNotFound) {
    RETURN_IF_ERROR(SetUp(path));
    return DataDirectory{path};
  }
  return directory;
}

Status AllowSealedFiles(const DataDirectory& directory) {
  return directory.sealed_files
             ? OkStatus()
             : WriteFileAtomically(FormatFile(directory.path), kFormatOfSealedFiles, 0600);
}

Result<std::string> NodeOf(const DataDirectory& directory) {
  Result<std::string> found = ReadFile(directory.node());
  if (!found.ok() && found.error().kind() == ErrorKind::kNotFound) {
    ASSIGN_OR_RETURN(const std::string made, UlidGenerator(SystemClock()).Next());
    RETURN_IF_ERROR(WriteFileAtomically(directory.node(), StrCat(made, "\n"), 0600));
    return made;
  }
  ASSIGN_OR_RETURN(std::string name, std::move(found));
  name.erase(name.find_last_not_of(" \r\n") + 1);
  if (!IsName(name)) {
    return Error::Corruption(StrCat(directory.node(), " holds no name of a node: letters, digits ",
                                    "and '-', ", kNameBytesMax,
                                    " at most. Remove it, then start again."));
  }
  return name;
}

Result<std::optional<std::string>> FindGalleryId(const DataDirectory& directory) {
  Result<std::string> found = ReadFile(directory.gallery());
  if (!found.ok() && found.error().kind() == ErrorKind::kNotFound) {
    return std::optional<std::string>();
  }
  ASSIGN_OR_RETURN(std::string id, std::move(found));
  id.erase(id.find_last_not_of(" \r\n") + 1);
  if (!IsName(id)) {
    return Error::Corruption(StrCat(directory.gallery(), " holds no id of a gallery: letters, ",
                                    "digits and '-', ", kNameBytesMax,
                                    " at most. Bring it back from a backup, or remove it if ",
                                    directory.path, " and its tables are those of one gallery."));
  }
  return std::optional(std::move(id));
}

Status RecordGalleryId(const DataDirectory& directory, const std::string& id) {
  return WriteFileAtomically(directory.gallery(), StrCat(id, "\n"), 0600);
}

}  // namespace tintype::cli
