#include "darkroom/imaging/planes/reduced_scan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/check.h"

namespace tintype::darkroom {
namespace {

constexpr int kBlocksInMcuMax = 10;
// As many looks as there are bits for.
constexpr int kLooks = ScanBits::Window::kBits / CodeTable::kBits;

// Where in a block the coefficients of the file are, row by row.
constexpr std::array<uint8_t, DCTSIZE2> kNaturalOrder = {
    0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,  12, 19, 26, 33, 40, 48,
    41, 34, 27, 20, 13, 6,  7,  14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23,
    30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

int32_t DividedUp(int64_t number, int64_t by) {
  return static_cast<int32_t>((number + by - 1) / by);
}

/// Numbers that are reckoned with together.
using Four [[gnu::vector_size(16)]] = float;

// Rounds down, to what a sample can be.
void WriteSamples(const Four& numbers, uint8_t* out) {
#if defined(__SSE2__)
  // Otherwise the compiler takes them one by one.
  const __m128i integers = _mm_cvttps_epi32(_mm_min_ps(numbers, _mm_set1_ps(255)));
  const __m128i words = _mm_packs_epi32(integers, integers);
  const int32_t samples = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
  std::memcpy(out, &samples, sizeof samples);
#else
  for (size_t i = 0; i < 4; ++i) {
    out[i] = static_cast<uint8_t>(std::clamp(numbers[i], 0.0F, 255.0F));
  }
#endif
}

bool IsUsual(const jpeg_decompress_struct& state) {
  return state.progressive_mode == FALSE && state.arith_code == FALSE && state.Ss == 0 &&
         state.Se == DCTSIZE2 - 1 && state.data_precision == 8 &&
         state.comps_in_scan == state.num_components &&
         (state.num_components == 1 || state.num_components == 3);
}

// From there to the end of the block. Not called, so that the window stays in registers.
[[gnu::always_inline]] inline bool PassRest(const CodeTable& table, int place,
                                            ScanBits::Window& bits) {
  while (place < DCTSIZE2) {
    bits.Refill();
    bool stuck = false;
    for (int look = 0; look < kLooks && !stuck; ++look) {
      const CodeTable::Run run = table.Pass(bits.Peek(CodeTable::kBits));
      // A run that reaches the block's end may have bits of the next one in it.
      stuck = run.bits == 0 || place + run.passed >= DCTSIZE2;
      if (!stuck) {
        bits.Skip(run.bits);
        place += run.passed;
        if (run.is_end) {
          return true;
        }
      }
    }
    if (stuck) {
      bits.Refill();
      const CodeTable::Coefficient next = table.FindCoefficient(bits.Peek(16));
      if (next.bits == 0) {
        return false;
      }
      bits.Skip(next.bits);
      if (next.zeros == CodeTable::Coefficient::kEnd) {
        return true;
      }
      place += next.zeros + 1;
    }
  }
  // The last coefficient is number 63, and nothing is behind it.
  return place == DCTSIZE2;
}

}  // namespace

ReducedScan::ReducedScan(int input, int64_t offset, int side) : side_(side), bits_(input, offset) {
  for (size_t wave = 0; wave < static_cast<size_t>(side); ++wave) {
    for (size_t i = 0; i < static_cast<size_t>(side); ++i) {
      const double angle = std::numbers::pi * static_cast<double>((2 * i + 1) * wave) / (2 * side);
      waves_[wave][i] = static_cast<float>(wave == 0 ? 1 : std::numbers::sqrt2 * std::cos(angle));
    }
  }
  const int last = (side - 1) * (DCTSIZE + 1);
  rows_.fill(static_cast<uint8_t>(side));
  for (size_t i = 0; i < kNaturalOrder.size(); ++i) {
    rows_[i] = static_cast<uint8_t>(std::min(kNaturalOrder[i] / DCTSIZE, side));
  }
  wanted_end_ =
      static_cast<int>(std::ranges::find(kNaturalOrder, last) - kNaturalOrder.begin()) + 1;
}

std::unique_ptr<ReducedScan> ReducedScan::Open(const jpeg_decompress_struct& state, int input,
                                               int64_t offset, int side) {
  CHECK(side >= 1 && side <= DCTSIZE);
  if (!IsUsual(state) || side == DCTSIZE) {
    return nullptr;
  }
  std::unique_ptr<ReducedScan> scan(new ReducedScan(input, offset, side));
  int blocks = 0;
  for (int i = 0; i < state.comps_in_scan; ++i) {
    // The planes of a scan come in its own order, which is nearly always that of the image.
    if (state.cur_comp_info[i] != &state.comp_info[i] ||
        !scan->AddPlane(state, *state.cur_comp_info[i])) {
      return nullptr;
    }
    blocks += scan->planes_.back().blocks_across * scan->planes_.back().blocks_down;
  }
  if (blocks > kBlocksInMcuMax) {
    return nullptr;
  }
  const bool alone = state.num_components == 1;
  const int64_t across = DCTSIZE * (alone ? 1 : state.max_h_samp_factor);
  const int64_t down = DCTSIZE * (alone ? 1 : state.max_v_samp_factor);
  scan->mcu_columns_ = DividedUp(state.image_width, across);
  scan->mcu_rows_ = DividedUp(state.image_height, down);
  for (PlaneState& plane : scan->planes_) {
    plane.stride = static_cast<size_t>(scan->mcu_columns_) *
                       static_cast<size_t>(plane.blocks_across * scan->side_) +
                   kOverhang;
    plane.samples.resize(plane.stride * static_cast<size_t>(plane.plane.batch));
  }
  scan->restart_interval_ = state.restart_interval;
  scan->until_restart_ = state.restart_interval;
  return scan;
}

bool ReducedScan::AddPlane(const jpeg_decompress_struct& state,
                           const jpeg_component_info& component) {
  // Nothing has looked at these numbers of the file yet.
  const auto is_table = [](int number) { return number >= 0 && number < NUM_HUFF_TBLS; };
  static_assert(NUM_HUFF_TBLS == NUM_QUANT_TBLS);
  if (!is_table(component.quant_tbl_no) || !is_table(component.dc_tbl_no) ||
      !is_table(component.ac_tbl_no)) {
    return false;
  }
  const JQUANT_TBL* const quantizers = state.quant_tbl_ptrs[component.quant_tbl_no];
  const auto dc = AddTable(state.dc_huff_tbl_ptrs[component.dc_tbl_no]);
  const auto ac = AddTable(state.ac_huff_tbl_ptrs[component.ac_tbl_no]);
  if (quantizers == nullptr || !dc || !ac) {
    return false;
  }
  PlaneState added;
  added.dc_table = *dc;
  added.ac_table = *ac;
  for (size_t i = 0; i < kNaturalOrder.size(); ++i) {
    const size_t across = kNaturalOrder[i] % DCTSIZE;
    const float unit = static_cast<float>(quantizers->quantval[kNaturalOrder[i]]) / DCTSIZE;
    for (size_t x = 0; x < DCTSIZE; ++x) {
      added.shapes[i][x] = waves_[across][x] * unit;
    }
  }
  // A plane that is alone in its scan is not grouped, whatever its factors are.
  const bool alone = state.num_components == 1;
  added.blocks_across = alone ? 1 : component.h_samp_factor;
  added.blocks_down = alone ? 1 : component.v_samp_factor;
  const int64_t across_max = alone ? 1 : state.max_h_samp_factor;
  const int64_t down_max = alone ? 1 : state.max_v_samp_factor;
  added.plane.size = {
      DividedUp(int64_t{state.image_width} * added.blocks_across * side_, across_max * DCTSIZE),
      DividedUp(int64_t{state.image_height} * added.blocks_down * side_, down_max * DCTSIZE)};
  const double part = static_cast<double>(side_) / DCTSIZE;
  added.plane.density_across = part * added.blocks_across / static_cast<double>(across_max);
  added.plane.density_down = part * added.blocks_down / static_cast<double>(down_max);
  added.plane.batch = added.blocks_down * side_;
  planes_.push_back(std::move(added));
  return true;
}

// Planes share tables, as the two colours do; each is made once.
std::optional<size_t> ReducedScan::AddTable(const JHUFF_TBL* table) {
  const auto known = std::ranges::find(table_sources_, table);
  if (known != table_sources_.end()) {
    return static_cast<size_t>(known - table_sources_.begin());
  }
  auto made = table == nullptr ? std::nullopt : CodeTable::Make(*table);
  if (!made) {
    return std::nullopt;
  }
  tables_.push_back(*made);
  table_sources_.push_back(table);
  return tables_.size() - 1;
}

bool ReducedScan::ReadBatch(std::span<uint8_t** const> rows) {
  using Reader = bool (ReducedScan::*)();
  // By the side: known when compiled, the loops over it are none.
  constexpr std::array<Reader, DCTSIZE> kReaders = {
      nullptr,
      &ReducedScan::ReadMcus<1>,
      &ReducedScan::ReadMcus<2>,
      &ReducedScan::ReadMcus<3>,
      &ReducedScan::ReadMcus<4>,
      &ReducedScan::ReadMcus<5>,
      &ReducedScan::ReadMcus<6>,
      &ReducedScan::ReadMcus<7>,
  };
  if (!(this->*kReaders[static_cast<size_t>(side_)])()) {
    return false;
  }
  ++mcu_row_;
  for (size_t i = 0; i < planes_.size(); ++i) {
    const PlaneState& plane = planes_[i];
    for (int32_t row = 0; row < plane.plane.batch; ++row) {
      std::memcpy(rows[i][row], &plane.samples[plane.stride * static_cast<size_t>(row)],
                  static_cast<size_t>(plane.plane.size.width));
    }
  }
  return true;
}

bool ReducedScan::Restart() {
  if (!bits_.Restart(next_restart_)) {
    return false;
  }
  next_restart_ = (next_restart_ + 1) % 8;
  until_restart_ = restart_interval_ - 1;
  for (PlaneState& plane : planes_) {
    plane.dc = 0;
  }
  return true;
}

// One row of them.
template <int kSide>
bool ReducedScan::ReadMcus() {
  for (int32_t column = 0; column < mcu_columns_; ++column) {
    if (restart_interval_ > 0 && until_restart_-- == 0 && !Restart()) {
      return false;
    }
    bits_.Fill();
    for (PlaneState& plane : planes_) {
      for (int down = 0; down < plane.blocks_down; ++down) {
        for (int across = 0; across < plane.blocks_across; ++across) {
          const int32_t block = column * plane.blocks_across + across;
          if (!ReadBlock<kSide>(plane,
                                &plane.samples[plane.stride * static_cast<size_t>(down * kSide) +
                                               static_cast<size_t>(block * kSide)])) {
            return false;
          }
        }
      }
    }
    if (bits_.overrun()) {
      return false;
    }
  }
  return true;
}

// The waves are summed up along the rows while the coefficients come, then down the columns.
template <int kSide>
bool ReducedScan::ReadBlock(PlaneState& plane, uint8_t* out) {
  ScanBits::Window bits = bits_.window();
  constexpr size_t kFours = (kSide + 3) / 4;
  // One more, for what is not wanted.
  Four rows[kSide + 1][kFours];
  for (auto& row : rows) {
    for (Four& four : row) {
      four = Four{};
    }
  }
  const auto add = [&](int place, int32_t value) {
    const auto at = static_cast<size_t>(place);
    for (size_t i = 0; i < kFours; ++i) {
      Four shape;
      std::memcpy(&shape, &plane.shapes[at][4 * i], sizeof shape);
      rows[rows_[at]][i] += shape * static_cast<float>(value);
    }
  };
  bits.Refill();
  const CodeTable::Symbol dc = tables_[plane.dc_table].Find(bits.Peek(16));
  if (dc.bits == 0 || dc.value > 15) {
    return false;
  }
  bits.Skip(dc.bits);
  // As in libjpeg, what is too large comes round again.
  if (dc.value > 0) {
    const int32_t difference = CodeTable::NumberOf(bits.Peek(dc.value), dc.value);
    plane.dc = static_cast<int16_t>(plane.dc + difference);
    bits.Skip(dc.value);
  }
  add(0, plane.dc);
  const CodeTable& table = tables_[plane.ac_table];
  int place = 1;
  while (place < wanted_end_) {
    bits.Refill();
    bool stuck = false;
    for (int look = 0; look < kLooks && place < wanted_end_ && !stuck; ++look) {
      const CodeTable::Pair pair = table.FindPair(bits.Peek(CodeTable::kBits));
      stuck = pair.bits == 0 || place + pair.first >= DCTSIZE2 - 1;
      if (!stuck) {
        bits.Skip(pair.bits);
        add(place + pair.first, pair.first_value);
        add(place + pair.second, pair.second_value);
        place += pair.places;
      }
    }
    if (stuck) {
      bits.Refill();
      const CodeTable::Coefficient next = table.FindCoefficient(bits.Peek(16));
      if (next.bits == 0) {
        return false;
      }
      const uint32_t value = bits.Peek(next.code_bits, next.value_bits);
      bits.Skip(next.bits);
      if (next.zeros == CodeTable::Coefficient::kEnd) {
        place = CodeTable::Pair::kEnd;
      } else {
        add(place + next.zeros, CodeTable::NumberOf(value, next.value_bits));
        place += next.zeros + 1;
      }
    }
  }
  if (place < CodeTable::Pair::kEnd && !PassRest(table, place, bits)) {
    return false;
  }
  bits_.set_window(bits);
  for (size_t y = 0; y < kSide; ++y) {
    for (size_t i = 0; i < kFours; ++i) {
      // The middle, and half a unit so that it is rounded.
      Four sum = rows[0][i] + 128.5F;
#pragma GCC unroll 8
      for (size_t wave = 1; wave < kSide; ++wave) {
        sum += rows[wave][i] * waves_[wave][y];
      }
      WriteSamples(sum, out + plane.stride * y + 4 * i);
    }
  }
  return true;
}

}  // namespace tintype::darkroom
