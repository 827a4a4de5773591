#include "pipeline/media/media_details.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/strings.h"
#include "contexts/common/item.h"
#include "json/writer.h"

namespace tintype::pipeline {
namespace {

using contexts::ItemBuilder;

tables::Item VideoItem(const darkroom::MediaStreamVideo& video) {
  ItemBuilder item;
  item.Integer("width", video.width)
      .Integer("height", video.height)
      .Decimal("frameRate", video.frame_rate)
      .Integer("bitRate", video.bit_rate)
      .MaybeText("codec", Given(video.codec))
      .MaybeText("profile", Given(video.profile))
      .MaybeText("level", Given(video.level))
      .MaybeText("pixelFormat", Given(video.pixel_format))
      .MaybeText("colorSpace", Given(video.color_space))
      .Integer("rotation", video.rotation)
      .Bool("hdr", video.hdr);
  return item.Build();
}

tables::Item AudioItem(const darkroom::MediaProbe& probe) {
  const darkroom::MediaStreamAudio& audio = *probe.audio;
  ItemBuilder item;
  item.Integer("channels", audio.channels)
      .Integer("sampleRate", audio.sample_rate)
      .Integer("bitRate", audio.bit_rate)
      .MaybeText("codec", Given(audio.codec))
      .MaybeText("profile", Given(audio.profile))
      .MaybeText("language", Given(audio.language))
      .MaybeText("title", Given(probe.title))
      .MaybeText("artist", Given(probe.artist))
      .MaybeText("album", Given(probe.album));
  return item.Build();
}

}  // namespace

std::optional<std::string> Given(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

contexts::analysis::MediaDetails DetailsOf(const darkroom::MediaProbe& probe) {
  contexts::analysis::MediaDetails details;
  if (probe.duration_ms > 0) {
    details.duration = static_cast<double>(probe.duration_ms) / 1000;
  }
  if (probe.video) {
    details.video = VideoItem(*probe.video);
  }
  if (probe.audio) {
    details.audio = AudioItem(probe);
  }
  return details;
}

contexts::catalog::Exif ExifOf(const darkroom::MediaProbe& probe) {
  contexts::catalog::Exif exif;
  const bool names_make = probe.camera_model.starts_with(probe.camera_make);
  exif.camera = Given(names_make || probe.camera_make.empty()
                          ? probe.camera_model
                          : StrCat(probe.camera_make, " ", probe.camera_model));
  exif.taken_at = Given(probe.taken_at);
  if (probe.place) {
    exif.place = {probe.place->latitude, probe.place->longitude, probe.place->altitude};
  }
  return exif;
}

std::string WaveformJson(const darkroom::Waveform& waveform) {
  // Of nothing in particular: it says how long a pair lasts, of which a second may have hundreds.
  constexpr int64_t kSampleRate = 48'000;
  const auto length = static_cast<int64_t>(waveform.peaks.size());
  json::Writer json;
  json.OpenObject();
  json.Integer("version", 2);
  json.Integer("channels", 1);
  json.Integer("sample_rate", kSampleRate);
  json.Integer(
      "samples_per_pixel",
      std::max<int64_t>(1, length == 0 ? 1 : waveform.duration_ms * (kSampleRate / 1000) / length));
  json.Integer("bits", 8);
  json.Integer("length", length);
  json.Name("data");
  json.OpenArray();
  for (const auto& [low, high] : waveform.peaks) {
    json.Integer(low);
    json.Integer(high);
  }
  json.CloseArray();
  json.CloseObject();
  return std::move(json).Take();
}

std::string FrameListJson(const std::vector<darkroom::MediaFrame>& frames) {
  json::Writer json;
  json.OpenObject();
  json.Name("frames");
  json.OpenArray();
  for (const darkroom::MediaFrame& frame : frames) {
    json.OpenObject();
    json.Integer("timeMs", frame.time_ms);
    json.Integer("width", frame.width);
    json.Integer("height", frame.height);
    json.Integer("offset", frame.offset);
    json.Integer("bytes", frame.bytes);
    json.CloseObject();
  }
  json.CloseArray();
  json.CloseObject();
  return std::move(json).Take();
}

}  // namespace tintype::pipeline
