#include "darkroom/imaging/planes/jpeg_reader.h"

#include <unistd.h>

#include <jerror.h>

#include <algorithm>
#include <bit>
#include <cerrno>

namespace tintype::darkroom {
namespace {

// A progressive file may have as many as it likes, each of which costs a pass over the image.
constexpr int kScansMax = 100;

JpegReader* OwnerOf(j_common_ptr state) { return static_cast<JpegReader*>(state->client_data); }

bool IsDamage(int message) {
  return message == JWRN_HIT_MARKER || message == JWRN_HUFF_BAD_CODE ||
         message == JWRN_ARITH_BAD_CODE || message == JWRN_MUST_RESYNC || message == JWRN_JPEG_EOF;
}

}  // namespace

/// What libjpeg calls. It may not be left by an exception.
struct JpegReader::Callbacks {
  [[noreturn]] static void Fail(j_common_ptr state) { std::longjmp(OwnerOf(state)->jump_, 1); }

  static void Note(j_common_ptr state, int level) {
    if (level < 0 && IsDamage(state->err->msg_code)) {
      JpegReader& reader = *OwnerOf(state);
      // libjpeg warns of an early end as well, after it was noted.
      if (reader.damage_ == Damage::kNone) {
        reader.damage_ = Damage::kDamaged;
      }
    }
  }

  static void WriteNothing(j_common_ptr /*state*/) {}

  static void DoNothing(j_decompress_ptr /*state*/) {}

  static boolean Fill(j_decompress_ptr state) {
    JpegReader& reader = *OwnerOf(reinterpret_cast<j_common_ptr>(state));
    ssize_t count = 0;
    do {
      count = ::pread(reader.input_, reader.buffer_.get(), kBufferBytes, reader.offset_);
    } while (count < 0 && errno == EINTR);
    if (count <= 0) {
      // The end that the file should have had.
      reader.NoteEnd();
      reader.buffer_[0] = 0xFF;
      reader.buffer_[1] = JPEG_EOI;
      count = 2;
    } else {
      reader.offset_ += count;
    }
    reader.source_.next_input_byte = reader.buffer_.get();
    reader.source_.bytes_in_buffer = static_cast<size_t>(count);
    return TRUE;
  }

  static void Skip(j_decompress_ptr state, long count) {
    jpeg_source_mgr& source = *state->src;
    if (count <= 0) {
      return;
    }
    const auto wanted = static_cast<size_t>(count);
    const size_t here = std::min(wanted, source.bytes_in_buffer);
    source.next_input_byte += here;
    source.bytes_in_buffer -= here;
    OwnerOf(reinterpret_cast<j_common_ptr>(state))->offset_ += static_cast<int64_t>(wanted - here);
  }

  static void CountScans(j_common_ptr state) {
    if (reinterpret_cast<j_decompress_ptr>(state)->input_scan_number > kScansMax) {
      Fail(state);
    }
  }
};

JpegReader::JpegReader(int input)
    : input_(input),
      state_(std::make_unique<jpeg_decompress_struct>()),
      buffer_(std::make_unique<uint8_t[]>(kBufferBytes)) {}

JpegReader::~JpegReader() {
  if (created_) {
    jpeg_destroy_decompress(state_.get());
  }
}

void JpegReader::NoteEnd() {
  if (damage_ == Damage::kNone && state_->input_scan_number <= 1) {
    const auto rows_at_once = static_cast<unsigned>(DCTSIZE * state_->max_v_samp_factor);
    rows_there_ =
        static_cast<int32_t>(std::min(state_->input_iMCU_row * rows_at_once, state_->image_height));
  }
  damage_ = Damage::kTruncated;
}

bool JpegReader::ReadHeader() {
  state_->err = jpeg_std_error(&errors_);
  errors_.error_exit = Callbacks::Fail;
  errors_.emit_message = Callbacks::Note;
  errors_.output_message = Callbacks::WriteNothing;
  state_->client_data = this;
  if (setjmp(jump_) != 0) {
    return false;
  }
  jpeg_create_decompress(state_.get());
  created_ = true;
  source_.init_source = Callbacks::DoNothing;
  source_.fill_input_buffer = Callbacks::Fill;
  source_.skip_input_data = Callbacks::Skip;
  source_.resync_to_restart = jpeg_resync_to_restart;
  source_.term_source = Callbacks::DoNothing;
  progress_.progress_monitor = Callbacks::CountScans;
  state_->src = &source_;
  state_->progress = &progress_;
  jpeg_read_header(state_.get(), TRUE);
  const bool gray = state_->jpeg_color_space == JCS_GRAYSCALE && state_->num_components == 1;
  const bool colored = state_->jpeg_color_space == JCS_YCbCr && state_->num_components == 3;
  return (gray || colored) && state_->data_precision == 8;
}

Dimensions JpegReader::size() const {
  return {static_cast<int32_t>(state_->image_width), static_cast<int32_t>(state_->image_height)};
}

bool JpegReader::Start(int side) {
  if (setjmp(jump_) != 0) {
    return false;
  }
  // It has fast ways for powers of two alone.
  state_->scale_num = std::bit_ceil(static_cast<unsigned>(side));
  state_->scale_denom = DCTSIZE;
  state_->out_color_space = state_->jpeg_color_space;
  state_->raw_data_out = TRUE;
  return jpeg_start_decompress(state_.get()) != FALSE;
}

bool JpegReader::StartReduced(int side) {
  const auto scan = offset_ - static_cast<int64_t>(source_.bytes_in_buffer);
  reduced_ = ReducedScan::Open(*state_, input_, scan, side);
  return reduced_ != nullptr;
}

bool JpegReader::finished() const {
  return reduced_ != nullptr ? reduced_->finished()
                             : state_->output_scanline >= state_->output_height;
}

JpegPlane JpegReader::plane(size_t i) const {
  if (reduced_ != nullptr) {
    return reduced_->plane(i);
  }
  const jpeg_component_info& component = state_->comp_info[i];
  JpegPlane plane;
  plane.size = {static_cast<int32_t>(component.downsampled_width),
                static_cast<int32_t>(component.downsampled_height)};
  const double scaled = static_cast<double>(component.DCT_scaled_size) / DCTSIZE;
  plane.density_across = scaled * component.h_samp_factor / state_->max_h_samp_factor;
  plane.density_down = scaled * component.v_samp_factor / state_->max_v_samp_factor;
  plane.batch = component.v_samp_factor * component.DCT_scaled_size;
  return plane;
}

bool JpegReader::ReadBatch(std::span<uint8_t** const> rows) {
  if (reduced_ != nullptr) {
    return reduced_->ReadBatch(rows);
  }
  if (setjmp(jump_) != 0) {
    return false;
  }
  const auto lines = static_cast<unsigned>(state_->max_v_samp_factor * state_->min_DCT_scaled_size);
  // It takes an array that it does not change as one that it might.
  auto* planes = const_cast<JSAMPIMAGE>(rows.data());
  return jpeg_read_raw_data(state_.get(), planes, lines) != 0;
}

}  // namespace tintype::darkroom
