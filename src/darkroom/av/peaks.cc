#include "darkroom/av/peaks.h"

#include <algorithm>

namespace tintype::darkroom::av {
namespace {

Peaks::Range Join(const Peaks::Range& a, const Peaks::Range& b) {
  return {std::min(a.first, b.first), std::max(a.second, b.second)};
}

}  // namespace

void Peaks::Add(std::span<const int16_t> samples) {
  samples_ += static_cast<int64_t>(samples.size());
  for (const int16_t sample : samples) {
    if (filled_ == 0) {
      ranges_.emplace_back(sample, sample);
    }
    ranges_.back() = Join(ranges_.back(), {sample, sample});
    if (++filled_ == width_) {
      filled_ = 0;
      if (ranges_.size() >= 8 * buckets_) {
        Halve();
      }
    }
  }
}

// An even number of ranges, all of them full.
void Peaks::Halve() {
  for (size_t i = 0; i < ranges_.size() / 2; ++i) {
    ranges_[i] = Join(ranges_[2 * i], ranges_[2 * i + 1]);
  }
  ranges_.resize(ranges_.size() / 2);
  width_ *= 2;
}

std::vector<Peaks::Range> Peaks::Finish() const {
  std::vector<Range> peaks(buckets_);
  for (size_t i = 0; i < buckets_ && !ranges_.empty(); ++i) {
    const size_t from = ranges_.size() * i / buckets_;
    const size_t to = std::max(from + 1, ranges_.size() * (i + 1) / buckets_);
    peaks[i] = ranges_[from];
    for (size_t j = from; j < to; ++j) {
      peaks[i] = Join(peaks[i], ranges_[j]);
    }
  }
  return peaks;
}

}  // namespace tintype::darkroom::av
