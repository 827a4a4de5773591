#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tintype::darkroom {

// The two loops in which scaling spends its time, with AVX2 where the processor has it. Sums are of
// whole numbers, so that every processor gives the same picture.

/// Weights add up to this for each sample that they make.
inline constexpr int kWeightBits = 14;
/// Between the two loops samples have so many more bits.
inline constexpr int kFractionBits = 6;
/// What is read and written beside rows: each has room for so many samples more than it has.
inline constexpr size_t kRowPadding = 32;

/// For every sample of a result, which samples of the source it is made of, and how much of each.
struct TapTable {
  /// The first source sample of each.
  std::vector<int32_t> first;
  /// How many belong to each, before `padded_count` rounded it up.
  std::vector<int32_t> count;
  /// `padded_count` weights for each, zero where they are too many.
  std::vector<int16_t> weights;
  /// A multiple of 16.
  size_t padded_count = 0;

  std::span<const int16_t> WeightsOf(size_t i) const {
    return std::span(weights).subspan(i * padded_count, static_cast<size_t>(count[i]));
  }
};

/// The sum of rows, each times its weight. Width is counted in samples.
/// REQUIRES: as many rows as weights, at least one.
void SumRows(std::span<const uint8_t* const> rows, std::span<const int16_t> weights, size_t width,
             int16_t* result);

/// Each sample of the result from its taps in the row, plus `bias` in units of the result.
void FilterRow(const int16_t* row, const TapTable& taps, double bias, uint8_t* result);

// The same without AVX2, for processors without it and for the test that both agree.
void SumRowsPortably(std::span<const uint8_t* const> rows, std::span<const int16_t> weights,
                     size_t width, int16_t* result);
void FilterRowPortably(const int16_t* row, const TapTable& taps, double bias, uint8_t* result);

}  // namespace tintype::darkroom
