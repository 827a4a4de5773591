#include "darkroom/internal/item_limits.h"

#include <sys/stat.h>

#include <cstdint>
#include <variant>

#include "darkroom/protocol/media_messages.h"

namespace tintype::darkroom {
namespace {

// A twentieth of that is usual. Where every window is read several times, it may be nearly all.
constexpr int64_t kCpuSecondsPerSecond = 4;
// Because the machine may be busy.
constexpr int64_t kWallPerCpu = 3;

int64_t SecondsOfSpeech(int file) {
  struct stat status = {};
  return ::fstat(file, &status) == 0 ? status.st_size / (kSamplesPerSecond * kBytesPerSample) : 0;
}

}  // namespace

ItemTime TimeFor(const Limits& usual, const Request& request) {
  const ItemTime time = {usual.cpu_seconds, usual.wall_ms};
  if (const auto* speech = std::get_if<TranscribeRequest>(&request)) {
    const int64_t cpu_seconds = kCpuSecondsPerSecond * SecondsOfSpeech(speech->input);
    return {time.cpu_seconds + cpu_seconds, time.wall_ms + kWallPerCpu * cpu_seconds * 1000};
  }
  return TimeOf(request).value_or(time);
}

}  // namespace tintype::darkroom
