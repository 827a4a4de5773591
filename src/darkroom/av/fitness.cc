#include "darkroom/av/fitness.h"

#include <algorithm>

#include "darkroom/av/picture_filters.h"

namespace tintype::darkroom::av {
namespace {

bool IsFitProfile(int profile) {
  switch (profile & ~FF_PROFILE_H264_CONSTRAINED) {
    case FF_PROFILE_H264_BASELINE:
    case FF_PROFILE_H264_MAIN:
    case FF_PROFILE_H264_HIGH:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool IsFitVideo(const Input& input, const AVStream* stream, int short_side) {
  const AVCodecParameters& video = *stream->codecpar;
  const int64_t bit_rate = video.bit_rate > 0 ? video.bit_rate : input.context()->bit_rate;
  return video.codec_id == AV_CODEC_ID_H264 &&
         (video.format == AV_PIX_FMT_YUV420P || video.format == AV_PIX_FMT_YUVJ420P) &&
         IsFitProfile(video.profile) && video.extradata_size > 0 &&
         std::min(video.width, video.height) <= short_side &&
         std::max(video.width, video.height) <= LongSideOf(short_side) &&
         video.field_order <= AV_FIELD_PROGRESSIVE && !IsHdr(video.color_trc) &&
         bit_rate <= kModestBitRate;
}

bool IsFitAudio(const AVStream* stream) {
  constexpr int kRateMax = 48'000;
  constexpr int64_t kBitsMax = 400'000;
  const AVCodecParameters& audio = *stream->codecpar;
  return audio.codec_id == AV_CODEC_ID_AAC && audio.profile == FF_PROFILE_AAC_LOW &&
         audio.ch_layout.nb_channels <= 2 && audio.sample_rate <= kRateMax &&
         audio.bit_rate <= kBitsMax;
}

}  // namespace tintype::darkroom::av
