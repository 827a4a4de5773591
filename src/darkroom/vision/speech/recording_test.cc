#include "darkroom/vision/speech/recording.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "darkroom/failure.h"
#include "darkroom/testing/memory_file.h"

namespace tintype::darkroom::vision {
namespace {

// Proves that samples are read where they are asked for, and that half a sample at the end is none.
TEST(RecordingTest, ReadsPieces) {
  const MemoryFile file(std::string_view("\x01\x00\xFF\xFF\x00\x80\x02\x01\x07", 9));
  const auto recording = Recording::Open(file.number());
  ASSERT_TRUE(recording.ok());
  EXPECT_EQ(recording->samples(), 4);
  EXPECT_EQ(recording->Read(0, 4).value(), (std::vector<int16_t>{1, -1, -32'768, 258}));
  EXPECT_EQ(recording->Read(1, 2).value(), (std::vector<int16_t>{-1, -32'768}));
  EXPECT_EQ(recording->Read(3, 480'000).value(), (std::vector<int16_t>{258}));
  EXPECT_TRUE(recording->Read(4, 1).value().empty());
}

// Proves that a file without a sample is refused for good, and that one which became shorter is
// noticed.
TEST(RecordingTest, RefusesNothing) {
  const MemoryFile empty("x");
  EXPECT_EQ(KindOf(Recording::Open(empty.number()).error()), FailureKind::kNotAnImage);
  const MemoryFile file("abcdef");
  const auto recording = Recording::Open(file.number());
  ASSERT_TRUE(recording.ok());
  ASSERT_EQ(::ftruncate(file.number(), 2), 0);
  EXPECT_FALSE(recording->Read(0, 3).ok());
}

// Proves where sound begins: to a fiftieth of a second, and not at what nobody hears.
TEST(RecordingTest, FindsWhereSoundBegins) {
  std::vector<int16_t> samples(10'000, 9);
  EXPECT_EQ(FirstAudible(samples), 10'000);
  for (size_t i = 5'000; i < 6'000; ++i) {
    samples[i] = i % 2 == 0 ? 500 : -500;
  }
  EXPECT_EQ(FirstAudible(samples), 4'800);
  EXPECT_EQ(FirstAudible({}), 0);
}

}  // namespace
}  // namespace tintype::darkroom::vision
