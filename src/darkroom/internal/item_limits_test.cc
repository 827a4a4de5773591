#include "darkroom/internal/item_limits.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "darkroom/testing/memory_file.h"

namespace tintype::darkroom {
namespace {

// Proves that an hour of speech may take hours, that a moment has the time of any item, and that
// other items do not get more for being large.
TEST(ItemLimitsTest, SpeechTakesAsLongAsItIs) {
  Limits usual;
  usual.cpu_seconds = 60;
  usual.wall_ms = 120'000;
  const auto limits_of = [&](auto request, off_t bytes) {
    const MemoryFile input;
    EXPECT_EQ(::ftruncate(input.number(), bytes), 0);
    request.input = input.number();
    return TimeFor(usual, request);
  };
  const off_t hour = 3'600 * kSamplesPerSecond * kBytesPerSample;
  const ItemTime for_hour = limits_of(TranscribeRequest{}, hour);
  EXPECT_EQ(for_hour.cpu_seconds, 60 + 4 * 3'600);
  EXPECT_EQ(for_hour.wall_ms, 120'000 + 12 * 3'600'000);
  EXPECT_EQ(limits_of(TranscribeRequest{}, 100).cpu_seconds, 60);
  EXPECT_EQ(limits_of(FindTextRequest{}, hour).wall_ms, 120'000);
  EXPECT_GT(limits_of(ProxyRequest{.duration_ms = 3'600'000}, 1).cpu_seconds, 3'600);
}

}  // namespace
}  // namespace tintype::darkroom
