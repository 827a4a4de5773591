#include "darkroom/imaging/planes/jpeg_writer.h"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <cstddef>
#include <cstdio>  // jpeglib.h needs it.
#include <cstdlib>
#include <cstring>
#include <vector>

#include <jpeglib.h>

#include "base/check.h"
#include "darkroom/imaging/guard.h"

namespace tintype::darkroom {
namespace {

constexpr size_t kColorRows = DCTSIZE;

/// Rows of a plane in whole blocks, as libjpeg wants them: what is missing at the right and at the
/// bottom is the last sample once more.
class Batch {
 public:
  explicit Batch(const Plane& plane, size_t rows)
      : plane_(plane),
        stride_((static_cast<size_t>(plane.width()) + 2 * DCTSIZE - 1) / (2 * DCTSIZE) *
                (2 * DCTSIZE)),
        samples_(stride_ * rows),
        rows_(rows) {
    for (size_t i = 0; i < rows; ++i) {
      rows_[i] = &samples_[i * stride_];
    }
  }

  /// Those from `top` on.
  JSAMPARRAY From(size_t top) {
    const auto width = static_cast<size_t>(plane_.width());
    for (size_t i = 0; i < rows_.size(); ++i) {
      const auto y = std::min(static_cast<int32_t>(top + i), plane_.height() - 1);
      std::memcpy(rows_[i], plane_.Row(y), width);
      std::memset(rows_[i] + width, rows_[i][width - 1], stride_ - width);
    }
    return rows_.data();
  }

 private:
  const Plane& plane_;
  const size_t stride_;
  std::vector<JSAMPLE> samples_;
  std::vector<JSAMPROW> rows_;
};

/// libjpeg's state and the bytes that it wrote. It ends a call that fails by a jump, which lands in
/// the function that made the call; those have nothing that would have to be destroyed.
class Compressor {
 public:
  Compressor() = default;
  ~Compressor() {
    if (created_) {
      jpeg_destroy_compress(&state_);
    }
    std::free(bytes_);
  }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  bool Start(Dimensions size, int32_t quality) {
    state_.err = jpeg_std_error(&errors_);
    errors_.error_exit = [](j_common_ptr state) {
      std::longjmp(static_cast<Compressor*>(state->client_data)->jump_, 1);
    };
    errors_.output_message = [](j_common_ptr /*state*/) {};
    state_.client_data = this;
    if (setjmp(jump_) != 0) {
      return false;
    }
    jpeg_create_compress(&state_);
    created_ = true;
    jpeg_mem_dest(&state_, &bytes_, &size_);
    state_.image_width = static_cast<unsigned>(size.width);
    state_.image_height = static_cast<unsigned>(size.height);
    state_.input_components = 3;
    state_.in_color_space = JCS_YCbCr;
    jpeg_set_defaults(&state_);
    jpeg_set_quality(&state_, quality, TRUE);
    state_.optimize_coding = TRUE;
    state_.raw_data_in = TRUE;
    jpeg_start_compress(&state_, TRUE);
    return true;
  }

  bool Write(JSAMPIMAGE planes) {
    if (setjmp(jump_) != 0) {
      return false;
    }
    return jpeg_write_raw_data(&state_, planes, 2 * kColorRows) == 2 * kColorRows;
  }

  bool Finish() {
    if (setjmp(jump_) != 0) {
      return false;
    }
    jpeg_finish_compress(&state_);
    return true;
  }

  std::string bytes() const { return {reinterpret_cast<const char*>(bytes_), size_}; }

 private:
  std::jmp_buf jump_;
  jpeg_error_mgr errors_ = {};
  jpeg_compress_struct state_ = {};
  bool created_ = false;
  unsigned char* bytes_ = nullptr;
  unsigned long size_ = 0;  // As libjpeg has it.
};

}  // namespace

Result<std::string> EncodeJpeg(const YuvPicture& picture, int32_t quality) {
  CHECK(picture.range == Range::kFull);
  Batch y(picture.y, 2 * kColorRows);
  Batch u(picture.u, kColorRows);
  Batch v(picture.v, kColorRows);
  Compressor compressor;
  bool well = compressor.Start(picture.size, quality);
  const auto color_height = static_cast<size_t>(picture.u.height());
  for (size_t top = 0; well && top < color_height; top += kColorRows) {
    std::array<JSAMPARRAY, 3> planes = {y.From(2 * top), u.From(top), v.From(top)};
    well = compressor.Write(planes.data());
  }
  if (!well || !compressor.Finish()) {
    return OutOfMemory();
  }
  return compressor.bytes();
}

}  // namespace tintype::darkroom
