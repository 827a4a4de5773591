#include "darkroom/imaging/planes/reduced_scan.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace tintype::darkroom {
namespace {

constexpr int kBlocksInMcuMax = 10;
constexpr int kQuarter = 4;
constexpr int kEighth = 8;

// Where in a block the first coefficients of the file are, row by row.
constexpr std::array<size_t, 5> kPlaces = {0, 1, 8, 16, 9};
// Of those, the ones that a block of two by two samples has are all but number 3.
constexpr int kWantedEnd = 5;

int32_t DividedUp(int64_t number, int64_t by) {
  return static_cast<int32_t>((number + by - 1) / by);
}

uint8_t Sample(int32_t sum) {
  // The sum is eight times what the sample is above or below the middle.
  return static_cast<uint8_t>(std::clamp(((sum + 4) >> 3) + 128, 0, 255));
}

bool IsUsual(const jpeg_decompress_struct& state) {
  return state.progressive_mode == FALSE && state.arith_code == FALSE && state.Ss == 0 &&
         state.Se == DCTSIZE2 - 1 && state.data_precision == 8 &&
         state.comps_in_scan == state.num_components &&
         (state.num_components == 1 || state.num_components == 3);
}

}  // namespace

std::unique_ptr<ReducedScan> ReducedScan::Open(const jpeg_decompress_struct& state, int input,
                                               int64_t offset, int shrink) {
  if (!IsUsual(state) || (shrink != kQuarter && shrink != kEighth)) {
    return nullptr;
  }
  std::unique_ptr<ReducedScan> scan(new ReducedScan(input, offset, DCTSIZE / shrink));
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
                   static_cast<size_t>(plane.blocks_across * scan->side_);
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
  for (size_t i = 0; i < kPlaces.size(); ++i) {
    added.quantizers[i] = quantizers->quantval[kPlaces[i]];
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
  for (int32_t column = 0; column < mcu_columns_; ++column) {
    if (restart_interval_ > 0 && until_restart_-- == 0) {
      if (!bits_.Restart(next_restart_)) {
        return false;
      }
      next_restart_ = (next_restart_ + 1) % 8;
      until_restart_ = restart_interval_ - 1;
      for (PlaneState& plane : planes_) {
        plane.dc = 0;
      }
    }
    if (!ReadMcu(column)) {
      return false;
    }
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

bool ReducedScan::ReadMcu(int32_t column) {
  bits_.Fill();
  for (PlaneState& plane : planes_) {
    for (int down = 0; down < plane.blocks_down; ++down) {
      for (int across = 0; across < plane.blocks_across; ++across) {
        Coefficients values{};
        if (!ReadBlock(plane, values)) {
          return false;
        }
        uint8_t* const out =
            &plane.samples[plane.stride * static_cast<size_t>(down * side_) +
                           static_cast<size_t>((column * plane.blocks_across + across) * side_)];
        if (side_ == 1) {
          *out = Sample(values[0]);
          continue;
        }
        const int32_t sum = values[0] + values[1];
        const int32_t difference = values[0] - values[1];
        out[0] = Sample(sum + values[2] + values[4]);
        out[1] = Sample(difference + values[2] - values[4]);
        out[plane.stride] = Sample(sum - values[2] - values[4]);
        out[plane.stride + 1] = Sample(difference - values[2] + values[4]);
      }
    }
  }
  return !bits_.overrun();
}

// A number of `size` bits, where the lower half stands for negative ones.
int32_t ReducedScan::TakeNumber(int size) {
  if (size == 0) {
    return 0;
  }
  const auto number = static_cast<int32_t>(bits_.Peek(size));
  bits_.Skip(size);
  return number < (1 << (size - 1)) ? number - (1 << size) + 1 : number;
}

bool ReducedScan::ReadBlock(PlaneState& plane, Coefficients& coefficients) {
  bits_.Refill();
  const CodeTable::Symbol dc = tables_[plane.dc_table].Find(bits_.Peek(16));
  if (dc.bits == 0 || dc.value > 15) {
    return false;
  }
  bits_.Skip(dc.bits);
  // As in libjpeg, what is too large comes round again.
  plane.dc = static_cast<int16_t>(plane.dc + TakeNumber(dc.value));
  coefficients[0] = plane.dc * plane.quantizers[0];
  const CodeTable& table = tables_[plane.ac_table];
  int place = 1;
  while (side_ == 2 && place < kWantedEnd) {
    bits_.Refill();
    const CodeTable::Symbol symbol = table.Find(bits_.Peek(16));
    const int zeros = symbol.value >> 4;
    const int size = symbol.value & 15;
    if (symbol.bits == 0) {
      return false;
    }
    bits_.Skip(symbol.bits);
    if (size == 0 && zeros != 15) {
      return true;
    }
    place += zeros;
    const int32_t value = TakeNumber(size);
    if (place < kWantedEnd) {
      const auto index = static_cast<size_t>(place);
      coefficients[index] = value * plane.quantizers[index];
    }
    ++place;
  }
  return PassRest(table, place);
}

bool ReducedScan::PassRest(const CodeTable& table, int place) {
  // As many looks as there are bits for.
  constexpr int kLooks = 56 / CodeTable::kBits;
  while (place < DCTSIZE2) {
    bits_.Refill();
    bool stuck = false;
    for (int look = 0; look < kLooks && !stuck; ++look) {
      const CodeTable::Run run = table.Pass(bits_.Peek(CodeTable::kBits));
      // A run that reaches the block's end may have bits of the next one in it.
      stuck = run.bits == 0 || place + run.passed >= DCTSIZE2;
      if (!stuck) {
        bits_.Skip(run.bits);
        place += run.passed;
        if (run.is_end) {
          return true;
        }
      }
    }
    if (stuck) {
      bits_.Refill();
      const CodeTable::Symbol symbol = table.Find(bits_.Peek(16));
      const int zeros = symbol.value >> 4;
      const int size = symbol.value & 15;
      if (symbol.bits == 0) {
        return false;
      }
      bits_.Skip(symbol.bits + size);
      if (size == 0 && zeros != 15) {
        return true;
      }
      place += zeros + 1;
    }
  }
  // The last coefficient is number 63, and nothing is behind it.
  return place == DCTSIZE2;
}

}  // namespace tintype::darkroom
