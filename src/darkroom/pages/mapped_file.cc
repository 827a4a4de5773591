#include "darkroom/pages/mapped_file.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "darkroom/failure.h"

namespace tintype::darkroom::pages {

Result<MappedFile> MappedFile::Map(int descriptor, int64_t bytes_max) {
  // The sandbox refuses fstat.
  const auto size = static_cast<int64_t>(::lseek(descriptor, 0, SEEK_END));
  if (size <= 0) {
    return MakeFailure(FailureKind::kNotAnImage, "The file is empty");
  }
  const auto wanted = static_cast<size_t>(std::min(size, bytes_max));
  void* const start = ::mmap(nullptr, wanted, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (start == MAP_FAILED) {
    return MakeFailure(FailureKind::kTooLarge, "The document is too large to be read");
  }
  return MappedFile({static_cast<const char*>(start), wanted}, size <= bytes_max);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : bytes_(std::exchange(other.bytes_, {})), complete_(other.complete_) {}

MappedFile::~MappedFile() {
  if (!bytes_.empty()) {
    ::munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }
}

}  // namespace tintype::darkroom::pages
