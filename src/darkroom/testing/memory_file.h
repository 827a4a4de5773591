#pragma once

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>
#include <string_view>

#include "base/check.h"
#include "base/descriptor.h"

namespace tintype::darkroom {

/// A regular file that is nowhere on disk. For tests.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view content = "")
      : descriptor_(::memfd_create("darkroom-test", MFD_CLOEXEC)) {
    CHECK(descriptor_.valid());
    CHECK(::write(number(), content.data(), content.size()) ==
          static_cast<ssize_t>(content.size()));
  }

  int number() const { return descriptor_.number(); }

  std::string Content() const {
    struct stat status = {};
    CHECK(::fstat(number(), &status) == 0);
    std::string content(static_cast<size_t>(status.st_size), '\0');
    CHECK(::pread(number(), content.data(), content.size(), 0) == status.st_size);
    return content;
  }

 private:
  Descriptor descriptor_;
};

}  // namespace tintype::darkroom
