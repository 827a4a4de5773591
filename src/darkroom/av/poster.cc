#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "darkroom/av/cover.h"
#include "darkroom/av/decode.h"
#include "darkroom/av/decoders.h"
#include "darkroom/av/operations.h"
#include "darkroom/av/output_file.h"
#include "darkroom/av/sound.h"
#include "darkroom/av/still.h"
#include "darkroom/av/waveform_picture.h"

namespace tintype::darkroom::av {
namespace {

// From which interest on a picture is good enough: a black one has none, a face in front of a wall
// twice as much.
constexpr double kEnough = 12;
// How far a keyframe is looked for, and how many pictures are decoded when keyframes are all black.
constexpr int kPacketsMax = 600;
constexpr int kFramesDecodedMax = 300;
constexpr int kFramesApart = 15;

/// How much there is to see in a picture: the spread of its brightness.
double InterestOf(const AVFrame& frame) {
  constexpr int kStep = 4;
  double sum = 0;
  double squares = 0;
  int64_t count = 0;
  for (int y = 0; y < frame.height; y += kStep) {
    const uint8_t* const row = frame.data[0] + ptrdiff_t{y} * frame.linesize[0];
    for (int x = 0; x < frame.width; x += kStep) {
      sum += row[x];
      squares += double{1} * row[x] * row[x];
      ++count;
    }
  }
  const double mean = sum / static_cast<double>(count);
  const double spread =
      std::sqrt(std::max(0.0, squares / static_cast<double>(count) - mean * mean));
  constexpr double kDark = 20;
  constexpr double kBright = 240;
  return mean < kDark || mean > kBright ? spread / 4 : spread;
}

/// Looks for the picture of a film that shows most.
class PosterFrame {
 public:
  PosterFrame(Input& input, int longest_side)
      : input_(input), stream_(input.video()), longest_side_(longest_side) {}

  /// Empty when no picture could be decoded.
  Result<Frame> Find() {
    input_.Select(stream_);
    RETURN_IF_ERROR(TryKeyframes());
    if (interest_ < kEnough) {
      RETURN_IF_ERROR(TryAll());
    }
    return std::move(best_);
  }

  /// Of the one that was found.
  int64_t time_ms() const { return time_ms_; }

 private:
  // At some places, the best of which is a tenth into the film: titles are over, and little is
  // given away.
  Status TryKeyframes() {
    ASSIGN_OR_RETURN(const CodecContext decoder,
                     OpenDecoder(input_, stream_, Skip::kAllButKeyframes));
    const Frame frame = NewFrame();
    for (const int percent : {10, 15, 20, 30, 50, 5, 0}) {
      const int64_t duration_us = input_.duration_us();
      if (duration_us == 0 && percent != 0) {
        continue;
      }
      if (!input_.SeekBefore(input_.start_us() + duration_us / 100 * percent) && percent != 10) {
        continue;  // Without an index it is read from where it is, once.
      }
      RETURN_IF_ERROR(DecodeKeyframe(input_, stream_, decoder.get(), kPacketsMax, frame.get()));
      if (frame->width > 0) {
        RETURN_IF_ERROR(Consider(frame.get()));
      }
      if (interest_ >= kEnough) {
        break;
      }
    }
    return OkStatus();
  }

  // Keyframes may be few, and all of them dull: a fade-in, or a phone's eight seconds between two.
  Status TryAll() {
    ASSIGN_OR_RETURN(const CodecContext decoder, OpenDecoder(input_, stream_));
    if (!input_.SeekBefore(input_.start_us() + input_.duration_us() / 10)) {
      input_.Rewind();
    }
    int count = 0;
    return DecodeStream(input_, stream_, decoder.get(), [&](AVFrame* frame) -> Result<bool> {
      if (count++ % kFramesApart == 0) {
        RETURN_IF_ERROR(Consider(frame));
      }
      return interest_ < kEnough && count < kFramesDecodedMax;
    });
  }

  // Takes what is in the frame. One that cannot be rendered is no reason to have none at all.
  Status Consider(AVFrame* frame) {
    const int64_t pts = frame->pts;
    auto picture = RenderStill(frame, stream_, longest_side_, Purpose::kJpeg);
    if (!picture.ok()) {
      const bool damaged = KindOf(picture.error()) == FailureKind::kCorrupt;
      return damaged ? OkStatus() : Status(picture.error());
    }
    const double interest = InterestOf(**picture);
    if (interest > interest_ || best_ == nullptr) {
      interest_ = interest;
      best_ = *std::move(picture);
      time_ms_ = pts == AV_NOPTS_VALUE ? 0 : TimeOf(pts);
    }
    return OkStatus();
  }

  int64_t TimeOf(int64_t pts) const {
    const int64_t us = av_rescale_q(pts, stream_->time_base, AV_TIME_BASE_Q);
    return ToMs(us - input_.start_us());
  }

  Input& input_;
  const AVStream* const stream_;
  const int longest_side_;
  Frame best_;
  double interest_ = -1;
  int64_t time_ms_ = 0;
};

Result<Poster> Write(const PosterRequest& request, const std::string& bytes, Poster poster) {
  RETURN_IF_ERROR(Truncate(request.output));
  RETURN_IF_ERROR(WriteAt(request.output, 0, bytes));
  poster.bytes = static_cast<int64_t>(bytes.size());
  return poster;
}

// Nothing when no picture of the film can be decoded.
Result<std::optional<Poster>> FramePoster(const PosterRequest& request, Input& input) {
  PosterFrame finder(input, request.longest_side);
  ASSIGN_OR_RETURN(const Frame frame, finder.Find());
  if (frame == nullptr) {
    return std::optional<Poster>();
  }
  ASSIGN_OR_RETURN(const std::string bytes, EncodeJpeg(frame.get()));
  ASSIGN_OR_RETURN(Poster poster, Write(request, bytes,
                                        {.width = frame->width,
                                         .height = frame->height,
                                         .time_ms = finder.time_ms(),
                                         .media_type = "image/jpeg",
                                         .source = PosterSource::kFrame}));
  return std::optional(std::move(poster));
}

Result<Poster> DrawnPoster(const PosterRequest& request, Input& input) {
  Peaks peaks(kWaveformPictureBars);
  RETURN_IF_ERROR(DecodeSound(input, [&](std::span<const int16_t> samples) {
    peaks.Add(samples);
    return OkStatus();
  }));
  ASSIGN_OR_RETURN(const std::string bytes, DrawWaveform(peaks.Finish()));
  return Write(request, bytes,
               {.width = kWaveformPictureWidth,
                .height = kWaveformPictureHeight,
                .media_type = "image/png",
                .source = PosterSource::kWaveform});
}

}  // namespace

Result<Poster> RunPoster(const PosterRequest& request, Input& input) {
  if (input.video() != nullptr) {
    ASSIGN_OR_RETURN(auto poster, FramePoster(request, input));
    if (poster) {
      return *std::move(poster);
    }
  }
  ASSIGN_OR_RETURN(const auto cover, FindCover(input));
  if (cover) {
    return Write(request, cover->bytes,
                 {.width = cover->size.width,
                  .height = cover->size.height,
                  .media_type = cover->media_type,
                  .source = PosterSource::kCover});
  }
  if (input.audio() == nullptr) {
    return Damaged("none of its pictures can be decoded");
  }
  // The pictures of a film were looked for up to its end.
  input.Rewind();
  return DrawnPoster(request, input);
}

}  // namespace tintype::darkroom::av
