#include "darkroom/vision/answer_file.h"

#include <sys/types.h>
#include <unistd.h>

#include "darkroom/failure.h"

namespace tintype::darkroom::vision {

Status WriteAnswer(int output, std::string_view bytes) {
  const auto failed = [] {
    return MakeFailure(FailureKind::kOutput, "What was found cannot be written");
  };
  if (::ftruncate(output, 0) != 0) {
    return failed();
  }
  off_t written = 0;
  while (!bytes.empty()) {
    const ssize_t put = ::pwrite(output, bytes.data(), bytes.size(), written);
    if (put <= 0) {
      return failed();
    }
    bytes.remove_prefix(static_cast<size_t>(put));
    written += put;
  }
  return OkStatus();
}

}  // namespace tintype::darkroom::vision
