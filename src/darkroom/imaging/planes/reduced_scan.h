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

/// Decodes the usual kind of JPEG file (baseline, all planes in one scan) to less than its full
/// size, from the lowest coefficients of each block alone: as many, across and down, as the block
/// is to have samples. libjpeg decodes every coefficient, which is most of its time; here those
/// behind the last wanted one are passed over several at a time. So what is finer than the result
/// can show is left out, where libjpeg has it averaged. Used by one thread.
class ReducedScan {
 public:
  /// `state` has its header read up to the scan, which begins at `offset` of `input`, which stays
  /// open while this lives. Blocks get `side` samples across and down, 1 to 7. Nothing when the
  /// file is of another kind, or the side is 8.
  static std::unique_ptr<ReducedScan> Open(const jpeg_decompress_struct& state, int input,
                                           int64_t offset, int side);

  JpegPlane plane(size_t i) const { return planes_[i].plane; }
  /// As JpegReader::ReadBatch. False when anything is not as it should be: libjpeg knows what to
  /// make of damaged files.
  bool ReadBatch(std::span<uint8_t** const> rows);
  bool finished() const { return mcu_row_ == mcu_rows_; }

 private:
  // Those of a block, and others behind it that may be spoken of and are nowhere.
  static constexpr size_t kPlaces = DCTSIZE2 + CodeTable::kReach;

  struct PlaneState {
    // What each coefficient, in the order of the file, adds to a row of samples for each of its
    // units.
    alignas(32) std::array<std::array<float, DCTSIZE>, kPlaces> shapes{};
    JpegPlane plane;
    int blocks_across = 0;  // In an MCU.
    int blocks_down = 0;
    size_t dc_table = 0;  // Among tables_.
    size_t ac_table = 0;
    int32_t dc = 0;                // Of the block before.
    std::vector<uint8_t> samples;  // One row of MCUs.
    size_t stride = 0;
  };
  // Samples are written four or eight at a time, whatever the side is.
  static constexpr size_t kOverhang = 8;

  ReducedScan(int input, int64_t offset, int side);
  bool AddPlane(const jpeg_decompress_struct& state, const jpeg_component_info& component);
  std::optional<size_t> AddTable(const JHUFF_TBL* table);

  template <int kSide>
  bool ReadMcus();
  template <int kSide>
  bool ReadBlock(PlaneState& plane, uint8_t* out);
  bool Restart();

  const int32_t side_;  // Samples of a block, across and down.
  // Of a wave of each frequency, its height at each sample.
  std::array<std::array<float, DCTSIZE>, DCTSIZE> waves_{};
  // Of the coefficients in the order of the file, their rows; all that are not wanted, the one
  // behind.
  std::array<uint8_t, kPlaces> rows_{};
  int wanted_end_ = 0;  // In the order of the file, behind the last coefficient that is wanted.
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
