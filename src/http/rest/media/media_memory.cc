#include "http/rest/media/media_memory.h"

#include <utility>

namespace tintype::http::rest {

MediaMemory::MediaMemory(uint64_t bytes_max)
    : bytes_max_(bytes_max), used_(std::make_shared<std::atomic<uint64_t>>(0)) {}

MediaMemory::Part MediaMemory::Take(uint64_t bytes) {
  uint64_t used = used_->load();
  do {
    if (bytes > bytes_max_ || used > bytes_max_ - bytes) {
      return nullptr;
    }
  } while (!used_->compare_exchange_weak(used, used + bytes));
  return {used_.get(), [counter = used_, bytes](const void*) { *counter -= bytes; }};
}

std::shared_ptr<const Descriptor> MediaMemory::Hold(std::shared_ptr<const Descriptor> file,
                                                    Part part) {
  struct Held {
    Part part;
    std::shared_ptr<const Descriptor> file;
  };
  const auto held = std::make_shared<const Held>(Held{std::move(part), std::move(file)});
  return {held, held->file.get()};
}

}  // namespace tintype::http::rest
