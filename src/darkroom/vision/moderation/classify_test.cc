#include <gtest/gtest.h>

#include <fcntl.h>
#include <webp/encode.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/descriptor.h"
#include "base/strings.h"
#include "darkroom/vision/speech/testing/speech_files.h"

// The classifier itself, in its helper, where the files of `./dev test` are there.

namespace tintype::darkroom {
namespace {

/// A picture in which one colour grows to the right, another to the bottom.
std::string Gradient() {
  constexpr int kSide = 224;
  std::vector<uint8_t> pixels;
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      pixels.push_back(static_cast<uint8_t>(std::lround(255.0 * x / kSide)));
      pixels.push_back(static_cast<uint8_t>(std::lround(255.0 * y / kSide)));
      pixels.push_back(128);
    }
  }
  uint8_t* encoded = nullptr;
  const size_t bytes = WebPEncodeLosslessRGB(pixels.data(), kSide, kSide, kSide * 3, &encoded);
  std::string webp(reinterpret_cast<const char*>(encoded), bytes);
  WebPFree(encoded);
  return webp;
}

// Proves that a picture gets the scores that TensorFlow.js gives it with the model as it was before
// the conversion, and that what is no picture is refused for good.
TEST(ClassifyTest, ScoresAsTheOriginalDoes) {
  const std::string folder = TINTYPE_MODELS_FOLDER;
  for (const char* name : {"/libonnxruntime.so.1", "/moderation.onnx"}) {
    if (!std::filesystem::exists(folder + name)) {
      GTEST_SKIP() << folder << name << " is not there; ./dev test brings it";
    }
  }
  Darkroom vision(SpeechConfig(TINTYPE_VISION_HELPER, folder));
  const Descriptor model(::open((folder + "/moderation.onnx").c_str(), O_RDONLY | O_CLOEXEC));
  const auto classify = [&](std::string_view picture) {
    const MemoryFile input(picture);
    ClassifyRequest request;
    request.input = input.number();
    request.model = model.number();
    request.models = "moderation";
    return vision.Classify("ada", request);
  };
  const auto classified = classify(Gradient());
  ASSERT_TRUE(classified.ok()) << classified.error().message() << classified.error().note();
  const double expected[] = {0.8998, 0.0185, 0.0775, 0.0033, 0.0009};
  ASSERT_EQ(classified->scores.size(), std::size(expected));
  for (size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_NEAR(classified->scores[i], expected[i], 0.02) << i;
  }
  const auto refused = classify("no picture");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(KindOf(refused.error()), FailureKind::kNotAnImage);
}

}  // namespace
}  // namespace tintype::darkroom
