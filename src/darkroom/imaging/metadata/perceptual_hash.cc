#include "darkroom/imaging/metadata/perceptual_hash.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "base/check.h"

namespace tintype::darkroom {
namespace {

constexpr size_t kSide = kHashedSide;
constexpr size_t kBits = 64;
// The diagonals up to the tenth have 65 frequencies beside the mean.
constexpr size_t kFrequencies = 11;
// In levels of grey. Anything weaker is the noise of an encoder, and taken for nothing, so that it
// does not turn bits.
constexpr double kNoise = 0.4;
// Below this, even the strongest of them is no shape.
constexpr double kFaint = 1.5;

using Spectrum = std::array<std::array<double, kFrequencies>, kFrequencies>;

/// How strong each low frequency is, in levels of grey; by rows first, then by columns.
Spectrum LowFrequencies(std::span<const uint8_t> pixels) {
  std::array<std::array<double, kSide>, kFrequencies> cosine;
  for (size_t u = 0; u < kFrequencies; ++u) {
    for (size_t i = 0; i < kSide; ++i) {
      cosine[u][i] = std::cos(std::numbers::pi * static_cast<double>(u) *
                              (static_cast<double>(i) + 0.5) / kSide) *
                     (u == 0 ? 1.0 : 2.0) / kSide;
    }
  }
  std::array<std::array<double, kSide>, kFrequencies> rows = {};
  for (size_t u = 0; u < kFrequencies; ++u) {
    for (size_t y = 0; y < kSide; ++y) {
      for (size_t x = 0; x < kSide; ++x) {
        rows[u][y] += pixels[y * kSide + x] * cosine[u][x];
      }
    }
  }
  Spectrum spectrum = {};
  for (size_t u = 0; u < kFrequencies; ++u) {
    for (size_t v = 0; v < kFrequencies; ++v) {
      for (size_t y = 0; y < kSide; ++y) {
        spectrum[u][v] += rows[u][y] * cosine[v][y];
      }
    }
  }
  return spectrum;
}

/// The lowest ones beside the mean, diagonal by diagonal.
std::array<double, kBits> Lowest(const Spectrum& spectrum) {
  std::array<double, kBits> lowest = {};
  size_t count = 0;
  for (size_t diagonal = 1; diagonal < kFrequencies; ++diagonal) {
    for (size_t u = 0; u <= diagonal && count < kBits; ++u) {
      lowest[count++] = spectrum[u][diagonal - u];
    }
  }
  return lowest;
}

}  // namespace

std::optional<uint64_t> PerceptualHash(std::span<const uint8_t> pixels) {
  CHECK(pixels.size() == kSide * kSide);
  std::array<double, kBits> strengths = Lowest(LowFrequencies(pixels));
  if (std::ranges::all_of(strengths, [](double s) { return std::abs(s) < kFaint; })) {
    return std::nullopt;
  }
  for (double& strength : strengths) {
    strength = std::abs(strength) < kNoise ? 0 : strength;
  }
  std::array<double, kBits> sorted = strengths;
  std::ranges::nth_element(sorted, sorted.begin() + kBits / 2);
  const double median = sorted[kBits / 2];
  uint64_t hash = 0;
  for (const double strength : strengths) {
    hash = hash << 1 | (strength > median ? 1 : 0);
  }
  return hash;
}

}  // namespace tintype::darkroom
