#include <algorithm>
#include <memory>
#include <utility>

#include "darkroom/av/ending.h"
#include "darkroom/av/fitness.h"
#include "darkroom/av/operations.h"
#include "darkroom/av/tracks.h"

namespace tintype::darkroom::av {
namespace {

/// The tracks of a proxy, of which one may be missing.
struct Tracks {
  std::unique_ptr<Track> video;
  std::unique_ptr<Track> audio;

  Track* Of(const AVPacket* packet) const {
    for (Track* track : {video.get(), audio.get()}) {
      if (track != nullptr && track->in()->index == packet->stream_index) {
        return track;
      }
    }
    return nullptr;
  }
  int64_t end_us() const {
    return std::max(video ? video->end_us() : 0, audio ? audio->end_us() : 0);
  }
};

Result<std::unique_ptr<Track>> AddVideo(const Input& input, const TimeLine& times,
                                        const Mp4File& file, int short_side) {
  // AVI does not say when pictures are to be seen, only in which order they are stored.
  const bool copy = IsFitVideo(input, input.video(), short_side) &&
                    std::string_view(input.context()->iformat->name) != "avi";
  return copy ? CopyTrack(input, times, file, input.video())
              : EncodeVideoTrack(input, times, file, input.video(), short_side);
}

Result<std::unique_ptr<Track>> AddAudio(const Input& input, const TimeLine& times,
                                        const Mp4File& file) {
  return IsFitAudio(input.audio()) ? CopyTrack(input, times, file, input.audio())
                                   : EncodeAudioTrack(input, times, file, input.audio());
}

Result<Tracks> AddTracks(const Input& input, const TimeLine& times, const Mp4File& file,
                         int short_side) {
  Tracks tracks;
  if (input.video() != nullptr) {
    ASSIGN_OR_RETURN(tracks.video, AddVideo(input, times, file, short_side));
  }
  if (input.audio() != nullptr) {
    auto audio = AddAudio(input, times, file);
    // A film is better without its sound than not at all.
    if (!audio.ok() && (tracks.video == nullptr || !IsPermanent(audio.error()))) {
      return audio.error();
    }
    tracks.audio = audio.ok() ? *std::move(audio) : nullptr;
  }
  return tracks;
}

Status Run(Input& input, const Tracks& tracks) {
  const Packet packet = NewPacket();
  while (true) {
    ASSIGN_OR_RETURN(const bool read, input.ReadPacket(packet.get()));
    if (!read) {
      break;
    }
    if (Track* const track = tracks.Of(packet.get())) {
      RETURN_IF_ERROR(track->Take(packet.get()));
    }
  }
  for (Track* track : {tracks.video.get(), tracks.audio.get()}) {
    if (track != nullptr) {
      RETURN_IF_ERROR(track->Finish());
    }
  }
  return OkStatus();
}

// A film that ends early may not say so: libav tells a plain end of the file.
bool IsShort(const Input& input, int64_t end_us) {
  constexpr int64_t kSlackUs = 2'000'000;
  return end_us + kSlackUs + input.duration_us() / 10 < input.duration_us();
}

}  // namespace

Result<Proxy> RunProxy(const ProxyRequest& request, Input& input) {
  if (input.video() == nullptr && input.audio() == nullptr) {
    return MakeFailure(FailureKind::kUnsupportedType,
                       "The file has neither pictures nor sound that can be decoded");
  }
  const bool film = input.video() != nullptr;
  const TimeLine times(input);
  ASSIGN_OR_RETURN(const auto file, Mp4File::Create(request.output, film ? Mp4File::Kind::kFilm
                                                                         : Mp4File::Kind::kSound));
  ASSIGN_OR_RETURN(const Tracks tracks, AddTracks(input, times, *file, request.short_side));
  input.Select(film ? tracks.video->in() : nullptr, tracks.audio ? tracks.audio->in() : nullptr);
  RETURN_IF_ERROR(file->Begin());
  RETURN_IF_ERROR(Run(input, tracks));
  const Track& first = film ? *tracks.video : *tracks.audio;
  if (!first.wrote_any()) {
    return Damaged(film ? "none of its pictures can be decoded"
                        : "none of its sound can be decoded");
  }
  RETURN_IF_ERROR(file->Finish());
  Proxy proxy;
  if (film) {
    const AVStream* const out = tracks.video->out();
    const PictureSize size =
        UprightSize({out->codecpar->width, out->codecpar->height}, out->sample_aspect_ratio, out);
    proxy.width = size.width;
    proxy.height = size.height;
    proxy.video_copied = tracks.video->copied();
  }
  proxy.audio_copied = tracks.audio != nullptr && tracks.audio->copied();
  proxy.duration_ms = ToMs(tracks.end_us());
  proxy.bytes = file->bytes();
  proxy.truncated = input.ended_early() || EndsEarly(input, request.media_type) ||
                    IsShort(input, tracks.end_us());
  proxy.media_type = film ? "video/mp4" : "audio/mp4";
  return proxy;
}

}  // namespace tintype::darkroom::av
