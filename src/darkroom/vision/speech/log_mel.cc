#include "darkroom/vision/speech/log_mel.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/check.h"

namespace tintype::darkroom::vision {
namespace {

constexpr size_t kFrameStep = 160;
constexpr size_t kMargin = LogMel::kFrameSamples / 2;
constexpr double kHertzPerFrequency = 40;
constexpr double kHertzMax = 8'000;
// What is less strong counts as silence: in all, and beside the strongest of the window.
constexpr float kPowerMin = 1e-10F;
constexpr float kBelowStrongest = 8;

// Slaney's scale: straight up to 1000 Hz, by the logarithm from there.
constexpr double kStraightHertz = 1'000;
constexpr double kStraightMels = 15;
const double kMelsPerLog = 27 / std::log(6.4);

double MelsOf(double hertz) {
  return hertz < kStraightHertz ? hertz * kStraightMels / kStraightHertz
                                : kStraightMels + std::log(hertz / kStraightHertz) * kMelsPerLog;
}

double HertzOf(double mels) {
  return mels < kStraightMels ? mels * kStraightHertz / kStraightMels
                              : kStraightHertz * std::exp((mels - kStraightMels) / kMelsPerLog);
}

// The transform of 400 samples is one of 16 for each of 25 columns, and one of 25 over those.
constexpr size_t kRows = 16;
constexpr size_t kColumns = 25;

}  // namespace

LogMel::LogMel() : cosines_(), sines_(), window_() {
  for (size_t i = 0; i < kFrameSamples; ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / kFrameSamples;
    cosines_[i] = static_cast<float>(std::cos(angle));
    sines_[i] = static_cast<float>(std::sin(angle));
    window_[i] = static_cast<float>((1 - std::cos(angle)) / 2);
  }
  const double step = MelsOf(kHertzMax) / (kMelBands + 1);
  for (size_t i = 0; i < kMelBands; ++i) {
    const double low = HertzOf(static_cast<double>(i) * step);
    const double center = HertzOf(static_cast<double>(i + 1) * step);
    const double high = HertzOf(static_cast<double>(i + 2) * step);
    Band band;
    for (size_t k = 0; k < kFrequencies; ++k) {
      const double hertz = static_cast<double>(k) * kHertzPerFrequency;
      const double share =
          std::min((hertz - low) / (center - low), (high - hertz) / (high - center));
      if (share > 0) {
        band.first = band.weights.empty() ? k : band.first;
        // Each band weighs as much as the others, however wide it is.
        band.weights.push_back(static_cast<float>(share * 2 / (high - low)));
      }
    }
    bands_.push_back(std::move(band));
  }
}

LogMel::Powers LogMel::PowersOf(const Frame& frame) const {
  std::array<std::array<float, kRows>, kColumns> real;
  std::array<std::array<float, kRows>, kColumns> imaginary;
  for (size_t column = 0; column < kColumns; ++column) {
    // The input is real, so the second half mirrors the first.
    for (size_t k = 0; k <= kRows / 2; ++k) {
      float a = 0;
      float b = 0;
      for (size_t row = 0; row < kRows; ++row) {
        const size_t turn = row * k % kRows * kColumns;
        const float value = frame[row * kColumns + column];
        a += value * cosines_[turn];
        b -= value * sines_[turn];
      }
      real[column][k] = a;
      imaginary[column][k] = b;
      real[column][(kRows - k) % kRows] = a;
      imaginary[column][(kRows - k) % kRows] = k % (kRows / 2) == 0 ? b : -b;
    }
  }
  Powers powers;
  for (size_t k = 0; k < kFrequencies; ++k) {
    float a = 0;
    float b = 0;
    size_t turn = 0;
    for (size_t column = 0; column < kColumns; ++column) {
      const float re = real[column][k % kRows];
      const float im = imaginary[column][k % kRows];
      a += re * cosines_[turn] + im * sines_[turn];
      b += im * cosines_[turn] - re * sines_[turn];
      turn += k;
      turn -= turn >= kFrameSamples ? kFrameSamples : 0;
    }
    powers[k] = a * a + b * b;
  }
  return powers;
}

std::vector<float> LogMel::Of(std::span<const int16_t> samples) const {
  CHECK(samples.size() <= kWindowSamples);
  // Mirrored at both ends, so that the first and the last frame have their middle there.
  std::vector<float> padded(kWindowSamples + 2 * kMargin);
  std::ranges::transform(samples, padded.begin() + kMargin,
                         [](int16_t sample) { return static_cast<float>(sample) / 32768; });
  for (size_t i = 1; i <= kMargin; ++i) {
    padded[kMargin - i] = padded[kMargin + i];
    padded[kMargin + kWindowSamples - 1 + i] = padded[kMargin + kWindowSamples - 1 - i];
  }
  std::vector<float> mels(kMelBands * kWindowFrames, std::log10(kPowerMin));
  float strongest = std::log10(kPowerMin);
  for (size_t t = 0; t < kWindowFrames; ++t) {
    const float* const begin = &padded[t * kFrameStep];
    if (std::all_of(begin, begin + kFrameSamples, [](float value) { return value == 0; })) {
      continue;
    }
    Frame frame;
    for (size_t i = 0; i < kFrameSamples; ++i) {
      frame[i] = begin[i] * window_[i];
    }
    const Powers powers = PowersOf(frame);
    for (size_t m = 0; m < kMelBands; ++m) {
      float sum = 0;
      const Band& band = bands_[m];
      for (size_t k = 0; k < band.weights.size(); ++k) {
        sum += powers[band.first + k] * band.weights[k];
      }
      float& mel = mels[m * kWindowFrames + t];
      mel = std::log10(std::max(sum, kPowerMin));
      strongest = std::max(strongest, mel);
    }
  }
  for (float& mel : mels) {
    mel = (std::max(mel, strongest - kBelowStrongest) + 4) / 4;
  }
  return mels;
}

}  // namespace tintype::darkroom::vision
