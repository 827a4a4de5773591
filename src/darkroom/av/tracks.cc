#include "darkroom/av/tracks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "base/strings.h"
#include "darkroom/av/decode.h"
#include "darkroom/av/decoders.h"
#include "darkroom/av/fitness.h"
#include "darkroom/av/picture_filters.h"

namespace tintype::darkroom::av {
namespace {

constexpr int64_t kMinuteUs = 60'000'000;
constexpr int64_t kDayUs = 86'400'000'000;

/// Copies packets, with times that the muxer takes.
class CopiedTrack : public Track {
 public:
  using Track::Track;

  Status Take(AVPacket* packet) override {
    const bool video = in_->codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
    if (video && !wrote_any() && (packet->flags & AV_PKT_FLAG_KEY) == 0) {
      return OkStatus();  // Nothing can be decoded before the first keyframe.
    }
    if (packet->pts == AV_NOPTS_VALUE && packet->dts == AV_NOPTS_VALUE) {
      return OkStatus();
    }
    if (packet->pts == AV_NOPTS_VALUE) {
      packet->pts = packet->dts;
    }
    const auto pts = times_.Since(packet->pts, in_->time_base);
    const auto dts =
        packet->dts == AV_NOPTS_VALUE ? GuessDts(pts) : times_.Since(packet->dts, in_->time_base);
    if (!pts || !dts || *dts > *pts || (last_dts_ && *dts <= *last_dts_)) {
      return OkStatus();  // The muxer would give up.
    }
    packet->pts = *pts;
    packet->dts = *dts;
    last_dts_ = dts;
    return Write(packet, in_->time_base);
  }
  Status Finish() override { return OkStatus(); }
  bool copied() const override { return true; }

 private:
  // Matroska has none, and libav cannot tell those of the first packets. To drop these would be to
  // drop the first keyframe.
  std::optional<int64_t> GuessDts(std::optional<int64_t> pts) const {
    if (!pts || last_dts_) {
      return pts ? std::optional(*last_dts_ + 1) : std::nullopt;
    }
    const AVRational rate = in_->avg_frame_rate;
    const int64_t step =
        rate.num > 0 && rate.den > 0 ? av_rescale_q(1, av_inv_q(rate), in_->time_base) : 1;
    return *pts - in_->codecpar->video_delay * step;
  }

  std::optional<int64_t> last_dts_;
};

/// Decodes, filters and encodes.
class EncodedTrack : public Track {
 public:
  struct Parts {
    CodecContext decoder;
    CodecContext encoder;
    std::unique_ptr<FilterChain> chain;
    /// Frames that follow each other faster are left out; 0 for none.
    double rate_max = 0;
  };

  EncodedTrack(const Input& input, const TimeLine& times, const Mp4File& file, AVStream* in,
               AVStream* out, Parts parts)
      : Track(input, times, file, in, out), parts_(std::move(parts)) {}

  Status Take(AVPacket* packet) override { return Decode(packet); }

  Status Finish() override {
    RETURN_IF_ERROR(Decode(nullptr));
    RETURN_IF_ERROR(parts_.chain->Finish([this](AVFrame* frame) { return TakeFiltered(frame); }));
    return Encode(nullptr);
  }
  bool copied() const override { return false; }

 private:
  Status Decode(const AVPacket* packet) {
    const auto more = DecodePacket(
        parts_.decoder.get(), packet, input_.deadline(), [this](AVFrame* frame) -> Result<bool> {
          const auto time = frame->pts == AV_NOPTS_VALUE ? std::nullopt
                                                         : times_.Since(frame->pts, in_->time_base);
          if (time) {
            frame->pts = *time;
            RETURN_IF_ERROR(parts_.chain->Push(
                frame, [this](AVFrame* filtered) { return TakeFiltered(filtered); }));
          }
          return true;
        });
    return more.ok() ? OkStatus() : Status(more.error());
  }

  Status TakeFiltered(AVFrame* frame) {
    const AVRational base = parts_.encoder->time_base;
    frame->pts = av_rescale_q(frame->pts, parts_.chain->time_base(), base);
    if (last_pts_) {
      const double since = static_cast<double>(frame->pts - *last_pts_) * av_q2d(base);
      constexpr double kSlack = 0.92;  // Of variable rates.
      if (frame->pts <= *last_pts_ ||
          since * parts_.rate_max < (parts_.rate_max > 0 ? kSlack : 0)) {
        return OkStatus();
      }
    }
    last_pts_ = frame->pts;
    return Encode(frame);
  }

  Status Encode(const AVFrame* frame) {
    RETURN_IF_ERROR(input_.deadline().Check());
    const int sent = avcodec_send_frame(parts_.encoder.get(), frame);
    // x264 does not tell what it was; there is little else than memory.
    RETURN_IF_ERROR(sent == AVERROR_EXTERNAL ? OutOfMemory() : CheckAv(sent, "its encoding"));
    const Packet packet = NewPacket();
    while (avcodec_receive_packet(parts_.encoder.get(), packet.get()) >= 0) {
      RETURN_IF_ERROR(Write(packet.get(), parts_.encoder->time_base));
    }
    return OkStatus();
  }

