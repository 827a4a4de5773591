#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "darkroom/imaging/planes/row_filters.h"
#include "darkroom/imaging/planes/yuv_picture.h"

namespace tintype::darkroom {

/// How the samples of a result lie over those of a source, in one direction: number k covers those
/// from `start` + k x `step` to `start` + (k + 1) x `step`. Beyond its ends the source goes on with
/// its last samples.
struct Axis {
  int32_t source_count = 0;
  int32_t result_count = 0;
  double start = 0;
  double step = 1;
};

/// Taps of a Lanczos filter with three lobes, as libvips has it. `gain` is what the weights of a
/// sample add up to, less than 1.5.
TapTable MakeTaps(const Axis& axis, double gain = 1);

/// Scales one plane while its rows come in, from top to bottom, and keeps only those that are still
/// needed. Used by one thread.
class PlaneScaler {
 public:
  /// Writes to `result`, which has as many rows as `down` has taps. `batch` is the number of rows
  /// that come at a time. All of them outlive it.
  PlaneScaler(const TapTable& across, const TapTable& down, double bias, Dimensions source,
              int32_t batch, Plane& result);

  /// Where to put the row that is `ahead` of the next one, from 0 to batch - 1. It has room for the
  /// width of the source and a few samples more.
  uint8_t* RowAhead(int32_t ahead);
  /// `count` rows have been put there. More than the source has are ignored.
  void Take(int32_t count);
  /// Whether the result is complete. The rest of the rows is of no use.
  bool Done() const { return done_ == result_.height(); }

 private:
  const TapTable& across_;
  const TapTable& down_;
  const double bias_;
  const int32_t source_height_;
  Plane& result_;

  size_t stride_ = 0;  // Of the rows in `ring_`.
  int32_t kept_ = 0;   // How many those are.
  int32_t taken_ = 0;  // Rows of the source.
  int32_t done_ = 0;   // Rows of the result.
  size_t width_ = 0;   // Of the source.
  std::vector<uint8_t> ring_;
  std::vector<int16_t> sums_;
  std::vector<const uint8_t*> rows_;
};

}  // namespace tintype::darkroom
