#pragma once

#include <csetjmp>
#include <cstddef>
#include <cstdint>
#include <cstdio>  // jpeglib.h needs it.
#include <memory>
#include <optional>
#include <span>

#include <jpeglib.h>

#include "darkroom/imaging/pixels.h"
#include "darkroom/imaging/planes/jpeg_plane.h"
#include "darkroom/imaging/planes/reduced_scan.h"

namespace tintype::darkroom {

/// Reads the planes of a JPEG file as they are stored, row by row, by libjpeg: no colour is
/// converted and none is scaled up. Used by one thread. Opens nothing, and reads the descriptor by
/// position.
///
/// libjpeg ends a call that fails by a jump. Every function here that calls it is where that jump
/// lands, and has nothing that would have to be destroyed.
class JpegReader {
 public:
  /// `input` stays open while it lives.
  explicit JpegReader(int input);
  ~JpegReader();
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  /// Reads up to the pixels. False when there is none, or when they are not luminance alone, or
  /// luminance and two colours, of 8 bits.
  bool ReadHeader();
  /// As stored: not turned.
  Dimensions size() const;

  /// Begins to decode, with at least `side` samples across and down for each block of eight: 1 to
  /// 8. Of a progressive file this reads all of it.
  bool Start(int side);
  /// The same without libjpeg, much faster, with exactly so many samples, for the files that
  /// ReducedScan can and less than eight. A file that it fails on has to be read from its beginning
  /// by another reader.
  bool StartReduced(int side);
  /// 1 for an image without colours, else 3. After Start.
  size_t plane_count() const { return static_cast<size_t>(state_->num_components); }
  JpegPlane plane(size_t i) const;

  /// Reads the next batch of rows of each plane to where `rows` points for it. False when the file
  /// cannot be decoded further.
  bool ReadBatch(std::span<uint8_t** const> rows);
  /// Whether all batches were read.
  bool finished() const;

  /// Whether the file ended early, or was damaged where pixels were read.
  Damage damage() const { return damage_; }
  /// Of a file that ended early and was sound until then, the rows of the picture that there are.
  /// Nothing when they are all there, only coarsely: in a file of several scans, after the first.
  std::optional<int32_t> rows_there() const { return rows_there_; }

 private:
  struct Callbacks;
  static constexpr size_t kBufferBytes = 64 * 1024;

  // Called each time that libjpeg asks for more than there is.
  void NoteEnd();

  const int input_;
  int64_t offset_ = 0;
  bool created_ = false;
  Damage damage_ = Damage::kNone;
  std::optional<int32_t> rows_there_;
  std::jmp_buf jump_;
  jpeg_error_mgr errors_ = {};
  jpeg_source_mgr source_ = {};
  jpeg_progress_mgr progress_ = {};
  // Large, and the libraries' callbacks get its address.
  const std::unique_ptr<jpeg_decompress_struct> state_;
  const std::unique_ptr<uint8_t[]> buffer_;
  std::unique_ptr<ReducedScan> reduced_;  // After StartReduced.
};

}  // namespace tintype::darkroom
