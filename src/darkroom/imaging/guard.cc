#include "darkroom/imaging/guard.h"

#include <string_view>

#include "base/strings.h"
#include "darkroom/failure.h"
#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom {
namespace {

Error Damaged(std::string_view text) {
  // Libraries often say the same thing twice; the first line is enough for a person.
  const std::string reason = CleanText(text.substr(0, text.find('\n')), 200);
  return MakeFailure(FailureKind::kCorrupt,
                     StrCat("The image is damaged and cannot be decoded",
                            reason.empty() ? "" : StrCat(" (", reason, ")")));
}

}  // namespace

Error OutOfMemory() {
  return MakeFailure(FailureKind::kOutOfMemory, "The image needs more memory than is allowed");
}

Error FromVips(const vips::VError& error) {
  const std::string_view text = error.what();
  const bool memory = text.find("out of memory") != std::string_view::npos ||
                      text.find("unable to mmap") != std::string_view::npos;
  Error result = memory ? OutOfMemory() : Damaged(text);
  vips_error_clear();
  return result;
}

Error FromException(const std::exception& error) { return Damaged(error.what()); }

}  // namespace tintype::darkroom