  const Parts parts_;
  std::optional<int64_t> last_pts_;
};

Result<CodecContext> NewEncoder(const AVCodec* codec) {
  CodecContext encoder(codec == nullptr ? nullptr : avcodec_alloc_context3(codec));
  if (encoder == nullptr) {
    return OutOfMemory();
  }
  encoder->thread_count = 1;
  encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
  return encoder;
}

constexpr int kFrameRateMax = 60;

// Fine enough for pictures of any length, so that variable rates stay so.
AVRational VideoTimeBase(const AVStream* in) {
  const AVRational base = in->time_base;
  const bool fine = base.num > 0 && base.den >= 1'000 && base.den <= 1'000'000 &&
                    base.num < base.den / (4 * kFrameRateMax);
  return fine ? base : AVRational{1, 90'000};
}

AVRational VideoRate(const Input& input, AVStream* in) {
  const AVRational rate = av_guess_frame_rate(input.context(), in, nullptr);
  const bool sane = rate.num > 0 && rate.den > 0 && av_q2d(rate) <= kFrameRateMax;
  return sane ? rate : AVRational{kFrameRateMax, 1};
}

Result<CodecContext> OpenX264(PictureSize size, AVRational base, AVRational rate, int short_side) {
  constexpr int64_t kBitsMaxAt720 = 5'000'000;
  constexpr int kKeyframesApartS = 2;
  constexpr int64_t kUsualShortSide = 720;
  ASSIGN_OR_RETURN(CodecContext encoder, NewEncoder(avcodec_find_encoder_by_name("libx264")));
  encoder->width = size.width;
  encoder->height = size.height;
  encoder->pix_fmt = AV_PIX_FMT_YUV420P;
  encoder->time_base = base;
  encoder->framerate = rate;
  encoder->gop_size = std::max(1, static_cast<int>(std::lround(kKeyframesApartS * av_q2d(rate))));
  encoder->color_primaries = AVCOL_PRI_BT709;
  encoder->color_trc = AVCOL_TRC_BT709;
  encoder->colorspace = AVCOL_SPC_BT709;
  encoder->color_range = AVCOL_RANGE_MPEG;
  encoder->sample_aspect_ratio = {1, 1};
  // Grain would make proxies larger than films.
  const int64_t larger =
      std::max<int64_t>(int64_t{short_side} * short_side, kUsualShortSide * kUsualShortSide);
  encoder->rc_max_rate = kBitsMaxAt720 * larger / (kUsualShortSide * kUsualShortSide);
  encoder->rc_buffer_size = static_cast<int>(2 * encoder->rc_max_rate);
  Options options;
  options.Set("preset", "veryfast");
  options.Set("crf", int64_t{23});
  options.Set("profile", "high");
  RETURN_IF_ERROR(
      CheckAv(avcodec_open2(encoder.get(), encoder->codec, options.entries()), "its encoding"));
  return encoder;
}

Result<CodecContext> OpenAac(int sample_rate) {
  constexpr int64_t kBits = 128'000;
  ASSIGN_OR_RETURN(CodecContext encoder, NewEncoder(avcodec_find_encoder(AV_CODEC_ID_AAC)));
  encoder->sample_rate = sample_rate;
  encoder->sample_fmt = AV_SAMPLE_FMT_FLTP;
  av_channel_layout_default(&encoder->ch_layout, 2);
  encoder->bit_rate = kBits;
  encoder->time_base = {1, sample_rate};
  RETURN_IF_ERROR(CheckAv(avcodec_open2(encoder.get(), encoder->codec, nullptr), "its encoding"));
  return encoder;
}

// The file's stream that an encoder's packets go to.
Result<AVStream*> AddEncoded(const Mp4File& file, const AVCodecContext* encoder) {
  ASSIGN_OR_RETURN(AVStream* const out, file.AddStream());
  RETURN_IF_ERROR(CheckAv(avcodec_parameters_from_context(out->codecpar, encoder), "its encoding"));
  out->time_base = encoder->time_base;
  out->avg_frame_rate = encoder->framerate;
  return out;
}

// avcodec_parameters_copy leaves it out.
Status CopyRotation(const AVStream* in, AVStream* out) {
  size_t bytes = 0;
  const uint8_t* const matrix = av_stream_get_side_data(in, AV_PKT_DATA_DISPLAYMATRIX, &bytes);
  if (matrix == nullptr || bytes == 0) {
    return OkStatus();
  }
  uint8_t* const copy = av_stream_new_side_data(out, AV_PKT_DATA_DISPLAYMATRIX, bytes);
  if (copy == nullptr) {
    return OutOfMemory();
  }
  std::memcpy(copy, matrix, bytes);
  return OkStatus();
}

}  // namespace

TimeLine::TimeLine(const Input& input)
    : start_us_(input.start_us()),
      length_us_max_(input.duration_us() > 0 ? 2 * input.duration_us() + kMinuteUs : kDayUs) {}

std::optional<int64_t> TimeLine::Since(int64_t time, AVRational base) const {
  const int64_t us = av_rescale_q(time, base, AV_TIME_BASE_Q);
  int64_t since_us = 0;
  if (us == INT64_MIN || __builtin_sub_overflow(us, start_us_, &since_us) ||
      since_us > length_us_max_ || since_us < -kMinuteUs) {
    return std::nullopt;
  }
  int64_t since = 0;
  const int64_t start = av_rescale_q(start_us_, AV_TIME_BASE_Q, base);
  return __builtin_sub_overflow(time, start, &since) ? std::nullopt : std::optional(since);
}

Status Track::Write(AVPacket* packet, AVRational base) {
  packet->stream_index = out_->index;
  packet->pos = -1;
  av_packet_rescale_ts(packet, base, out_->time_base);  // Which the muxer has chosen.
  if (packet->pts != AV_NOPTS_VALUE) {
    const int64_t end = packet->pts + std::max<int64_t>(packet->duration, 0);
    end_us_ = std::max(end_us_, av_rescale_q(end, out_->time_base, AV_TIME_BASE_Q));
  }
  wrote_any_ = true;
  RETURN_IF_ERROR(file_.Write(packet));
  return input_.deadline().Check();
}

Result<std::unique_ptr<Track>> CopyTrack(const Input& input, const TimeLine& times,
                                         const Mp4File& file, AVStream* in) {
  ASSIGN_OR_RETURN(AVStream* const out, file.AddStream());
  RETURN_IF_ERROR(CheckAv(avcodec_parameters_copy(out->codecpar, in->codecpar), "its tracks"));
  out->codecpar->codec_tag = 0;  // MP4 may not have the one of the file.
  out->time_base = in->time_base;
  out->sample_aspect_ratio = in->sample_aspect_ratio;
  RETURN_IF_ERROR(CopyRotation(in, out));
  return std::unique_ptr<Track>(std::make_unique<CopiedTrack>(input, times, file, in, out));
}

Result<std::unique_ptr<Track>> EncodeVideoTrack(const Input& input, const TimeLine& times,
                                                const Mp4File& file, AVStream* in, int short_side) {
  EncodedTrack::Parts parts;
  ASSIGN_OR_RETURN(parts.decoder, OpenDecoder(input, in));
  // Frames may change their size on the way; the proxy does not.
  const AVCodecParameters& video = *in->codecpar;
  const PictureSize size =
      FitWithin(UprightSize({video.width, video.height}, video.sample_aspect_ratio, in),
                LongSideOf(short_side), short_side);
  const AVRational base = VideoTimeBase(in);
  ASSIGN_OR_RETURN(parts.encoder, OpenX264(size, base, VideoRate(input, in), short_side));
  parts.chain = std::make_unique<FilterChain>(in->time_base, [=](const AVFrame& frame) {
    return StrCat(PictureFilters(frame, in, size, Purpose::kFilm), ",settb=", base.num, "/",
                  base.den);
  });
  parts.rate_max = kFrameRateMax;
  ASSIGN_OR_RETURN(AVStream* const out, AddEncoded(file, parts.encoder.get()));
  return std::unique_ptr<Track>(
      std::make_unique<EncodedTrack>(input, times, file, in, out, std::move(parts)));
}

Result<std::unique_ptr<Track>> EncodeAudioTrack(const Input& input, const TimeLine& times,
                                                const Mp4File& file, AVStream* in) {
  EncodedTrack::Parts parts;
  ASSIGN_OR_RETURN(parts.decoder, OpenDecoder(input, in));
  constexpr int kRateOfDiscs = 44'100;
  const int rate = in->codecpar->sample_rate == kRateOfDiscs ? kRateOfDiscs : 48'000;
  ASSIGN_OR_RETURN(parts.encoder, OpenAac(rate));
  // Silence for gaps, such as lost packets leave.
  const std::string filters =
      StrCat("aresample=", rate,
             ":async=1:min_hard_comp=0.1,aformat=sample_fmts=fltp:channel_layouts=stereo");
  parts.chain = std::make_unique<FilterChain>(
      in->time_base, [filters](const AVFrame& /*frame*/) { return filters; },
      parts.encoder->frame_size);
  ASSIGN_OR_RETURN(AVStream* const out, AddEncoded(file, parts.encoder.get()));
  return std::unique_ptr<Track>(
      std::make_unique<EncodedTrack>(input, times, file, in, out, std::move(parts)));
}

}  // namespace tintype::darkroom::av
