// tintype-pages: the helper that reads documents. See darkroom/README.md. Linked with poppler, so
// its binary is distributed under the GPL, version 3, with this source; the server is not.

#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string>

#include "darkroom/helper/serve.h"
#include "darkroom/pages/answer.h"
#include "darkroom/pages/pdf.h"
#include "darkroom/pages/text_drawing.h"
#include "darkroom/protocol/channel.h"
#include "darkroom/protocol/messages.h"
#include "darkroom/protocol/template.h"

namespace tintype::darkroom::pages {
namespace {

// Bytes that stay with the process while orders come one after the other.
constexpr size_t kMemoryKept = size_t{32} << 20;

// What is answered when poppler gives up; encoded beforehand, since there may be no memory then.
// Empty while there is no order.
std::string& LastWords() {
  static std::string& words = *new std::string;  // NOLINT: abort may be called at the very end.
  return words;
}

Trade Pages(std::optional<TextDrawing>& drawing) {
  Trade pages;
  pages.start = [&](const std::string& /*library*/) -> Status {
    ::mallopt(M_ARENA_MAX, 1);
    StartPoppler();
    drawing.emplace();
    return OkStatus();
  };
  pages.answer = [&](std::string_view bytes, std::span<const int> descriptors) {
    LastWords() = EncodeReply(
        Failure{FailureKind::kOutOfMemory, "The document needs more memory than is allowed"});
    Reply reply = AnswerOrder(bytes, descriptors, *drawing);
    LastWords().clear();
    return reply;
  };
  pages.finish_order = [] { ::malloc_trim(kMemoryKept); };
  pages.idle = [] { ::malloc_trim(0); };
  return pages;
}

}  // namespace
}  // namespace tintype::darkroom::pages

// Poppler calls this when it gets no memory, or would ask for more than there can be. That is no
// crash of which anybody could learn something, so the server is told what happened; it ends every
// helper that was short of memory. The C library's own reasons to end a process do not come by
// here.
// NOLINTNEXTLINE(readability-identifier-naming)
void abort() noexcept {
  namespace darkroom = tintype::darkroom;
  if (const std::string& words = darkroom::pages::LastWords(); !words.empty()) {
    darkroom::SendMessage(darkroom::kHelperChannel, words).PermitUncheckedError();
    ::_exit(EXIT_FAILURE);
  }
  std::signal(SIGABRT, SIG_DFL);
  std::raise(SIGABRT);
  ::_exit(EXIT_FAILURE);
}

int main(int argc, char** argv) {
  std::optional<tintype::darkroom::pages::TextDrawing> drawing;
  // Without the libraries' own farewells, which nobody waits for.
  ::_exit(tintype::darkroom::ServeOrders(argc, argv, tintype::darkroom::pages::Pages(drawing)));
}
