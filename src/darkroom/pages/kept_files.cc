#include "darkroom/pages/kept_files.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <ft2build.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <system_error>

#include "base/descriptor.h"
#include FT_FREETYPE_H

namespace tintype::darkroom::pages {

namespace {

int64_t KeptBytesMax() {
  rlimit limit = {};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur / 4 > rlim_t{kKeptBytesMax}) {
    return kKeptBytesMax;
  }
  return static_cast<int64_t>(limit.rlim_cur / 4);
}

}  // namespace

KeptFiles& KeptFiles::Instance() {
  // Never destroyed: libraries may ask until the process ends.
  static KeptFiles& files = *new KeptFiles;  // NOLINT
  return files;
}

bool KeptFiles::Keep(const std::string& path) {
  if (files_.contains(path)) {
    return true;
  }
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status = {};
  if (!file.valid() || ::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size == 0 || status.st_size > KeptBytesMax() - bytes_ ||
      files_.size() >= kKeptFilesMax) {
    return false;
  }
  const auto size = static_cast<size_t>(status.st_size);
  void* const start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
  if (start == MAP_FAILED) {
    return false;
  }
  files_.emplace(path, std::string_view(static_cast<const char*>(start), size));
  bytes_ += status.st_size;
  return true;
}

void KeptFiles::KeepFolder(const std::string& path) {
  std::error_code ignored;
  for (auto entry = std::filesystem::recursive_directory_iterator(path, ignored);
       entry != std::filesystem::recursive_directory_iterator(); entry.increment(ignored)) {
    if (entry->is_regular_file(ignored)) {
      Keep(entry->path().string());
    }
  }
}

std::string_view KeptFiles::Find(std::string_view path) const {
  const auto found = files_.find(path);
  return found == files_.end() ? std::string_view() : found->second;
}

}  // namespace tintype::darkroom::pages

// The two functions by which poppler opens files that are not the document. Libraries find these
// before those of the C library and of FreeType, because the program exports them.

using tintype::darkroom::pages::KeptFiles;

// NOLINTNEXTLINE(readability-identifier-naming)
FILE* fopen(const char* path, const char* mode) {
  const KeptFiles& files = KeptFiles::Instance();
  const std::string_view bytes = files.Find(path);
  const bool is_read_alone =
      mode[0] == 'r' && std::string_view(mode).find('+') == std::string::npos;
  if (!bytes.empty() && is_read_alone) {
    // Opened to be read, so nothing is written there; it could not be either.
    return ::fmemopen(const_cast<char*>(bytes.data()), bytes.size(), "r");
  }
  if (files.sealed()) {
    errno = EACCES;
    return nullptr;
  }
  using Open = FILE* (*)(const char*, const char*);
  static const auto original = reinterpret_cast<Open>(::dlsym(RTLD_NEXT, "fopen"));
  return original(path, mode);
}

// NOLINTNEXTLINE(readability-identifier-naming)
FT_Error FT_New_Face(FT_Library library, const char* path, FT_Long index, FT_Face* face) {
  const std::string_view bytes = KeptFiles::Instance().Find(path);
  if (!bytes.empty() && bytes.size() <= std::numeric_limits<FT_Long>::max()) {
    return FT_New_Memory_Face(library, reinterpret_cast<const FT_Byte*>(bytes.data()),
                              static_cast<FT_Long>(bytes.size()), index, face);
  }
  if (KeptFiles::Instance().sealed()) {
    return FT_Err_Cannot_Open_Resource;
  }
  // As FreeType's own does it.
  FT_Open_Args open = {};
  open.flags = FT_OPEN_PATHNAME;
  open.pathname = const_cast<char*>(path);
  return FT_Open_Face(library, &open, index, face);
}
