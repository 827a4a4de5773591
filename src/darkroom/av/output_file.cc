#include "darkroom/av/output_file.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/strings.h"
#include "darkroom/failure.h"

namespace tintype::darkroom::av {
namespace {

Error NotWritten() {
  return MakeFailure(FailureKind::kOutput,
                     StrCat("What is made of the file cannot be written: ", std::strerror(errno)));
}

}  // namespace

Status WriteAt(int output, int64_t offset, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        ::pwrite(output, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (written < 0 && errno == EINTR) {
      continue;
    }
    if (written <= 0) {
      return NotWritten();
    }
    bytes.remove_prefix(static_cast<size_t>(written));
    offset += written;
  }
  return OkStatus();
}

Status Truncate(int output) {
  return ::ftruncate(output, 0) == 0 ? OkStatus() : Status(NotWritten());
}

}  // namespace tintype::darkroom::av
