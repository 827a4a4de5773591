#include "darkroom/av/answer.h"

#include <algorithm>
#include <concepts>
#include <new>
#include <string>
#include <utility>
#include <variant>

#include "darkroom/av/decoders.h"
#include "darkroom/av/operations.h"
#include "darkroom/protocol/clean_text.h"
#include "darkroom/protocol/media_messages.h"

namespace tintype::darkroom::av {
namespace {

// Of a picture: 8K, with room for odd shapes. Several of them are in memory at a time.
constexpr int64_t kPixelsMax = int64_t{8'192} * 4'352;
constexpr size_t kBlockBytesMax = size_t{512} << 20;

Reply FailureOf(const Error& error) {
  return Failure{KindOf(error), CleanText(error.message(), kFailureMessageBytesMax)};
}

template <typename T>
Reply ReplyOf(Result<T> result) {
  return result.ok() ? Reply(std::move(result).value()) : FailureOf(result.error());
}

template <typename Asked>
Reply Answer(const Order& order, const Asked& request) {
  const Deadline deadline(order.wall_ms);
  const int64_t pixels_max = std::min(kPixelsMax, order.limits.pixels);
  const auto input = Input::Open(request.input, request.media_type, pixels_max, deadline);
  if (!input.ok()) {
    return FailureOf(input.error());
  }
  if constexpr (std::same_as<Asked, ProbeMediaRequest>) {
    return ReplyOf(RunProbe(request, **input));
  } else if constexpr (std::same_as<Asked, PosterRequest>) {
    return ReplyOf(RunPoster(request, **input));
  } else if constexpr (std::same_as<Asked, WaveformRequest>) {
    return ReplyOf(RunWaveform(request, **input));
  } else if constexpr (std::same_as<Asked, FramesRequest>) {
    return ReplyOf(RunFrames(request, **input));
  } else if constexpr (std::same_as<Asked, ProxyRequest>) {
    return ReplyOf(RunProxy(request, **input));
  } else {
    return ReplyOf(RunSpeech(request, **input));
  }
}

}  // namespace

void StartLibraries() {
  av_log_set_level(AV_LOG_QUIET);
  av_max_alloc(kBlockBytesMax);
  DecoderNames();  // Made once, for all helpers.
}

Reply AnswerOrder(std::string_view bytes, std::span<const int> descriptors) {
  const auto order = DecodeOrder(bytes, descriptors);
  if (!order.ok()) {
    return FailureOf(order.error());
  }
  try {
    return std::visit(
        [&](const auto& request) -> Reply {
          if constexpr (MediaRequest<decltype(request)>) {
            return Answer(*order, request);
          }
          return Failure{FailureKind::kInvalidRequest, "This helper does something else"};
        },
        order->request);
  } catch (const std::bad_alloc&) {
    return FailureOf(OutOfMemory());
  }
}

}  // namespace tintype::darkroom::av
