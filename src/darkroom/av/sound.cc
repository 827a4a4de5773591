#include "darkroom/av/sound.h"

extern "C" {
#include <libavutil/channel_layout.h>
#include <libswresample/swresample.h>
}

#include <algorithm>
#include <memory>
#include <vector>

#include "darkroom/av/decode.h"
#include "darkroom/av/decoders.h"
#include "darkroom/media_requests.h"

namespace tintype::darkroom::av {
namespace {

// Later than that the file is lying, or its sound is of no use to anybody.
constexpr int64_t kSilenceUsMax = int64_t{3600} * 1'000'000;

/// Makes one channel of 16 kHz of whatever comes, which may change its rate and channels on the
/// way.
class Resampler {
 public:
  explicit Resampler(const TakeSamples& take) : take_(take) {}
  ~Resampler() { swr_free(&context_); }
  Resampler(const Resampler&) = delete;
  Resampler& operator=(const Resampler&) = delete;

  Status Push(const AVFrame& frame) {
    if (Differs(frame)) {
      RETURN_IF_ERROR(Finish());
      RETURN_IF_ERROR(Begin(frame));
    }
    return Convert(const_cast<const uint8_t**>(frame.extended_data), frame.nb_samples);
  }

  Status Finish() { return context_ == nullptr ? OkStatus() : Convert(nullptr, 0); }

 private:
  bool Differs(const AVFrame& frame) const {
    return context_ == nullptr || frame.sample_rate != rate_ || frame.format != format_ ||
           frame.ch_layout.nb_channels != channels_;
  }

  Status Begin(const AVFrame& frame) {
    swr_free(&context_);
    AVChannelLayout mono = AV_CHANNEL_LAYOUT_MONO;
    AVChannelLayout from = {};
    if (frame.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
      av_channel_layout_default(&from, frame.ch_layout.nb_channels);
    } else {
      RETURN_IF_ERROR(CheckAv(av_channel_layout_copy(&from, &frame.ch_layout), "its sound"));
    }
    const int made = swr_alloc_set_opts2(&context_, &mono, AV_SAMPLE_FMT_S16, kSpeechSampleRate,
                                         &from, static_cast<AVSampleFormat>(frame.format),
                                         frame.sample_rate, 0, nullptr);
    av_channel_layout_uninit(&from);
    RETURN_IF_ERROR(CheckAv(made, "its sound"));
    RETURN_IF_ERROR(CheckAv(swr_init(context_), "its sound"));
    rate_ = frame.sample_rate;
    format_ = frame.format;
    channels_ = frame.ch_layout.nb_channels;
    return OkStatus();
  }

  Status Convert(const uint8_t** from, int count) {
    const int room = std::max(1024, swr_get_out_samples(context_, count));
    samples_.resize(static_cast<size_t>(room));
    auto* to = reinterpret_cast<uint8_t*>(samples_.data());
    const int got = swr_convert(context_, &to, room, from, count);
    RETURN_IF_ERROR(CheckAv(got, "its sound"));
    return take_(std::span(samples_).first(static_cast<size_t>(got)));
  }

  const TakeSamples& take_;
  SwrContext* context_ = nullptr;
  int rate_ = 0;
  int format_ = -1;
  int channels_ = 0;
  std::vector<int16_t> samples_;
};

Status TakeSilence(int64_t duration_us, const TakeSamples& take) {
  constexpr size_t kPiece = 16'384;
  static const std::vector<int16_t> silence(kPiece);
  auto left = static_cast<size_t>(std::clamp<int64_t>(duration_us, 0, kSilenceUsMax) *
                                  kSpeechSampleRate / 1'000'000);
  while (left > 0) {
    const size_t count = std::min(left, kPiece);
    RETURN_IF_ERROR(take(std::span(silence).first(count)));
    left -= count;
  }
  return OkStatus();
}

}  // namespace

Status DecodeSound(Input& input, const TakeSamples& take) {
  const AVStream* const stream = input.audio();
  if (stream == nullptr) {
    return MakeFailure(FailureKind::kUnsupportedType, "The file has no sound that can be decoded");
  }
  input.Select(stream);
  ASSIGN_OR_RETURN(const CodecContext decoder, OpenDecoder(input, stream));
  Resampler resampler(take);
  bool first = true;
  const auto resample = [&](AVFrame* frame) -> Result<bool> {
    if (first && frame->pts != AV_NOPTS_VALUE) {
      const int64_t at_us = av_rescale_q(frame->pts, stream->time_base, AV_TIME_BASE_Q);
      int64_t late_us = 0;
      if (!__builtin_sub_overflow(at_us, input.start_us(), &late_us)) {
        RETURN_IF_ERROR(TakeSilence(late_us, take));
      }
    }
    first = false;
    RETURN_IF_ERROR(resampler.Push(*frame));
    return true;
  };
  RETURN_IF_ERROR(DecodeStream(input, stream, decoder.get(), resample));
  RETURN_IF_ERROR(resampler.Finish());
  if (first) {
    return Damaged("none of its sound can be decoded");
  }
  return OkStatus();
}

}  // namespace tintype::darkroom::av
