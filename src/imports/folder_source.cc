#include "imports/folder_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/descriptor.h"
#include "base/files.h"
#include "base/strings.h"
#include "imports/folder_walk.h"

namespace tintype::imports {
namespace {

Result<FoundFile> StateOf(const Descriptor& file, const std::string& path) {
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) {
    return FileError("look at", path);
  }
  if (!S_ISREG(status.st_mode)) {
    return Error::Io(StrCat(path, " is no file any more"));
  }
  constexpr int64_t kSecondNs = 1'000'000'000;
  return FoundFile{path, static_cast<uint64_t>(status.st_size),
                   status.st_mtim.tv_sec * kSecondNs + status.st_mtim.tv_nsec};
}

class OpenFolderFile : public OpenFile {
 public:
  OpenFolderFile(Descriptor descriptor, FoundFile found)
      : descriptor_(std::move(descriptor)), found_(std::move(found)) {}

  const FoundFile& found() const override { return found_; }

  Result<size_t> Read(uint64_t offset, char* buffer, size_t size) const override {
    for (;;) {
      const ssize_t count = ::pread(descriptor_.number(), buffer, size, static_cast<off_t>(offset));
      if (count >= 0) {
        return static_cast<size_t>(count);
      }
      if (errno != EINTR) {
        return FileError("read", found_.path);
      }
    }
  }

  Result<FoundFile> Now() const override { return StateOf(descriptor_, found_.path); }

 private:
  Descriptor descriptor_;
  FoundFile found_;
};

}  // namespace

Result<PassedOver> FolderSource::Walk(const Visit& visit, const Unreadable& unreadable) {
  return WalkFolder({folder_, leave_out_, visit, unreadable});
}

Result<std::unique_ptr<OpenFile>> FolderSource::Open(const std::string& path) {
  Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) {
    return FileError("read", path);
  }
  ASSIGN_OR_RETURN(FoundFile found, StateOf(file, path));
  return std::unique_ptr<OpenFile>(
      std::make_unique<OpenFolderFile>(std::move(file), std::move(found)));
}

}  // namespace tintype::imports
