#include "darkroom/av/decoders.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace tintype::darkroom::av {
namespace {

constexpr std::array kDecoders = {
    // Films. MJPEG and PNG are covers, too.
    AV_CODEC_ID_H264,
    AV_CODEC_ID_HEVC,
    AV_CODEC_ID_VP8,
    AV_CODEC_ID_VP9,
    AV_CODEC_ID_AV1,
    AV_CODEC_ID_MPEG1VIDEO,
    AV_CODEC_ID_MPEG2VIDEO,
    AV_CODEC_ID_MPEG4,
    AV_CODEC_ID_H263,
    AV_CODEC_ID_FLV1,
    AV_CODEC_ID_VP6F,
    AV_CODEC_ID_MJPEG,
    AV_CODEC_ID_PNG,
    AV_CODEC_ID_PRORES,
    AV_CODEC_ID_DNXHD,
    AV_CODEC_ID_DVVIDEO,
    AV_CODEC_ID_MSMPEG4V2,
    AV_CODEC_ID_MSMPEG4V3,
    AV_CODEC_ID_WMV3,
    AV_CODEC_ID_VC1,
    AV_CODEC_ID_THEORA,
    // Sound.
    AV_CODEC_ID_AAC,
    AV_CODEC_ID_MP3,
    AV_CODEC_ID_MP2,
    AV_CODEC_ID_AC3,
    AV_CODEC_ID_EAC3,
    AV_CODEC_ID_FLAC,
    AV_CODEC_ID_ALAC,
    AV_CODEC_ID_VORBIS,
    AV_CODEC_ID_OPUS,
    AV_CODEC_ID_DTS,
    AV_CODEC_ID_AMR_NB,
    AV_CODEC_ID_AMR_WB,
    AV_CODEC_ID_WMAV2,
    AV_CODEC_ID_PCM_S16LE,
    AV_CODEC_ID_PCM_S16BE,
    AV_CODEC_ID_PCM_S24LE,
    AV_CODEC_ID_PCM_S24BE,
    AV_CODEC_ID_PCM_S32LE,
    AV_CODEC_ID_PCM_S32BE,
    AV_CODEC_ID_PCM_F32LE,
    AV_CODEC_ID_PCM_F32BE,
    AV_CODEC_ID_PCM_U8,
    AV_CODEC_ID_PCM_MULAW,
    AV_CODEC_ID_PCM_ALAW,
    AV_CODEC_ID_PCM_BLURAY,
    AV_CODEC_ID_ADPCM_IMA_QT,
    AV_CODEC_ID_ADPCM_MS,
    AV_CODEC_ID_ADPCM_IMA_WAV,
};

// Of 1 Hz sixteen thousand times as many samples would be made in one block.
constexpr int kSampleRateMin = 4'000;
constexpr int kSampleRateMax = 768'000;
constexpr int kChannelsMax = 24;

Status CheckSize(const Input& input, const AVCodecParameters& parameters) {
  if (parameters.codec_type == AVMEDIA_TYPE_VIDEO) {
    const int64_t pixels = int64_t{parameters.width} * parameters.height;
    if (pixels > input.pixels_max()) {
      return MakeFailure(FailureKind::kTooLarge,
                         StrCat("The video has ", parameters.width, " x ", parameters.height,
                                " pixels; at most ", input.pixels_max(), " are allowed"));
    }
    return OkStatus();
  }
  if (parameters.sample_rate < kSampleRateMin || parameters.sample_rate > kSampleRateMax ||
      parameters.ch_layout.nb_channels < 1 || parameters.ch_layout.nb_channels > kChannelsMax) {
    return Damaged(StrCat("sound of ", parameters.sample_rate, " Hz with ",
                          parameters.ch_layout.nb_channels, " channels"));
  }
  return OkStatus();
}

}  // namespace

bool CanDecode(AVCodecID codec) { return std::ranges::find(kDecoders, codec) != kDecoders.end(); }

const std::string& DecoderNames() {
  static const std::string names = [] {
    std::string list;
    void* place = nullptr;
    while (const AVCodec* codec = av_codec_iterate(&place)) {
      // Those that use a graphics card, as their names end, open devices by name.
      const bool hardware = (codec->capabilities & (AV_CODEC_CAP_HARDWARE | AV_CODEC_CAP_HYBRID));
      if (av_codec_is_decoder(codec) != 0 && !hardware && CanDecode(codec->id)) {
        StrAppend(list, list.empty() ? "" : ",", codec->name);
      }
    }
    return list;
  }();
  return names;
}

Result<CodecContext> OpenDecoder(const Input& input, const AVStream* stream, Skip skip) {
  const AVCodecParameters& parameters = *stream->codecpar;
  const AVCodec* const codec =
      CanDecode(parameters.codec_id) ? avcodec_find_decoder(parameters.codec_id) : nullptr;
  if (codec == nullptr) {
    return MakeFailure(
        FailureKind::kUnsupportedType,
        StrCat("The codec ", avcodec_get_name(parameters.codec_id), " is not supported"));
  }
  RETURN_IF_ERROR(CheckSize(input, parameters));
  CodecContext decoder(avcodec_alloc_context3(codec));
  if (decoder == nullptr) {
    return OutOfMemory();
  }
  RETURN_IF_ERROR(CheckAv(avcodec_parameters_to_context(decoder.get(), &parameters), "its codec"));
  decoder->pkt_timebase = stream->time_base;
  decoder->max_pixels = input.pixels_max();
  decoder->thread_count = 1;  // The parallelism is in the number of helpers.
  if (skip == Skip::kAllButKeyframes) {
    decoder->skip_frame = AVDISCARD_NONKEY;
  }
  RETURN_IF_ERROR(CheckAv(avcodec_open2(decoder.get(), codec, nullptr), "its codec"));
  return decoder;
}

}  // namespace tintype::darkroom::av
