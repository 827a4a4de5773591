#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tintype::darkroom::av {

/// The lowest and highest sample of equal parts of a sound whose length is not known before. Takes
/// the same memory however long it is: parts are joined two by two when there are too many.
class Peaks {
 public:
  using Range = std::pair<int16_t, int16_t>;

  explicit Peaks(size_t buckets) : buckets_(buckets) {}

  void Add(std::span<const int16_t> samples);
  /// So many ranges as there are buckets; of silence when there was no sound.
  std::vector<Range> Finish() const;
  int64_t samples() const { return samples_; }

 private:
  void Halve();

  const size_t buckets_;
  std::vector<Range> ranges_;
  int64_t width_ = 16;   // Samples of each range.
  int64_t filled_ = 0;   // Of the last one; 0 when it is full.
  int64_t samples_ = 0;  // Altogether.
};

}  // namespace tintype::darkroom::av
