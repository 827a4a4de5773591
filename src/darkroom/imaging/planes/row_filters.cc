#include "darkroom/imaging/planes/row_filters.h"

#include <algorithm>
#include <cmath>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace tintype::darkroom {
namespace {

constexpr int kSumShift = kWeightBits - kFractionBits;
constexpr int32_t kSumRounding = 1 << (kSumShift - 1);
constexpr int kResultShift = kWeightBits + kFractionBits;

// The bias, and half a unit so that the shift rounds.
int32_t StartOf(double bias) {
  return static_cast<int32_t>(std::lround(bias * (1 << kResultShift))) + (1 << (kResultShift - 1));
}

uint8_t FilterSample(const int16_t* row, const TapTable& taps, size_t i, int32_t start) {
  const int16_t* weights = &taps.weights[i * taps.padded_count];
  const int16_t* samples = row + taps.first[i];
  int32_t sum = start;
  for (int32_t tap = 0; tap < taps.count[i]; ++tap) {
    sum += samples[tap] * weights[tap];
  }
  return static_cast<uint8_t>(std::clamp(sum >> kResultShift, 0, 255));
}

#if defined(__x86_64__)

bool HasAvx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

// Not lambdas and not a file of its own: only functions with this attribute may use the
// instructions, and what other headers bring must not.
#define TINTYPE_AVX2 __attribute__((target("avx2")))

TINTYPE_AVX2 inline __m256i Load(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

TINTYPE_AVX2 inline __m256i AddProducts(__m256i sum, __m256i samples, __m256i weights) {
  return _mm256_add_epi32(sum, _mm256_madd_epi16(samples, weights));
}

// The weights of two rows, side by side eight times. An odd row out is paired with itself, at no
// weight.
TINTYPE_AVX2 inline __m256i WeightsOfTwo(std::span<const int16_t> weights, size_t i) {
  const auto low = static_cast<uint16_t>(weights[i]);
  const auto high = static_cast<uint16_t>(i + 1 < weights.size() ? weights[i + 1] : 0);
  return _mm256_set1_epi32(static_cast<int32_t>(low | static_cast<uint32_t>(high) << 16));
}

TINTYPE_AVX2 void SumRowsByAvx2(std::span<const uint8_t* const> rows,
                                std::span<const int16_t> weights, size_t width, int16_t* result) {
  const __m256i zero = _mm256_setzero_si256();
  const __m256i rounding = _mm256_set1_epi32(kSumRounding);
  for (size_t x = 0; x < width; x += 32) {
    __m256i sums[4] = {rounding, rounding, rounding, rounding};
    for (size_t i = 0; i < rows.size(); i += 2) {
      const __m256i one = Load(rows[i] + x);
      const __m256i other = Load(rows[std::min(i + 1, rows.size() - 1)] + x);
      const __m256i both = WeightsOfTwo(weights, i);
      const __m256i low = _mm256_unpacklo_epi8(one, other);
      const __m256i high = _mm256_unpackhi_epi8(one, other);
      sums[0] = AddProducts(sums[0], _mm256_unpacklo_epi8(low, zero), both);
      sums[1] = AddProducts(sums[1], _mm256_unpackhi_epi8(low, zero), both);
      sums[2] = AddProducts(sums[2], _mm256_unpacklo_epi8(high, zero), both);
      sums[3] = AddProducts(sums[3], _mm256_unpackhi_epi8(high, zero), both);
    }
    for (__m256i& sum : sums) {
      sum = _mm256_srai_epi32(sum, kSumShift);
    }
    // Unpacking took each half of a register for itself, and so does packing; what is left is to
    // bring the halves into their order.
    const __m256i even = _mm256_packs_epi32(sums[0], sums[1]);
    const __m256i odd = _mm256_packs_epi32(sums[2], sums[3]);
    auto* to = reinterpret_cast<__m256i*>(result + x);
    _mm256_storeu_si256(to, _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256(to + 1, _mm256_permute2x128_si256(even, odd, 0x31));
  }
}

// The products of a sample's taps, in eight parts of their sum.
TINTYPE_AVX2 inline __m256i MultiplyTaps(const int16_t* row, const TapTable& taps, size_t i) {
  const int16_t* samples = row + taps.first[i];
  const int16_t* weights = &taps.weights[i * taps.padded_count];
  __m256i sum = _mm256_madd_epi16(Load(samples), Load(weights));
  for (size_t tap = 16; tap < taps.padded_count; tap += 16) {
    sum = AddProducts(sum, Load(samples + tap), Load(weights + tap));
  }
  return sum;
}

TINTYPE_AVX2 inline __m256i MultiplyTapsOfFour(const int16_t* row, const TapTable& taps, size_t i) {
  return _mm256_hadd_epi32(
      _mm256_hadd_epi32(MultiplyTaps(row, taps, i), MultiplyTaps(row, taps, i + 1)),
      _mm256_hadd_epi32(MultiplyTaps(row, taps, i + 2), MultiplyTaps(row, taps, i + 3)));
}

TINTYPE_AVX2 void FilterRowByAvx2(const int16_t* row, const TapTable& taps, double bias,
                                  uint8_t* result) {
  const int32_t start = StartOf(bias);
  const __m256i starts = _mm256_set1_epi32(start);
  const size_t width = taps.first.size();
  size_t i = 0;
  for (; i + 8 <= width; i += 8) {
    const __m256i first = MultiplyTapsOfFour(row, taps, i);
    const __m256i second = MultiplyTapsOfFour(row, taps, i + 4);
    __m256i sum = _mm256_add_epi32(_mm256_permute2x128_si256(first, second, 0x20),
                                   _mm256_permute2x128_si256(first, second, 0x31));
    sum = _mm256_srai_epi32(_mm256_add_epi32(sum, starts), kResultShift);
    const __m128i words =
        _mm_packs_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(result + i), _mm_packus_epi16(words, words));
  }
  for (; i < width; ++i) {
    result[i] = FilterSample(row, taps, i, start);
  }
}

#endif

}  // namespace

void SumRowsPortably(std::span<const uint8_t* const> rows, std::span<const int16_t> weights,
                     size_t width, int16_t* result) {
  constexpr size_t kBlock = 64;
  for (size_t x = 0; x < width; x += kBlock) {
    const size_t count = std::min(kBlock, width - x);
    int32_t sums[kBlock];
    std::fill(std::begin(sums), std::end(sums), kSumRounding);
    for (size_t i = 0; i < rows.size(); ++i) {
      const uint8_t* row = rows[i] + x;
      const int32_t weight = weights[i];
      for (size_t at = 0; at < count; ++at) {
        sums[at] += row[at] * weight;
      }
    }
    for (size_t at = 0; at < count; ++at) {
      result[x + at] = static_cast<int16_t>(sums[at] >> kSumShift);
    }
  }
}

void FilterRowPortably(const int16_t* row, const TapTable& taps, double bias, uint8_t* result) {
  const int32_t start = StartOf(bias);
  for (size_t i = 0; i < taps.first.size(); ++i) {
    result[i] = FilterSample(row, taps, i, start);
  }
}

void SumRows(std::span<const uint8_t* const> rows, std::span<const int16_t> weights, size_t width,
             int16_t* result) {
#if defined(__x86_64__)
  if (HasAvx2()) {
    SumRowsByAvx2(rows, weights, width, result);
    return;
  }
#endif
  SumRowsPortably(rows, weights, width, result);
}

void FilterRow(const int16_t* row, const TapTable& taps, double bias, uint8_t* result) {
#if defined(__x86_64__)
  if (HasAvx2()) {
    FilterRowByAvx2(row, taps, bias, result);
    return;
  }
#endif
  FilterRowPortably(row, taps, bias, result);
}

}  // namespace tintype::darkroom
