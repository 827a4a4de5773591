#include "darkroom/av/still.h"

#include <utility>

#include "darkroom/av/filter_chain.h"

namespace tintype::darkroom::av {
namespace {

// Of libavcodec's scale for JPEG, 2 to 31, where less is better.
constexpr int kJpegQuality = 3;
constexpr char kWebpQuality[] = "82";

Result<std::string> EncodeStill(const char* encoder_name, const AVFrame* frame, Options& options) {
  const AVCodec* const codec = avcodec_find_encoder_by_name(encoder_name);
  CodecContext encoder(codec == nullptr ? nullptr : avcodec_alloc_context3(codec));
  if (encoder == nullptr) {
    return OutOfMemory();
  }
  encoder->width = frame->width;
  encoder->height = frame->height;
  encoder->pix_fmt = static_cast<AVPixelFormat>(frame->format);
  encoder->color_range = frame->format == AV_PIX_FMT_YUVJ420P ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
  encoder->time_base = {1, 25};
  encoder->thread_count = 1;
  if (codec->id == AV_CODEC_ID_MJPEG) {
    encoder->flags |= AV_CODEC_FLAG_QSCALE;
    encoder->global_quality = kJpegQuality * FF_QP2LAMBDA;
  }
  RETURN_IF_ERROR(CheckAv(avcodec_open2(encoder.get(), codec, options.entries()), "a picture"));
  const Frame copy = NewFrame();
  RETURN_IF_ERROR(CheckAv(av_frame_ref(copy.get(), frame), "a picture"));
  copy->pts = 0;
  copy->quality = encoder->global_quality;
  RETURN_IF_ERROR(CheckAv(avcodec_send_frame(encoder.get(), copy.get()), "a picture"));
  avcodec_send_frame(encoder.get(), nullptr);
  const Packet packet = NewPacket();
  RETURN_IF_ERROR(CheckAv(avcodec_receive_packet(encoder.get(), packet.get()), "a picture"));
  return std::string(reinterpret_cast<const char*>(packet->data),
                     static_cast<size_t>(packet->size));
}

}  // namespace

Result<Frame> RenderStill(AVFrame* frame, const AVStream* stream, int longest_side,
                          Purpose purpose) {
  const auto describe = [&](const AVFrame& first) {
    const PictureSize upright =
        UprightSize({first.width, first.height}, first.sample_aspect_ratio, stream);
    return PictureFilters(first, stream, FitWithin(upright, longest_side, longest_side), purpose);
  };
  Frame still;
  const auto take = [&](AVFrame* picture) {
    if (still == nullptr) {
      still = NewFrame();
      av_frame_move_ref(still.get(), picture);
    }
    return OkStatus();
  };
  // A chain for each: the filter that makes whole pictures of half ones waits for the next one.
  FilterChain chain(stream->time_base, describe);
  if (frame->pts == AV_NOPTS_VALUE) {
    frame->pts = 0;
  }
  RETURN_IF_ERROR(chain.Push(frame, take));
  RETURN_IF_ERROR(chain.Finish(take));
  if (still == nullptr) {
    return Damaged("a picture");
  }
  return still;
}

Result<std::string> EncodeJpeg(const AVFrame* frame) {
  Options options;
  return EncodeStill("mjpeg", frame, options);
}

Result<std::string> EncodeWebp(const AVFrame* frame) {
  Options options;
  options.Set("quality", kWebpQuality);
  options.Set("compression_level", int64_t{2});
  return EncodeStill("libwebp", frame, options);
}

Result<std::string> EncodePng(const AVFrame* frame) {
  Options options;
  return EncodeStill("png", frame, options);
}

}  // namespace tintype::darkroom::av
