#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/strings.h"
#include "darkroom/vision/speech/testing/speech_files.h"

// Whisper itself, in its helper, where the files of `./dev test` are there.

namespace tintype::darkroom {
namespace {

const std::string kModels = TINTYPE_MODELS_FOLDER;
const std::string kRecordings = TINTYPE_RECORDINGS_FOLDER;

/// Letters and blanks, in small.
std::string Plain(std::string_view text) {
  std::string plain;
  for (const char c : text) {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!plain.empty() && plain.back() != ' ') {
      plain += ' ';
    }
  }
  return plain.substr(0, plain.find_last_not_of(' ') + 1);
}

Recorded Silence(double seconds) {
  return Recorded(static_cast<size_t>(seconds * kSamplesPerSecond) * kBytesPerSample, '\0');
}

Recorded Noise(double seconds) {
  std::mt19937 random(7);
  Recorded noise = Silence(seconds);
  for (size_t i = 0; i < noise.size(); i += 2) {
    const auto sample = static_cast<int16_t>(static_cast<int>(random() % 6'000) - 3'000);
    std::memcpy(&noise[i], &sample, sizeof(sample));
  }
  return noise;
}

class TranscribeTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    for (const std::string& needed :
         {StrCat(kModels, "/libonnxruntime.so.1"), StrCat(kModels, "/speech-vocabulary.json"),
          StrCat(kModels, "/speech-", GetParam(), "-encoder.onnx"),
          StrCat(kModels, "/speech-", GetParam(), "-decoder.onnx"),
          kRecordings + "/goforward.raw"}) {
      if (!std::filesystem::exists(needed)) {
        GTEST_SKIP() << needed << " is not there; ./dev test brings it";
      }
    }
  }

  Result<Transcript> Transcribe(const Recorded& recorded, std::string_view language = "") {
    return TranscribeWith(vision_, kModels, GetParam(), language, recorded);
  }

  Darkroom vision_{SpeechConfig(TINTYPE_VISION_HELPER, kModels)};
};

// Proves that speech is written down, in its language, with words in their places.
TEST_P(TranscribeTest, WritesWhatIsSaid) {
  const auto transcript = Transcribe(ReadRecording(kRecordings + "/something.raw"));
  ASSERT_TRUE(transcript.ok()) << transcript.error().message() << transcript.error().note();
  EXPECT_EQ(transcript->language, "en");
  EXPECT_GT(transcript->language_confidence, 0.5);
  ASSERT_EQ(transcript->segments.size(), 1U);
  const SpeechSegment& segment = transcript->segments[0];
  EXPECT_EQ(Plain(segment.text), "go somewhere and do something");
  EXPECT_GT(segment.confidence, 0.5);
  ASSERT_EQ(segment.words.size(), 5U);
  EXPECT_EQ(segment.words[1].text, "somewhere");
  // It begins 0.4 s after the recording does, and takes less than two.
  EXPECT_NEAR(static_cast<double>(segment.begin_ms), 400, 300);
  EXPECT_LT(segment.end_ms, 2'600);
  EXPECT_EQ(transcript->duration_ms, 2'998);
}

// Proves that neither silence nor noise says anything.
TEST_P(TranscribeTest, WritesNothingOfNoise) {
  for (const Recorded& recorded : {Silence(40), Noise(40), Recorded("ab")}) {
    const auto transcript = Transcribe(recorded);
    ASSERT_TRUE(transcript.ok()) << transcript.error().message() << transcript.error().note();
    EXPECT_TRUE(transcript->segments.empty()) << transcript->segments[0].text;
    EXPECT_EQ(transcript->language, "");
  }
}

// Proves that what is said late in a longer recording has its place there, beyond the first window
// and after another, and that the same recording gives the same again.
TEST_P(TranscribeTest, GoesOnBeyondAWindow) {
  const Recorded forward = ReadRecording(kRecordings + "/goforward.raw");
  const Recorded recorded = StrCat(Silence(10), forward, Silence(35), forward, Silence(3));
  const auto transcript = Transcribe(recorded, "en");
  ASSERT_TRUE(transcript.ok()) << transcript.error().message() << transcript.error().note();
  EXPECT_EQ(transcript->language_confidence, 1);
  ASSERT_EQ(transcript->segments.size(), 2U);
  EXPECT_TRUE(Plain(transcript->segments[1].text).starts_with("go forward"));
  EXPECT_NEAR(static_cast<double>(transcript->segments[0].begin_ms), 10'450, 400);
  EXPECT_NEAR(static_cast<double>(transcript->segments[1].begin_ms), 48'240, 400);
  const auto again = Transcribe(recorded, "en");
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->segments[1].text, transcript->segments[1].text);
  EXPECT_EQ(again->segments[1].confidence, transcript->segments[1].confidence);
}

// Proves that a language which the model does not know is refused for good, and that the helper
// goes on.
TEST_P(TranscribeTest, RefusesUnknownLanguages) {
  const auto refused = Transcribe(Silence(1), "qq");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(KindOf(refused.error()), FailureKind::kInvalidRequest);
  EXPECT_EQ(vision_.process_ids().size(), 1U);
}

INSTANTIATE_TEST_SUITE_P(Sizes, TranscribeTest, ::testing::Values("tiny", "base"));

}  // namespace
}  // namespace tintype::darkroom
