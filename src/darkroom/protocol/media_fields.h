#pragma once

#include <limits>

#include "darkroom/media_requests.h"
#include "darkroom/protocol/fields.h"

// The fields of requests and answers about films and sound, for messages.cc: see there.

namespace tintype::darkroom {

inline constexpr int64_t kMediaBytesMax = std::numeric_limits<int64_t>::max();
inline constexpr int32_t kMediaSideMax = 100'000;
// A thousand days; a file may say anything.
inline constexpr int64_t kMediaMsMax = int64_t{1000} * 24 * 3600 * 1000;
inline constexpr int64_t kMediaBitRateMax = 1'000'000'000'000;
inline constexpr int32_t kMediaPictureSideMin = 16;
inline constexpr int32_t kMediaPictureSideMax = 16'383;

void Fields(auto& fields, Is<ProbeMediaRequest> auto& request) {
  fields.Text(request.media_type, kMediaNameBytesMax);
}

void Fields(auto& fields, Is<PosterRequest> auto& request) {
  fields.Text(request.media_type, kMediaNameBytesMax);
  fields.Number(request.longest_side, kMediaPictureSideMin, kMediaPictureSideMax);
}

void Fields(auto& fields, Is<WaveformRequest> auto& request) {
  fields.Text(request.media_type, kMediaNameBytesMax);
  fields.Number(request.buckets, 1, kWaveformBucketsMax);
  fields.Number(request.duration_ms, 0, kMediaMsMax);
}

void Fields(auto& fields, Is<FramesRequest> auto& request) {
  fields.Text(request.media_type, kMediaNameBytesMax);
  fields.Number(request.count_max, 1, kFramesMax);
  fields.Number(request.longest_side, kMediaPictureSideMin, kMediaPictureSideMax);
  fields.Number(request.duration_ms, 0, kMediaMsMax);
}

void Fields(auto& fields, Is<ProxyRequest> auto& request) {
  fields.Text(request.media_type, kMediaNameBytesMax);
  fields.Number(request.short_side, kMediaPictureSideMin, kProxyShortSideMax);
  fields.Number(request.duration_ms, 0, kMediaMsMax);
}

void Fields(auto& fields, Is<SpeechRequest> auto& request) {
  fields.Text(request.media_type, kMediaNameBytesMax);
  fields.Number(request.duration_ms, 0, kMediaMsMax);
}

void Fields(auto& fields, Is<MediaStreamVideo> auto& video) {
  fields.Number(video.width, 1, kMediaSideMax);
  fields.Number(video.height, 1, kMediaSideMax);
  fields.Real(video.frame_rate, 0, 1e6);
  fields.Number(video.bit_rate, 0, kMediaBitRateMax);
  fields.Text(video.codec, kMediaNameBytesMax);
  fields.Text(video.profile, kMediaNameBytesMax);
  fields.Text(video.level, kMediaNameBytesMax);
  fields.Text(video.pixel_format, kMediaNameBytesMax);
  fields.Text(video.color_space, kMediaNameBytesMax);
  fields.Number(video.rotation, 0, 270);
  fields.Flag(video.hdr);
}

void Fields(auto& fields, Is<MediaStreamAudio> auto& audio) {
  fields.Number(audio.channels, 1, 65'535);
  fields.Number(audio.sample_rate, 1, 10'000'000);
  fields.Number(audio.bit_rate, 0, kMediaBitRateMax);
  fields.Text(audio.codec, kMediaNameBytesMax);
  fields.Text(audio.profile, kMediaNameBytesMax);
  fields.Text(audio.language, kMediaNameBytesMax);
}

void Fields(auto& fields, Is<GpsPosition> auto& place) {
  fields.Real(place.latitude, -90, 90);
  fields.Real(place.longitude, -180, 180);
  fields.Optional(place.altitude,
                  [](auto& each, auto& value) { each.Real(value, -kAltitudeMax, kAltitudeMax); });
}

void Fields(auto& fields, Is<MediaProbe> auto& probe) {
  fields.Text(probe.container, kMediaNameBytesMax);
  fields.Number(probe.duration_ms, 0, kMediaMsMax);
  fields.Number(probe.bit_rate, 0, kMediaBitRateMax);
  fields.Optional(probe.video, [](auto& each, auto& video) { Fields(each, video); });
  fields.Optional(probe.audio, [](auto& each, auto& audio) { Fields(each, audio); });
  fields.Flag(probe.has_cover);
  fields.Text(probe.title, kMediaTextBytesMax);
  fields.Text(probe.artist, kMediaTextBytesMax);
  fields.Text(probe.album, kMediaTextBytesMax);
  fields.Text(probe.taken_at, kMediaNameBytesMax);
  fields.Text(probe.camera_make, kMediaTextBytesMax);
  fields.Text(probe.camera_model, kMediaTextBytesMax);
  fields.Optional(probe.place, [](auto& each, auto& place) { Fields(each, place); });
  fields.Text(probe.content_identifier, kMediaTextBytesMax);
  fields.Flag(probe.truncated);
  fields.Flag(probe.streams_already);
}

void Fields(auto& fields, Is<Poster> auto& poster) {
  fields.Number(poster.width, 1, kMediaSideMax);
  fields.Number(poster.height, 1, kMediaSideMax);
  fields.Number(poster.time_ms, 0, kMediaMsMax);
  fields.Number(poster.bytes, 1, kMediaBytesMax);
  fields.Text(poster.media_type, kMediaNameBytesMax);
  fields.Number(poster.source, 0, static_cast<int64_t>(PosterSource::kWaveform));
}

void Fields(auto& fields, Is<MeasuredWaveform> auto& waveform) {
  fields.Number(waveform.duration_ms, 0, kMediaMsMax);
  fields.Number(waveform.bytes, 2, int64_t{2} * kWaveformBucketsMax);
}

void Fields(auto& fields, Is<Frames> auto& frames) {
  fields.List(frames.frames, static_cast<size_t>(kFramesMax), [](auto& each, auto& frame) {
    each.Number(frame.time_ms, 0, kMediaMsMax);
    each.Number(frame.width, 1, kMediaPictureSideMax);
    each.Number(frame.height, 1, kMediaPictureSideMax);
    each.Number(frame.offset, 0, int64_t{1} << 40);
    each.Number(frame.bytes, 1, int64_t{1} << 40);
  });
}

void Fields(auto& fields, Is<Proxy> auto& proxy) {
  fields.Number(proxy.width, 0, kMediaSideMax);
  fields.Number(proxy.height, 0, kMediaSideMax);
  fields.Number(proxy.duration_ms, 0, kMediaMsMax);
  fields.Number(proxy.bytes, 1, kMediaBytesMax);
  fields.Flag(proxy.video_copied);
  fields.Flag(proxy.audio_copied);
  fields.Flag(proxy.truncated);
  fields.Text(proxy.media_type, kMediaNameBytesMax);
}

void Fields(auto& fields, Is<Speech> auto& speech) {
  fields.Number(speech.samples, 0, kMediaMsMax / 1000 * kSpeechSampleRate);
}

}  // namespace tintype::darkroom
