// tintype-darkroom: the helper that decodes and makes pictures. See darkroom/README.md.

#include <malloc.h>
#include <unistd.h>

#include <cstddef>

#include "darkroom/helper/serve.h"
#include "darkroom/imaging/answer.h"

namespace tintype::darkroom {
namespace {

// Bytes that stay with the process while orders come one after the other: memory that was given
// back has to be cleared by the kernel when it is needed again, for every photo, a tenth of the
// time of some. When it is idle, all of it goes.
constexpr size_t kMemoryKept = size_t{32} << 20;

void SetUpMemory() {
  // One arena is enough for the two threads that libvips has for an image, and each would reserve a
  // part of the address space.
  ::mallopt(M_ARENA_MAX, 1);
  // Large blocks come out of the same memory as small ones, which is kept for the next order.
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, static_cast<int>(2 * kMemoryKept));
}

Trade Imaging() {
  Trade imaging;
  imaging.start = [](const std::string& /*library*/) -> Status {
    SetUpMemory();
    if (!StartLibraries()) {
      return Error(ErrorKind::kUnavailable, "libvips does not start");
    }
    return OkStatus();
  };
  imaging.answer = AnswerOrder;
  imaging.finish_order = [] { ::malloc_trim(kMemoryKept); };
  imaging.idle = [] { ::malloc_trim(0); };
  return imaging;
}

}  // namespace
}  // namespace tintype::darkroom

int main(int argc, char** argv) {
  // Without the libraries' own farewells, which nobody waits for.
  ::_exit(tintype::darkroom::ServeOrders(argc, argv, tintype::darkroom::Imaging()));
}
