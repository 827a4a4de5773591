#include "pipeline/develop_media.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/logging.h"
#include "base/strings.h"
#include "blobs/blob_store.h"
#include "contexts/common/item.h"
#include "darkroom/failure.h"
#include "flows/media_keys.h"
#include "json/writer.h"
#include "pipeline/renditions.h"

namespace tintype::pipeline {
namespace {

using contexts::ItemBuilder;
using contexts::catalog::Image;
using contexts::catalog::Playback;
using contexts::catalog::ProcessingWarning;
using flows::DevelopResult;
using flows::Product;

constexpr int32_t kWaveformBuckets = 1800;
/// As many as analysis can look at in a reasonable time, however long the video is.
constexpr int32_t kFramesPerVideo = 32;
constexpr int32_t kFrameSide = 1024;

blobs::BlobKey KeyIn(const Product& product, std::string key) {
  return {product.config.images_bucket, std::move(key)};
}

Result<int64_t> StoreText(Product& product, std::string key, std::string_view text) {
  ASSIGN_OR_RETURN(const auto writer, product.blobs.Create(KeyIn(product, std::move(key))));
  RETURN_IF_ERROR(writer->Write(text));
  ASSIGN_OR_RETURN(const blobs::BlobInfo info, writer->Commit());
  return static_cast<int64_t>(info.bytes);
}

/// A blob that a helper writes. `make` gets the descriptor to write to.
template <typename Make>
Result<int64_t> StoreMade(Product& product, std::string key, const Make& make) {
  ASSIGN_OR_RETURN(const auto writer, product.blobs.Create(KeyIn(product, std::move(key))));
  ASSIGN_OR_RETURN(const int output, blobs::DescriptorOf(*writer));
  RETURN_IF_ERROR(make(output));
  ASSIGN_OR_RETURN(const blobs::BlobInfo info, writer->Commit());
  return static_cast<int64_t>(info.bytes);
}

/// Nothing for what the file does not say.
std::optional<std::string> Given(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

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

/// In the format of the program audiowaveform, which players of waveforms read.
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

/// Makes the renditions of a poster that is stored, as those of the asset.
Status DevelopPoster(Product& product, const Helpers& helpers, const Image& image,
                     DevelopResult& result) {
  const std::string poster = flows::StoredKey(image.id, 0, flows::Size::kPoster);
  ASSIGN_OR_RETURN(const Renditions renditions,
                   StoreRenditions(product, helpers.imaging, image.user_id, {poster, image.id, 0}));
  contexts::catalog::Development& development = result.development;
  development.width = renditions.developed.original.width;
  development.height = renditions.developed.original.height;
  development.processed_size = renditions.large_bytes;
  development.format = "webp";
  development.quality = product.config.quality;
  development.appearance = AppearanceOf(renditions.developed.properties);
  result.made_bytes += renditions.bytes;
  result.sizes.push_back(flows::Size::kPoster);
  return OkStatus();
}

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

/// The asset can be looked at and played without it: one that cannot be made of this file is left
/// out.
Result<int64_t> LeftOutIfImpossible(const Image& image, std::string_view what,
                                    Result<int64_t> bytes) {
  if (bytes.ok() || !darkroom::IsPermanent(bytes.error())) {
    return bytes;
  }
  LogInfo("a part of a medium cannot be made",
          {{"image", image.id}, {"part", what}, {"why", bytes.error().message()}});
  return int64_t{0};
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

Result<int64_t> StoreDocumentText(Product& product, const Helpers& helpers, const Image& image,
                                  int original) {
  return StoreMade(product, flows::TextKey(image.id), [&](int output) -> Status {
    darkroom::DocumentTextRequest text;
    text.input = original;
    text.media_type = image.mime_type;
    text.output = output;
    const auto read = helpers.pages.DocumentText(image.user_id, text);
    return read.ok() ? OkStatus() : Status(read.error());
  });
}

/// Pictures of the pages, for readers that turn them. Those that cannot be drawn are left out.
Result<int64_t> StorePages(Product& product, const Helpers& helpers, const Image& image,
                           int original, int32_t pages) {
  constexpr int32_t kPageSide = 1600;
  const int64_t count = std::min<int64_t>(pages, flows::kStoredPagesMax);
  int64_t bytes = 0;
  for (int64_t number = 1; number <= count; ++number) {
    const auto stored =
        StoreMade(product, flows::PageKey(image.id, number), [&](int output) -> Status {
          darkroom::DocumentPageRequest page;
          page.input = original;
          page.media_type = image.mime_type;
          page.page = static_cast<int32_t>(number - 1);
          page.longest_side = kPageSide;
          page.output = output;
          const auto made = helpers.pages.MakePage(image.user_id, page);
          return made.ok() ? OkStatus() : Status(made.error());
        });
    if (!stored.ok() && !darkroom::IsPermanent(stored.error())) {
      return stored.error();
    }
    bytes += stored.ok() ? *stored : 0;
  }
  return bytes;
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
      product.blobs.Head(KeyIn(product, flows::StoredKey(image.id, 0, flows::Size::kProxy))));
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
                       KeyIn(product, flows::StoredKey(image.id, 0, flows::Size::kOriginal))));
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

Result<DevelopResult> DevelopDocument(Product& product, const Helpers& helpers,
                                      const Image& image) {
  ASSIGN_OR_RETURN(const auto original,
                   product.blobs.OpenLocal(
                       KeyIn(product, flows::StoredKey(image.id, 0, flows::Size::kOriginal))));
  darkroom::ProbeDocumentRequest request;
  request.input = original->descriptor();
  request.media_type = image.mime_type;
  ASSIGN_OR_RETURN(const darkroom::DocumentProbe probe,
                   helpers.pages.ProbeDocument(image.user_id, request));
  DevelopResult result;
  ASSIGN_OR_RETURN(result.made_bytes,
                   StoreMade(product, flows::StoredKey(image.id, 0, flows::Size::kPoster),
                             [&](int output) -> Status {
                               darkroom::DocumentPageRequest page;
                               page.input = original->descriptor();
                               page.media_type = image.mime_type;
                               page.output = output;
                               const auto made = helpers.pages.MakePage(image.user_id, page);
                               return made.ok() ? OkStatus() : Status(made.error());
                             }));
  RETURN_IF_ERROR(DevelopPoster(product, helpers, image, result));
  ASSIGN_OR_RETURN(
      const int64_t text_bytes,
      LeftOutIfImpossible(image, "text",
                          StoreDocumentText(product, helpers, image, original->descriptor())));
  ASSIGN_OR_RETURN(const int64_t page_bytes,
                   StorePages(product, helpers, image, original->descriptor(), probe.pages));
  result.made_bytes += text_bytes + page_bytes;
  result.development.media.pages = probe.pages;
  ItemBuilder details;
  details.Integer("pages", probe.pages)
      .MaybeText("title", Given(probe.title))
      .MaybeText("author", Given(probe.author))
      .Bool("encrypted", probe.encrypted);
  result.details.document = details.Build();
  return result;
}

DevelopResult KeepAsItIs(const Image& image) {
  constexpr std::string_view kKept = ". It is kept as it is and can be downloaded.";
  const bool is_known = image.mime_type != "application/octet-stream";
  DevelopResult result;
  result.sizes = {flows::Size::kOriginal};
  result.development.format = image.format;
  result.development.quality = image.quality;
  result.development.warning = ProcessingWarning{
      "no-preview",
      is_known ? StrCat("There is no preview of files of the type ", image.mime_type, kKept)
               : StrCat("There is no preview of this file", kKept),
      std::nullopt};
  return result;
}

}  // namespace tintype::pipeline
