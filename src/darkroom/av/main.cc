// tintype-av: the helper for films and sound. See darkroom/README.md.

#include <malloc.h>
#include <unistd.h>

#include "darkroom/av/answer.h"
#include "darkroom/helper/serve.h"

namespace tintype::darkroom::av {
namespace {

Trade FilmsAndSound() {
  Trade trade;
  trade.start = [](const std::string& /*library*/) -> Status {
    // Each arena would reserve a part of the address space.
    ::mallopt(M_ARENA_MAX, 1);
    StartLibraries();
    return OkStatus();
  };
  trade.answer = AnswerOrder;
  trade.finish_order = [] { ::malloc_trim(0); };
  trade.idle = [] {};
  return trade;
}

}  // namespace
}  // namespace tintype::darkroom::av

int main(int argc, char** argv) {
  // Without the libraries' own farewells, which nobody waits for.
  ::_exit(tintype::darkroom::ServeOrders(argc, argv, tintype::darkroom::av::FilmsAndSound()));
}
