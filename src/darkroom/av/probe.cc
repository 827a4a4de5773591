extern "C" {
#include <libavutil/pixdesc.h>
}

#include <algorithm>
#include <cmath>
#include <string>

#include "base/strings.h"
#include "darkroom/av/cover.h"
#include "darkroom/av/ending.h"
#include "darkroom/av/fitness.h"
#include "darkroom/av/operations.h"
#include "darkroom/av/orientation.h"
#include "darkroom/av/picture_filters.h"
#include "darkroom/av/tags.h"
#include "darkroom/protocol/clean_text.h"

namespace tintype::darkroom::av {
namespace {

std::string NameOf(const char* name) {
  return name == nullptr ? "" : CleanText(name, kMediaNameBytesMax);
}

int64_t BitRateOf(int64_t bits) {
  constexpr int64_t kBitRateMax = 100'000'000'000;  // More is nonsense.
  return bits < 0 || bits > kBitRateMax ? 0 : bits;
}

// As people write it. Codecs count it in different parts.
std::string LevelOf(const AVCodecParameters& video) {
  int tenths = 0;
  if (video.codec_id == AV_CODEC_ID_H264) {
    tenths = video.level;
  } else if (video.codec_id == AV_CODEC_ID_HEVC) {
    tenths = video.level / 3;
  }
  return tenths > 0 && tenths < 1000 ? StrCat(tenths / 10, ".", tenths % 10) : "";
}

std::string PixelFormatOf(const AVCodecParameters& video) {
  return NameOf(av_get_pix_fmt_name(static_cast<AVPixelFormat>(video.format)));
}

double FrameRateOf(const Input& input, AVStream* stream) {
  constexpr double kRateMax = 1'000;
  const AVRational rate = av_guess_frame_rate(input.context(), stream, nullptr);
  const double value = rate.num > 0 && rate.den > 0 ? av_q2d(rate) : 0;
  return value > kRateMax ? 0 : value;
}

MediaStreamVideo VideoOf(const Input& input) {
  AVStream* const stream = input.video();
  const AVCodecParameters& video = *stream->codecpar;
  const PictureSize size =
      UprightSize({video.width, video.height}, video.sample_aspect_ratio, stream);
  return {.width = size.width,
          .height = size.height,
          .frame_rate = FrameRateOf(input, stream),
          .bit_rate = BitRateOf(video.bit_rate),
          .codec = NameOf(avcodec_get_name(video.codec_id)),
          .profile = NameOf(avcodec_profile_name(video.codec_id, video.profile)),
          .level = LevelOf(video),
          .pixel_format = PixelFormatOf(video),
          .color_space = video.color_space == AVCOL_SPC_UNSPECIFIED
                             ? ""
                             : NameOf(av_color_space_name(video.color_space)),
          .rotation = RotationOf(stream),
          .hdr = IsHdr(video.color_trc)};
}

std::string_view TagOf(const AVDictionary* tags, const char* key) {
  const AVDictionaryEntry* const entry = av_dict_get(tags, key, nullptr, 0);
  return entry == nullptr ? std::string_view() : std::string_view(entry->value);
}

MediaStreamAudio AudioOf(const AVStream* stream) {
  const AVCodecParameters& audio = *stream->codecpar;
  return {.channels = audio.ch_layout.nb_channels,
          .sample_rate = audio.sample_rate,
          .bit_rate = BitRateOf(audio.bit_rate),
          .codec = NameOf(avcodec_get_name(audio.codec_id)),
          .profile = NameOf(avcodec_profile_name(audio.codec_id, audio.profile)),
          .language = LanguageFromTag(TagOf(stream->metadata, "language"))};
}

/// What a file says in words. Ogg has its tags with the stream.
class Tags {
 public:
  explicit Tags(const Input& input)
      : lists_{input.context()->metadata, input.video() ? input.video()->metadata : nullptr,
               input.audio() ? input.audio()->metadata : nullptr} {}

  /// The first of these keys that there is.
  std::string_view Find(std::initializer_list<const char*> keys) const {
    for (const AVDictionary* list : lists_) {
      for (const char* key : keys) {
        const std::string_view text = TagOf(list, key);
        if (!text.empty()) {
          return text;
        }
      }
    }
    return {};
  }
  std::string Text(std::initializer_list<const char*> keys) const {
    return CleanText(Find(keys), kMediaTextBytesMax);
  }

 private:
  const AVDictionary* lists_[3];
};

std::string TakenAt(const Tags& tags) {
  // The first has the camera's own offset; the second is in UTC.
  for (const char* key : {"com.apple.quicktime.creationdate", "creation_time", "date"}) {
    std::string time = TimeFromTag(tags.Find({key}));
    if (!time.empty()) {
      return time;
    }
  }
  return "";
}

int64_t BitRateOf(const Input& input) {
  constexpr int64_t kBitsPerByte = 8;
  constexpr int64_t kUsPerSecond = 1'000'000;
  const int64_t stated = BitRateOf(input.context()->bit_rate);
  if (stated > 0 || input.duration_us() == 0) {
    return stated;
  }
  return BitRateOf(av_rescale(input.size() * kBitsPerByte, kUsPerSecond, input.duration_us()));
}

bool StreamsAlready(const Input& input, const MediaProbe& probe) {
  constexpr int kShortSide = 720;
  if (probe.truncated) {
    return false;
  }
  const bool mp4 = probe.container == "video/mp4" || probe.container == "audio/mp4";
  const bool sound_fits = !probe.audio || IsFitAudio(input.audio());
  if (probe.video) {
    return mp4 && sound_fits && IsFitVideo(input, input.video(), kShortSide) &&
           probe.bit_rate <= kModestBitRate && HasIndexInFront(input);
  }
  const bool mp3 = probe.container == "audio/mpeg" && probe.audio && probe.audio->codec == "mp3";
  return mp3 || (mp4 && sound_fits && HasIndexInFront(input));
}

}  // namespace

Result<MediaProbe> RunProbe(const ProbeMediaRequest& request, const Input& input) {
  if (input.video() == nullptr && input.audio() == nullptr) {
    return MakeFailure(FailureKind::kUnsupportedType,
                       "The file has neither pictures nor sound that can be decoded");
  }
  MediaProbe probe;
  probe.container = request.media_type;
  probe.duration_ms = ToMs(input.duration_us());
  probe.bit_rate = BitRateOf(input);
  if (input.video() != nullptr) {
    probe.video = VideoOf(input);
  }
  if (input.audio() != nullptr) {
    probe.audio = AudioOf(input.audio());
  }
  probe.has_cover = HasCover(input);
  const Tags tags(input);
  probe.title = tags.Text({"title"});
  probe.artist = tags.Text({"artist", "album_artist", "author"});
  probe.album = tags.Text({"album"});
  probe.taken_at = TakenAt(tags);
  probe.camera_make = tags.Text({"com.apple.quicktime.make", "make", "com.android.manufacturer"});
  probe.camera_model = tags.Text({"com.apple.quicktime.model", "model", "com.android.model"});
  probe.place = PlaceFromTag(tags.Find({"com.apple.quicktime.location.ISO6709", "location"}));
  probe.content_identifier = tags.Text({"com.apple.quicktime.content.identifier"});
  probe.truncated = EndsEarly(input, request.media_type);
  probe.streams_already = StreamsAlready(input, probe);
  return probe;
}

}  // namespace tintype::darkroom::av
