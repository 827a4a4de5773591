#include "darkroom/protocol/media_messages.h"

#include <algorithm>
#include <concepts>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/check.h"
#include "base/strings.h"
#include "darkroom/media_type.h"
#include "darkroom/protocol/media_fields.h"

namespace tintype::darkroom {
namespace {

template <typename T>
concept WithOutput = requires(T request) {
  request.output;
};

/// Calls `function` with the request, whichever of this trade it is.
template <typename RequestVariant, typename Function>
auto VisitMedia(RequestVariant& request, Function function) {
  using Answer = decltype(function(std::get<ProbeMediaRequest>(request)));
  return std::visit(
      [&](auto& each) -> Answer {
        if constexpr (MediaRequest<std::remove_cvref_t<decltype(each)>>) {
          return function(each);
        }
        CHECK(false);
      },
      request);
}

Error BadMediaRequest(std::string message) {
  return MakeFailure(FailureKind::kInvalidRequest, std::move(message));
}

Error MediaNonsense(std::string note) {
  return MakeFailure(FailureKind::kDied, "The file's helper gave an answer that makes no sense")
      .WithNote(std::move(note));
}

Status OkIf(bool right, std::string_view what) {
  return right ? OkStatus() : Status(MediaNonsense(std::string(what)));
}

Status CheckSide(int32_t side) {
  if (side < kMediaPictureSideMin || side > kMediaPictureSideMax) {
    return BadMediaRequest(StrCat("The longest side of a picture is between ", kMediaPictureSideMin,
                                  " and ", kMediaPictureSideMax));
  }
  return OkStatus();
}

Status CheckOne(const ProbeMediaRequest& /*request*/) { return OkStatus(); }
Status CheckOne(const SpeechRequest& /*request*/) { return OkStatus(); }
Status CheckOne(const PosterRequest& request) { return CheckSide(request.longest_side); }
Status CheckOne(const WaveformRequest& request) {
  if (request.buckets < 1 || request.buckets > kWaveformBucketsMax) {
    return BadMediaRequest(StrCat("A waveform has between 1 and ", kWaveformBucketsMax, " parts"));
  }
  return OkStatus();
}
Status CheckOne(const FramesRequest& request) {
  if (request.count_max < 1 || request.count_max > kFramesMax) {
    return BadMediaRequest(StrCat("Between 1 and ", kFramesMax, " pictures can be asked for"));
  }
  return CheckSide(request.longest_side);
}
Status CheckOne(const ProxyRequest& request) {
  if (request.short_side < kMediaPictureSideMin || request.short_side > kProxyShortSideMax) {
    return BadMediaRequest(StrCat("The short side of a video is between ", kMediaPictureSideMin,
                                  " and ", kProxyShortSideMax));
  }
  return OkStatus();
}

bool IsQuarterTurn(int32_t degrees) { return degrees % 90 == 0; }

Status CheckAnswer(const ProbeMediaRequest& request, const MediaProbe& probe) {
  RETURN_IF_ERROR(OkIf(probe.container == request.media_type, "another container"));
  RETURN_IF_ERROR(OkIf(probe.video || probe.audio, "neither pictures nor sound"));
  RETURN_IF_ERROR(OkIf(!probe.video || IsQuarterTurn(probe.video->rotation), "a rotation"));
  return OkIf(probe.taken_at.empty() || IsIsoTime(probe.taken_at), "a time");
}

Status CheckAnswer(const PosterRequest& request, const Poster& poster) {
  const bool fits = std::max(poster.width, poster.height) <= request.longest_side;
  RETURN_IF_ERROR(OkIf(fits || poster.source != PosterSource::kFrame, "size of a poster"));
  return OkIf(poster.media_type == "image/jpeg" || poster.media_type == "image/png",
              "type of a poster");
}

Status CheckAnswer(const WaveformRequest& request, const MeasuredWaveform& waveform) {
  return OkIf(waveform.bytes == int64_t{2} * request.buckets, "number of peaks");
}

// One frame's file begins where that of the one before ends.
Status CheckAnswer(const FramesRequest& request, const Frames& answer) {
  const std::vector<MediaFrame>& frames = answer.frames;
  RETURN_IF_ERROR(OkIf(!frames.empty() && frames.size() <= static_cast<size_t>(request.count_max),
                       "number of frames"));
  int64_t offset = 0;
  int64_t time_ms = 0;
  for (const MediaFrame& frame : frames) {
    RETURN_IF_ERROR(OkIf(frame.offset == offset && frame.time_ms >= time_ms, "order of frames"));
    RETURN_IF_ERROR(
        OkIf(std::max(frame.width, frame.height) <= request.longest_side, "size of a frame"));
    offset += frame.bytes;
    time_ms = frame.time_ms;
  }
  return OkStatus();
}

Status CheckAnswer(const ProxyRequest& request, const Proxy& proxy) {
  const bool video = proxy.media_type == "video/mp4";
  RETURN_IF_ERROR(OkIf(video || proxy.media_type == "audio/mp4", "type of a proxy"));
  RETURN_IF_ERROR(OkIf(video == (proxy.width > 0) && video == (proxy.height > 0),
                       "pictures where there are none"));
  return OkIf(std::min(proxy.width, proxy.height) <= request.short_side, "size of a proxy");
}

Status CheckAnswer(const SpeechRequest& /*request*/, const Speech& /*speech*/) {
  return OkStatus();
}

Status CheckAnswer(const auto& /*request*/, const auto& /*reply*/) {
  return MediaNonsense("an answer to something else");
}

/// Processor time for a request, whose wall time is four times that.
ItemTime TimeFor(int64_t cpu_seconds) {
  constexpr int64_t kSecondsMax = int64_t{6} * 3600;
  return {.cpu_seconds = std::min(cpu_seconds, kSecondsMax),
          .wall_ms = std::min(4 * cpu_seconds, kSecondsMax) * 1000};
}

}  // namespace

bool IsMediaRequest(const Request& request) {
  return std::visit([](const auto& each) { return MediaRequest<decltype(each)>; }, request);
}

std::vector<int> MediaDescriptorsOf(const Request& request) {
  return VisitMedia(request, [](const auto& each) -> std::vector<int> {
    if constexpr (WithOutput<decltype(each)>) {
      return {each.input, each.output};
    } else {
      return {each.input};
    }
  });
}

void SetMediaDescriptors(Request& request, std::span<const int> descriptors) {
  VisitMedia(request, [&](auto& each) {
    each.input = descriptors[0];
    if constexpr (WithOutput<decltype(each)>) {
      each.output = descriptors[1];
    }
  });
}

Status CheckMediaRequest(const Request& request) {
  return VisitMedia(request, [](const auto& each) -> Status {
    if (!CanPlay(each.media_type)) {
      return MakeFailure(FailureKind::kUnsupportedType,
                         StrCat("Files of the type ", each.media_type, " cannot be played"));
    }
    return CheckOne(each);
  });
}

Status CheckMediaReply(const Request& request, const Reply& reply) {
  return VisitMedia(request, [&](const auto& asked) {
    return std::visit([&](const auto& said) { return CheckAnswer(asked, said); }, reply);
  });
}

std::optional<ItemTime> TimeOf(const Request& request) {
  constexpr int64_t kLeast = 20;
  constexpr int64_t kMsPerSecond = 1000;
  if (const auto* proxy = std::get_if<ProxyRequest>(&request); proxy && proxy->duration_ms > 0) {
    // A second of 1080p takes three quarters of one, of 2160p with 10 bits two.
    return TimeFor(kLeast + 3 * proxy->duration_ms / kMsPerSecond);
  }
  if (const auto* frames = std::get_if<FramesRequest>(&request);
      frames && frames->duration_ms > 0) {
    return TimeFor(3 * kLeast + frames->duration_ms / (10 * kMsPerSecond));
  }
  // Sound is decoded some hundred times as fast as it is heard.
  if (const auto* wave = std::get_if<WaveformRequest>(&request); wave && wave->duration_ms > 0) {
    return TimeFor(kLeast + wave->duration_ms / (50 * kMsPerSecond));
  }
  if (const auto* speech = std::get_if<SpeechRequest>(&request);
      speech && speech->duration_ms > 0) {
    return TimeFor(kLeast + speech->duration_ms / (50 * kMsPerSecond));
  }
  return std::nullopt;
}

bool IsIsoTime(std::string_view text) {
  // Each 0 stands for a digit.
  const auto is_like = [](std::string_view part, std::string_view pattern) {
    return std::ranges::equal(part, pattern, [](char c, char expected) {
      return expected == '0' ? c >= '0' && c <= '9' : c == expected;
    });
  };
  constexpr std::string_view kPattern = "0000-00-00T00:00:00";
  if (!is_like(text.substr(0, kPattern.size()), kPattern)) {
    return false;
  }
  const std::string_view offset = text.substr(kPattern.size());
  return offset.empty() || offset == "Z" || is_like(offset, "+00:00") || is_like(offset, "-00:00");
}

}  // namespace tintype::darkroom
