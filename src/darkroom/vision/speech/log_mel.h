#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tintype::darkroom::vision {

/// What Whisper hears at a time: 30 seconds, in frames of 10 milliseconds.
inline constexpr size_t kWindowSamples = 480'000;
inline constexpr size_t kWindowFrames = 3'000;
inline constexpr size_t kMelBands = 80;

/// Makes of sound what Whisper was trained on: how strong each band of frequencies is in each
/// frame, by its logarithm. Immutable; thread-safe.
class LogMel {
 public:
  LogMel();

  /// Band by band, from the lowest, kWindowFrames each; silence follows the samples. REQUIRES: at
  /// most kWindowSamples.
  std::vector<float> Of(std::span<const int16_t> samples) const;

  static constexpr size_t kFrameSamples = 400;
  static constexpr size_t kFrequencies = kFrameSamples / 2 + 1;
  using Powers = std::array<float, kFrequencies>;
  using Frame = std::array<float, kFrameSamples>;
  /// Of each frequency in a frame.
  Powers PowersOf(const Frame& frame) const;

 private:
  /// A band: which frequencies it has, and how much of each.
  struct Band {
    size_t first = 0;
    std::vector<float> weights;
  };

  Frame cosines_;
  Frame sines_;
  Frame window_;
  std::vector<Band> bands_;
};

}  // namespace tintype::darkroom::vision
