#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <random>
#include <vector>

#include "darkroom/vision/speech/log_mel.h"
#include "darkroom/vision/speech/steady_sound.h"

// What models are given of sound, and when they are not asked.

namespace tintype::darkroom::vision {
namespace {

std::vector<int16_t> Tones() {
  std::vector<int16_t> samples;
  for (int i = 0; i < 16'000; ++i) {
    const double turn = 2 * std::numbers::pi * i / 16'000;
    samples.push_back(static_cast<int16_t>(
        std::lround(8'000 * std::sin(440 * turn) + 3'000 * std::sin(1'700 * turn))));
  }
  return samples;
}

// Proves that sound becomes what Whisper was trained on: values of two tones that numpy gives, by a
// Fourier transform and filters of its own.
TEST(LogMelTest, IsThatOfWhisper) {
  const std::vector<float> mels = LogMel().Of(Tones());
  ASSERT_EQ(mels.size(), kMelBands * kWindowFrames);
  const struct {
    size_t band;
    size_t frame;
    float expected;
  } cases[] = {
      {0, 50, -0.71746F},  {11, 50, 1.28254F},  {12, 50, 1.13786F},    {30, 50, -0.71746F},
      {43, 50, -0.25974F}, {44, 50, -0.46942F}, {79, 50, -0.71746F},   {11, 0, 0.95352F},
      {43, 99, -0.00325F}, {11, 101, 0.20047F}, {20, 2999, -0.71746F},
  };
  for (const auto& test : cases) {
    EXPECT_NEAR(mels[test.band * kWindowFrames + test.frame], test.expected, 2e-3)
        << test.band << " " << test.frame;
  }
}

// Proves that silence is the same everywhere, and that a whole window of sound fits.
TEST(LogMelTest, TakesNothingAndAll) {
  for (const float mel : LogMel().Of({})) {
    ASSERT_EQ(mel, -1.5F);
  }
  const std::vector<int16_t> loud(kWindowSamples, 32'767);
  for (const float mel : LogMel().Of(loud)) {
    ASSERT_TRUE(std::isfinite(mel));
  }
}

// Proves that noise and tones are told from what comes and goes, as syllables do, and that nothing
// is said of what is too short to tell.
TEST(SteadySoundTest, TellsNoiseFromSyllables) {
  std::mt19937 random(3);
  std::vector<int16_t> noise;
  std::vector<int16_t> syllables;
  for (int i = 0; i < 32'000; ++i) {
    noise.push_back(static_cast<int16_t>(static_cast<int>(random() % 6'001) - 3'000));
    const bool sounds = i / 3'200 % 2 == 0;
    syllables.push_back(static_cast<int16_t>(sounds ? noise.back() : noise.back() / 10));
  }
  const LogMel log_mel;
  const std::vector<float> of_noise = log_mel.Of(noise);
  EXPECT_TRUE(IsSteady(of_noise, 0, 195));
  EXPECT_FALSE(IsSteady(of_noise, 0, 99));
  EXPECT_FALSE(IsSteady(of_noise, 0, 300)) << "silence follows";
  EXPECT_FALSE(IsSteady(log_mel.Of(syllables), 0, 195));
  EXPECT_TRUE(IsSteady(log_mel.Of({}), 0, kWindowFrames));
}

}  // namespace
}  // namespace tintype::darkroom::vision
