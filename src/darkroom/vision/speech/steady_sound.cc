#include "darkroom/vision/speech/steady_sound.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "darkroom/vision/speech/log_mel.h"

namespace tintype::darkroom::vision {
namespace {

// From 300 to 3400 Hz, as a telephone has it.
constexpr size_t kFirstBand = 8;
constexpr size_t kEndBand = 58;
// In decibels, between the weakest tenth and the strongest hundredth: noise has 2 to 5, speech 20
// and more.
constexpr double kRangeMin = 6;
constexpr size_t kFramesMin = 100;

}  // namespace

bool IsSteady(std::span<const float> mels, size_t first, size_t end) {
  if (end - first < kFramesMin) {
    return false;
  }
  std::vector<double> decibels;
  decibels.reserve(end - first);
  for (size_t frame = first; frame < end; ++frame) {
    double power = 0;
    for (size_t band = kFirstBand; band < kEndBand; ++band) {
      // LogMel has halved its logarithm twice, and moved it.
      power += std::pow(10, mels[band * kWindowFrames + frame] * 4 - 4);
    }
    decibels.push_back(10 * std::log10(power));
  }
  std::ranges::sort(decibels);
  const double weak = decibels[decibels.size() / 10];
  const double strong = decibels[decibels.size() - 1 - decibels.size() / 100];
  return strong - weak < kRangeMin;
}

}  // namespace tintype::darkroom::vision
