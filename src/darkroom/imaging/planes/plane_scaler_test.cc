#include "darkroom/imaging/planes/plane_scaler.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <vector>

namespace tintype::darkroom {
namespace {

Plane Scale(const Plane& plane, const Axis& across, const Axis& down, int32_t batch,
            double gain = 1, double bias = 0) {
  const TapTable across_taps = MakeTaps(across, gain);
  const TapTable down_taps = MakeTaps(down);
  Plane result(Dimensions{across.result_count, down.result_count});
  PlaneScaler scaler(across_taps, down_taps, bias, {plane.width(), plane.height()}, batch, result);
  for (int32_t top = 0; top < plane.height(); top += batch) {
    EXPECT_FALSE(scaler.Done() && top == 0);
    for (int32_t ahead = 0; ahead < batch && top + ahead < plane.height(); ++ahead) {
      const uint8_t* row = plane.Row(top + ahead);
      std::copy(row, row + plane.width(), scaler.RowAhead(ahead));
    }
    scaler.Take(batch);
  }
  EXPECT_TRUE(scaler.Done());
  return result;
}

Axis Whole(int32_t from, int32_t to) { return {from, to, 0, static_cast<double>(from) / to}; }

// Proves that weights add up exactly, lie inside of the source, and are as many as are told, for
// every kind of reduction.
TEST(PlaneScalerTest, WeighsExactly) {
  const Axis axes[] = {Whole(4000, 2048), Whole(1, 1),      Whole(2, 1),        Whole(65500, 256),
                       Whole(8191, 1),    Whole(300, 300),  {100, 50, -1.5, 2}, {7, 3, 0.5, 2.25},
                       Whole(257, 256),   {9, 6, -3, 2.001}};
  for (const Axis& axis : axes) {
    for (const double gain : {1.0, 219.0 / 255}) {
      const TapTable taps = MakeTaps(axis, gain);
      ASSERT_EQ(taps.first.size(), static_cast<size_t>(axis.result_count));
      EXPECT_EQ(taps.padded_count % 16, 0U);
      for (size_t i = 0; i < taps.first.size(); ++i) {
        ASSERT_GE(taps.first[i], 0);
        ASSERT_LE(taps.first[i] + taps.count[i], axis.source_count);
        const auto weights = taps.WeightsOf(i);
        ASSERT_EQ(std::accumulate(weights.begin(), weights.end(), 0), std::lround(gain * 16384))
            << axis.source_count << " to " << axis.result_count;
      }
    }
  }
}

// Proves that plain areas keep their shade, that nothing changes where nothing is scaled, and that
// levels are mapped exactly.
TEST(PlaneScalerTest, KeepsShades) {
  for (const int shade : {0, 1, 127, 128, 254, 255}) {
    const Plane plain(Dimensions{301, 77}, static_cast<uint8_t>(shade));
    const Plane small = Scale(plain, Whole(301, 100), Whole(77, 13), 16);
    const Plane limited = Scale(plain, Whole(301, 301), Whole(77, 77), 3, 219.0 / 255, 16);
    for (int32_t y = 0; y < small.height(); ++y) {
      for (int32_t x = 0; x < small.width(); ++x) {
        ASSERT_EQ(small.Row(y)[x], shade);
      }
    }
    EXPECT_EQ(limited.Row(5)[7], std::lround(16 + shade * 219.0 / 255)) << shade;
  }
  std::mt19937 random(3);
  Plane noise(Dimensions{67, 31});
  for (int32_t y = 0; y < noise.height(); ++y) {
    std::generate(noise.Row(y), noise.Row(y) + noise.width(),
                  [&] { return static_cast<uint8_t>(random()); });
  }
  const Plane same = Scale(noise, Whole(67, 67), Whole(31, 31), 8);
  for (int32_t y = 0; y < noise.height(); ++y) {
    EXPECT_TRUE(std::equal(noise.Row(y), noise.Row(y) + noise.width(), same.Row(y)));
  }
}

// Proves that nothing moves: a slope is still where it was, for reductions with and without an
// offset, whatever the size of the batches.
TEST(PlaneScalerTest, KeepsPlaces) {
  Plane slope(Dimensions{240, 240});
  for (int32_t y = 0; y < 240; ++y) {
    for (int32_t x = 0; x < 240; ++x) {
      slope.Row(y)[x] = static_cast<uint8_t>((x + y) / 2 + 8);
    }
  }
  const Axis axes[] = {Whole(240, 123), Whole(240, 31), {240, 50, 20, 2.5}, {240, 60, 37.25, 3}};
  for (const Axis& axis : axes) {
    for (const int32_t batch : {1, 7, 16, 240}) {
      const Plane result = Scale(slope, axis, axis, batch);
      for (int32_t i = 6; i < axis.result_count - 6; ++i) {
        const double middle = axis.start + (i + 0.5) * axis.step - 0.5;
        // The slope itself is rounded down to whole shades.
        ASSERT_NEAR(result.Row(i)[i], middle + 8 - 0.25, 1.0) << axis.result_count << ' ' << i;
      }
    }
  }
}

// Proves that the processor's own instructions give what plain code gives, to the last bit, and
// write no further than they may.
TEST(RowFiltersTest, AgreeOnEveryProcessor) {
  std::mt19937 random(17);
  for (int round = 0; round < 300; ++round) {
    const size_t width = 1 + random() % 200;
    const size_t count = 1 + random() % 40;
    std::vector<std::vector<uint8_t>> rows(count, std::vector<uint8_t>(width + kRowPadding));
    std::vector<const uint8_t*> pointers;
    std::vector<int16_t> weights;
    for (auto& row : rows) {
      std::generate(row.begin(), row.end(), [&] { return static_cast<uint8_t>(random()); });
      pointers.push_back(row.data());
      weights.push_back(static_cast<int16_t>(static_cast<int>(random() % 1600) - 400));
    }
    std::vector<int16_t> fast(width + 2 * kRowPadding + 64, 0);
    std::vector<int16_t> plain(fast.size(), 0);
    SumRows(pointers, weights, width, fast.data());
    SumRowsPortably(pointers, weights, width, plain.data());
    ASSERT_TRUE(
        std::equal(plain.begin(), plain.begin() + static_cast<ptrdiff_t>(width), fast.begin()))
        << round;

    const auto narrow = static_cast<int32_t>(1 + random() % width);
    const TapTable taps = MakeTaps(Whole(static_cast<int32_t>(width), narrow));
    fast.resize(width + 2 * kRowPadding + taps.padded_count);
    std::vector<uint8_t> fast_row(static_cast<size_t>(narrow) + 1, 99);
    std::vector<uint8_t> plain_row = fast_row;
    FilterRow(fast.data(), taps, 16, fast_row.data());
    FilterRowPortably(fast.data(), taps, 16, plain_row.data());
    ASSERT_EQ(fast_row, plain_row) << round;
    ASSERT_EQ(fast_row.back(), 99);
  }
}

}  // namespace
}  // namespace tintype::darkroom
