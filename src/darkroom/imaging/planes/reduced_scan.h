#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "darkroom/imaging/planes/code_table.h"
#include "darkroom/imaging/planes/jpeg_plane.h"
#include "darkroom/imaging/planes/scan_bits.h"

namespace tintype::darkroom {

/// Decodes the usual kind of JPEG file (baseline, all planes in one scan) reduced to a quarter or
/// an eighth, from the lowest coefficients of each block alone. libjpeg decodes every coefficient,
/// which is most of its time; here the others are passed over several at a time. Of a block it
/// takes those that a block of two by two samples has, or of one: so what is finer than the result
/// can show is left out, where libjpeg has it averaged. Used by one thread.
class ReducedScan {
 public:
  /// `state` has its header read up to the scan, which begins at `offset` of `input`, which stays
  /// open while this lives. Nothing when the file is of another kind, or `shrink` is not 4 or 8.
  static std::unique_ptr<ReducedScan> Open(const jpeg_decompress_struct& state, int input,
                                           int64_t offset, int shrink);

  JpegPlane plane(size_t i) const { return planes_[i].plane; }
  /// As JpegReader::ReadBatch. False when anything is not as it should be: libjpeg knows what to
  /// make of damaged files.
  bool ReadBatch(std::span<uint8_t** const> rows);
  bool finished() const { return mcu_row_ == mcu_rows_; }

 private:
  struct PlaneState {
    JpegPlane plane;
    int blocks_across = 0;  // In an MCU.
    int blocks_down = 0;
    size_t dc_table = 0;  // Among tables_.
    size_t ac_table = 0;
    // Of the coefficients in their order in the file.
    std::array<int32_t, 5> quantizers{};
    int32_t dc = 0;                // Of the block before.
    std::vector<uint8_t> samples;  // One row of MCUs.
    size_t stride = 0;
  };
  using Coefficients = std::array<int32_t, 5>;

  ReducedScan(int input, int64_t offset, int side) : side_(side), bits_(input, offset) {}
  bool AddPlane(const jpeg_decompress_struct& state, const jpeg_component_info& component);
  std::optional<size_t> AddTable(const JHUFF_TBL* table);

  bool ReadMcu(int32_t column);
  bool ReadBlock(PlaneState& plane, Coefficients& coefficients);
  bool PassRest(const CodeTable& table, int place);
  int32_t TakeNumber(int size);

  const int32_t side_;  // Samples of a block, across and down: 2 or 1.
  ScanBits bits_;
  std::vector<CodeTable> tables_;
  std::vector<const JHUFF_TBL*> table_sources_;
  std::vector<PlaneState> planes_;
  int32_t mcu_columns_ = 0;
  int32_t mcu_rows_ = 0;
  int32_t mcu_row_ = 0;
  uint32_t restart_interval_ = 0;
  uint32_t until_restart_ = 0;
  int next_restart_ = 0;
};

}  // namespace tintype::darkroom
