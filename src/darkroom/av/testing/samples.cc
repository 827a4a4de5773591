#include "darkroom/av/testing/samples.h"

extern "C" {
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <optional>
#include <vector>

#include "base/check.h"
#include "base/strings.h"
#include "darkroom/av/libav.h"
#include "darkroom/testing/memory_file.h"

namespace tintype::darkroom::av {
namespace {

void FillPicture(const Sample& sample, AVFrame* frame, int number) {
  const AVPixFmtDescriptor* const format =
      av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame->format));
  const double time = static_cast<double>(number) / sample.frame_rate;
  const bool black = time < sample.black_seconds;
  const int second = static_cast<int>(time);
  const bool wide = format->comp[0].depth > 8;
  for (int plane = 0; plane < 3; ++plane) {
    const int shift = plane == 0 ? 0 : 1;
    for (int y = 0; y < frame->height >> shift; ++y) {
      uint8_t* const row = frame->data[plane] + ptrdiff_t{y} * frame->linesize[plane];
      for (int x = 0; x < frame->width >> shift; ++x) {
        int value = 128;
        if (plane == 0) {
          const bool box = (x + 3 * number) / 16 % 4 == 0 && y / 16 % 2 == second % 2;
          const bool mark = x < frame->width / 4 && y < frame->height / 4;
          const int pattern = box ? 220 : 40 + second * 67 % 120;
          value = mark ? 235 : pattern;
          value = black ? 16 : value;
        } else if (!black) {
          value = 64 + (second * (plane == 1 ? 61 : 97)) % 128;
        }
        if (wide) {
          const auto sample_value = static_cast<uint16_t>(value << (format->comp[0].depth - 8));
          std::memcpy(row + ptrdiff_t{2} * x, &sample_value, sizeof(sample_value));
        } else {
          row[x] = static_cast<uint8_t>(value);
        }
      }
    }
  }
}

float ToneAt(const Sample& sample, double time) {
  return time < sample.silent_seconds
             ? 0
             : static_cast<float>(0.8 * std::sin(2 * std::numbers::pi * 440 * time));
}

void FillSound(const Sample& sample, AVFrame* frame, int64_t first) {
  const auto format = static_cast<AVSampleFormat>(frame->format);
  const int channels = frame->ch_layout.nb_channels;
  const bool planar = av_sample_fmt_is_planar(format) != 0;
  for (int i = 0; i < frame->nb_samples; ++i) {
    const float value = ToneAt(sample, static_cast<double>(first + i) / frame->sample_rate);
    for (int channel = 0; channel < channels; ++channel) {
      uint8_t* const plane = frame->extended_data[planar ? channel : 0];
      const int at = planar ? i : i * channels + channel;
      if (av_get_packed_sample_fmt(format) == AV_SAMPLE_FMT_FLT) {
        reinterpret_cast<float*>(plane)[at] = value;
      } else if (av_get_packed_sample_fmt(format) == AV_SAMPLE_FMT_S32) {
        reinterpret_cast<int32_t*>(plane)[at] = static_cast<int32_t>(value * 2'000'000'000);
      } else {
        reinterpret_cast<int16_t*>(plane)[at] = static_cast<int16_t>(value * 32'000);
      }
    }
  }
}

/// A file that is being made.
class Maker {
 public:
  explicit Maker(const Sample& sample)
      : sample_(sample), url_(StrCat("/proc/self/fd/", file_.number())) {
    CHECK(avformat_alloc_output_context2(&context_, nullptr, sample.format.c_str(), url_.c_str()) >=
          0);
    context_->flags |= AVFMT_FLAG_BITEXACT;
    CHECK(avio_open(&context_->pb, url_.c_str(), AVIO_FLAG_WRITE) >= 0);
  }
  ~Maker() {
    avio_closep(&context_->pb);
    avformat_free_context(context_);
  }
  Maker(const Maker&) = delete;
  Maker& operator=(const Maker&) = delete;

  std::string Make() {
    if (!sample_.video.empty()) {
      AddVideo();
    }
    if (!sample_.audio.empty()) {
      AddAudio();
    }
    if (!sample_.cover.empty()) {
      AddCover();
    }
    for (const auto& [key, value] : sample_.tags) {
      av_dict_set(&context_->metadata, key.c_str(), value.c_str(), 0);
    }
    Options options;
    if (!sample_.movflags.empty()) {
      options.Set("movflags", sample_.movflags.c_str());
    }
    CHECK(avformat_write_header(context_, options.entries()) >= 0);
    WriteCover();
    WriteTracks();
    CHECK(av_write_trailer(context_) >= 0);
    avio_flush(context_->pb);
    return file_.Content();
  }

 private:
  struct Track {
    AVStream* stream = nullptr;
    CodecContext encoder;
    int64_t next = 0;  // Its next frame or sample.
    bool done = true;
  };

  void Open(Track& track, const AVCodec* codec) {
    if ((context_->oformat->flags & AVFMT_GLOBALHEADER) != 0) {
      track.encoder->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
    }
    track.encoder->flags |= AV_CODEC_FLAG_BITEXACT;
    track.encoder->thread_count = 1;
    track.encoder->strict_std_compliance = FF_COMPLIANCE_EXPERIMENTAL;
    Options options;
    if (sample_.video == "libx264" && codec->type == AVMEDIA_TYPE_VIDEO) {
      options.Set("preset", "ultrafast");
      options.Set("x264-params", "log-level=-1");
    }
    if (sample_.video.starts_with("libvpx") && codec->type == AVMEDIA_TYPE_VIDEO) {
      options.Set("deadline", "realtime");
      options.Set("cpu-used", int64_t{8});
    }
    CHECK(avcodec_open2(track.encoder.get(), codec, options.entries()) >= 0);
    track.stream = avformat_new_stream(context_, nullptr);
    CHECK(avcodec_parameters_from_context(track.stream->codecpar, track.encoder.get()) >= 0);
    track.stream->time_base = track.encoder->time_base;
    track.done = false;
  }

  void AddVideo() {
    const AVCodec* const codec = avcodec_find_encoder_by_name(sample_.video.c_str());
    CHECK(codec != nullptr);
    video_.encoder.reset(avcodec_alloc_context3(codec));
    AVCodecContext& encoder = *video_.encoder;
    encoder.width = sample_.width;
    encoder.height = sample_.height;
    encoder.pix_fmt = av_get_pix_fmt(sample_.pixel_format.c_str());
    encoder.time_base = {1, sample_.frame_rate};
    encoder.framerate = {sample_.frame_rate, 1};
    encoder.gop_size = sample_.keyframes_apart;
    encoder.bit_rate = 400'000;
    encoder.sample_aspect_ratio = {sample_.pixel_aspect_percent, 100};
    if (sample_.interlaced) {
      encoder.flags |= AV_CODEC_FLAG_INTERLACED_DCT | AV_CODEC_FLAG_INTERLACED_ME;
    }
    if (sample_.hdr) {
      encoder.color_trc = AVCOL_TRC_SMPTE2084;
      encoder.color_primaries = AVCOL_PRI_BT2020;
      encoder.colorspace = AVCOL_SPC_BT2020_NCL;
    }
    Open(video_, codec);
    video_.stream->sample_aspect_ratio = encoder.sample_aspect_ratio;
    video_.stream->avg_frame_rate = encoder.framerate;
    if (sample_.rotation != 0) {
      auto* const matrix = reinterpret_cast<int32_t*>(
          av_stream_new_side_data(video_.stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t)));
      av_display_rotation_set(matrix, sample_.rotation);
    }
  }

  void AddAudio() {
    const AVCodec* const codec = avcodec_find_encoder_by_name(sample_.audio.c_str());
    CHECK(codec != nullptr);
    audio_.encoder.reset(avcodec_alloc_context3(codec));
    AVCodecContext& encoder = *audio_.encoder;
    encoder.sample_rate = sample_.sample_rate;
    encoder.sample_fmt = codec->sample_fmts[0];
    av_channel_layout_default(&encoder.ch_layout, 2);
    encoder.bit_rate = 96'000;
    encoder.time_base = {1, sample_.sample_rate};
    Open(audio_, codec);
    for (const auto& [key, value] : sample_.audio_tags) {
      av_dict_set(&audio_.stream->metadata, key.c_str(), value.c_str(), 0);
    }
  }

  void AddCover() {
    cover_ = avformat_new_stream(context_, nullptr);
    cover_->codecpar->codec_type = AVMEDIA_TYPE_VIDEO;
    cover_->codecpar->codec_id = AV_CODEC_ID_MJPEG;
    cover_->codecpar->width = 64;
    cover_->codecpar->height = 64;
    cover_->time_base = {1, 90'000};
    cover_->disposition = AV_DISPOSITION_ATTACHED_PIC;
  }

  void WriteCover() {
    if (cover_ == nullptr) {
      return;
    }
    const Packet packet = NewPacket();
    CHECK(av_new_packet(packet.get(), static_cast<int>(sample_.cover.size())) >= 0);
    std::memcpy(packet->data, sample_.cover.data(), sample_.cover.size());
    packet->stream_index = cover_->index;
    packet->pts = packet->dts = 0;
    packet->flags |= AV_PKT_FLAG_KEY;
    CHECK(av_interleaved_write_frame(context_, packet.get()) >= 0);
  }

  void WriteTracks() {
    while (!video_.done || !audio_.done) {
      const double video_time = static_cast<double>(video_.next) / sample_.frame_rate;
      const double audio_time = static_cast<double>(audio_.next) / sample_.sample_rate;
      if (!video_.done && (audio_.done || video_time <= audio_time)) {
        EncodePicture(video_time >= sample_.seconds);
      } else {
        EncodeSound(audio_time >= sample_.seconds);
      }
    }
  }

  void EncodePicture(bool end) {
    const Frame frame = NewFrame();
    if (!end) {
      frame->width = sample_.width;
      frame->height = sample_.height;
      frame->format = video_.encoder->pix_fmt;
      frame->interlaced_frame = sample_.interlaced ? 1 : 0;
      frame->top_field_first = frame->interlaced_frame;
      CHECK(av_frame_get_buffer(frame.get(), 0) >= 0);
      FillPicture(sample_, frame.get(), static_cast<int>(video_.next));
      frame->pts = video_.next++;
    }
    Encode(video_, end ? nullptr : frame.get());
  }

  void EncodeSound(bool end) {
    const Frame frame = NewFrame();
    if (!end) {
      const int frame_size = audio_.encoder->frame_size;
      frame->nb_samples = frame_size > 0 ? frame_size : 1'024;
      frame->format = audio_.encoder->sample_fmt;
      frame->sample_rate = sample_.sample_rate;
      CHECK(av_channel_layout_copy(&frame->ch_layout, &audio_.encoder->ch_layout) >= 0);
      CHECK(av_frame_get_buffer(frame.get(), 0) >= 0);
      FillSound(sample_, frame.get(), audio_.next);
      frame->pts = audio_.next;
      audio_.next += frame->nb_samples;
    }
    Encode(audio_, end ? nullptr : frame.get());
  }

  void Encode(Track& track, const AVFrame* frame) {
    CHECK(avcodec_send_frame(track.encoder.get(), frame) >= 0);
    const Packet packet = NewPacket();
    while (avcodec_receive_packet(track.encoder.get(), packet.get()) >= 0) {
      av_packet_rescale_ts(packet.get(), track.encoder->time_base, track.stream->time_base);
      packet->stream_index = track.stream->index;
      CHECK(av_interleaved_write_frame(context_, packet.get()) >= 0);
    }
    track.done = frame == nullptr;
  }

  const Sample& sample_;
  const MemoryFile file_;
  const std::string url_;
  AVFormatContext* context_ = nullptr;
  Track video_;
  Track audio_;
  AVStream* cover_ = nullptr;
};

}  // namespace

std::string MakeSample(const Sample& sample) {
  av_log_set_level(AV_LOG_QUIET);
  return Maker(sample).Make();
}

double BrightnessAt(const std::string& jpeg, double x, double y) {
  const CodecContext decoder(avcodec_alloc_context3(avcodec_find_decoder(AV_CODEC_ID_MJPEG)));
  CHECK(avcodec_open2(decoder.get(), nullptr, nullptr) >= 0);
  const Packet packet = NewPacket();
  CHECK(av_new_packet(packet.get(), static_cast<int>(jpeg.size())) >= 0);
  std::memcpy(packet->data, jpeg.data(), jpeg.size());
  CHECK(avcodec_send_packet(decoder.get(), packet.get()) >= 0);
  const Frame frame = NewFrame();
  CHECK(avcodec_receive_frame(decoder.get(), frame.get()) >= 0);
  // The mean of an eighth of each side around the place.
  const int width = frame->width / 8;
  const int height = frame->height / 8;
  const int left =
      std::clamp(static_cast<int>(x * frame->width) - width / 2, 0, frame->width - width);
  const int top =
      std::clamp(static_cast<int>(y * frame->height) - height / 2, 0, frame->height - height);
  double sum = 0;
  for (int row = top; row < top + height; ++row) {
    for (int column = left; column < left + width; ++column) {
      sum += frame->data[0][ptrdiff_t{row} * frame->linesize[0] + column];
    }
  }
  return sum / (width * height);
}

std::string MakeJpeg(int width, int height) {
  const Sample picture = {.format = "image2pipe",
                          .video = "mjpeg",
                          .audio = "",
                          .width = width,
                          .height = height,
                          .seconds = 0.01,
                          .frame_rate = 25,
                          .pixel_format = "yuvj420p"};
  return MakeSample(picture);
}

}  // namespace tintype::darkroom::av
