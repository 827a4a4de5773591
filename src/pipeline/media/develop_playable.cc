#include <cstdint>
#include <string>
#include <utility>

#include "blobs/blob_store.h"
#include "flows/media_keys.h"
#include "pipeline/media/develop_media.h"
#include "pipeline/media/made_blobs.h"
#include "pipeline/media/media_details.h"

/// Videos and sounds.
namespace tintype::pipeline {
namespace {

using contexts::catalog::Image;
using contexts::catalog::Playback;
using contexts::catalog::ProcessingWarning;
using flows::DevelopResult;
using flows::Product;

constexpr int32_t kWaveformBuckets = 1800;
/// As many as analysis can look at in a reasonable time, however long the video is.
constexpr int32_t kFramesPerVideo = 32;
constexpr int32_t kFrameSide = 1024;

Result<int64_t> StorePosterOf(Product& product, const Helpers& helpers, const Image& image,
                              int original) {
  return StoreMade(product, flows::StoredKey(image.id, 0, flows::Size::kPoster),
                   [&](int output) -> Status {
                     darkroom::PosterRequest request;
                     request.input = original;
                     request.media_type = image.mime_type;
                     request.output = output;
                     const auto made = helpers.av.MakePoster(image.user_id, request);
                     return made.ok() ? OkStatus() : Status(made.error());
                   });
}

Result<int64_t> StoreWaveform(Product& product, const Helpers& helpers, const Image& image,
                              int original, const darkroom::MediaProbe& probe) {
  darkroom::WaveformRequest request;
  request.input = original;
  request.media_type = image.mime_type;
  request.buckets = kWaveformBuckets;
  request.duration_ms = probe.duration_ms;
  ASSIGN_OR_RETURN(const darkroom::Waveform waveform, helpers.av.Waveform(image.user_id, request));
  return StoreText(product, flows::WaveformKey(image.id), WaveformJson(waveform));
}

Result<int64_t> StoreFrames(Product& product, const Helpers& helpers, const Image& image,
                            int original, const darkroom::MediaProbe& probe) {
  darkroom::Frames frames;
  const Result<int64_t> bytes =
      StoreMade(product, flows::FramesKey(image.id), [&](int output) -> Status {
        darkroom::FramesRequest request;
        request.input = original;
        request.media_type = image.mime_type;
        request.count_max = kFramesPerVideo;
        request.longest_side = kFrameSide;
        request.output = output;
        request.duration_ms = probe.duration_ms;
        ASSIGN_OR_RETURN(frames, helpers.av.Frames(image.user_id, request));
        return OkStatus();
      });
  if (!bytes.ok()) {
    return bytes;
  }
  ASSIGN_OR_RETURN(const int64_t list_bytes,
                   StoreText(product, flows::FrameListKey(image.id), FrameListJson(frames.frames)));
  return *bytes + list_bytes;
}

/// Where it can be played from. An original tells where it was taken to all who may play it.
Status FindPlayback(Product& product, const Image& image, const darkroom::MediaProbe& probe,
                    DevelopResult& result) {
  Playback& playback = result.development.media.playback;
  if (probe.streams_already && !probe.place && !probe.truncated) {
    playback = Playback::kOriginal;
    return OkStatus();
  }
  // One that was made before is good for ever: the original does not change.
  ASSIGN_OR_RETURN(
      const auto made,
      product.blobs.Head(ImagesKey(product, flows::StoredKey(image.id, 0, flows::Size::kProxy))));
  if (made && image.media.playback == Playback::kProxy) {
    playback = Playback::kProxy;
    result.made_bytes += static_cast<int64_t>(made->bytes);
    return OkStatus();
  }
  result.needs_proxy = true;
  return OkStatus();
}

}  // namespace

Result<DevelopResult> DevelopPlayable(Product& product, const Helpers& helpers,
                                      const Image& image) {
  ASSIGN_OR_RETURN(const auto original,
                   product.blobs.OpenLocal(
                       ImagesKey(product, flows::StoredKey(image.id, 0, flows::Size::kOriginal))));
  darkroom::ProbeMediaRequest request;
  request.input = original->descriptor();
  request.media_type = image.mime_type;
  ASSIGN_OR_RETURN(const darkroom::MediaProbe probe, helpers.av.ProbeMedia(image.user_id, request));
  DevelopResult result;
  ASSIGN_OR_RETURN(result.made_bytes,
                   StorePosterOf(product, helpers, image, original->descriptor()));
  RETURN_IF_ERROR(DevelopPoster(product, helpers, image, result));
  if (probe.audio) {
    ASSIGN_OR_RETURN(
        const int64_t bytes,
        LeftOutIfImpossible(image, "waveform",
                            StoreWaveform(product, helpers, image, original->descriptor(), probe)));
    result.made_bytes += bytes;
  }
  if (probe.video) {
    ASSIGN_OR_RETURN(
        const int64_t bytes,
        LeftOutIfImpossible(image, "frames",
                            StoreFrames(product, helpers, image, original->descriptor(), probe)));
    result.made_bytes += bytes;
  }
  result.details = DetailsOf(probe);
  result.development.exif = ExifOf(probe);
  result.development.media.duration = result.details.duration;
  if (probe.truncated) {
    result.development.warning =
        ProcessingWarning{"truncated",
                          "This file ends early. What there is of it can be played. Upload the "
                          "whole file.",
                          std::nullopt};
  }
  RETURN_IF_ERROR(FindPlayback(product, image, probe, result));
  return result;
}

}  // namespace tintype::pipeline
