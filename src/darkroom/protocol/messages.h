#pragma once

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"
#include "darkroom/failure.h"
#include "darkroom/limits.h"
#include "darkroom/requests.h"

namespace tintype::darkroom {

/// Raised with every change of a message. The helper says it first of all, so that a server never
/// works with the helper of another build by mistake.
inline constexpr int32_t kProtocolVersion = 8;
/// Of one message, either way.
inline constexpr size_t kMessageBytesMax = 64 * 1024;
/// Of one request: an input, and an output for each size. Models are fewer.
inline constexpr size_t kDescriptorsMax = 1 + kSizesMax;
static_assert(3 + 2 * kTextRecognisersMax <= kDescriptorsMax);
/// WebP can have no longer side, and nothing longer is made of it; other formats are read up to
/// their own limit.
inline constexpr int32_t kWebpSideMax = 16383;

using Request =
    std::variant<DevelopRequest, EditRequest, ResizeRequest, FindTextRequest, FindObjectsRequest,
                 ProbeMediaRequest, PosterRequest, WaveformRequest, FramesRequest, ProxyRequest,
                 SpeechRequest, ProbeDocumentRequest, DocumentPageRequest, DocumentTextRequest,
                 TranscribeRequest, ClassifyRequest>;

/// A request as the helper gets it.
struct Order {
  Request request;
  PixelLimits limits;
  /// After so long the server ends the helper, which may as well give up before and say so.
  int64_t wall_ms = Limits().wall_ms;
};

/// An item that failed in the helper, which itself is well; or why a template cannot be one.
struct Failure {
  FailureKind kind = FailureKind::kDied;
  std::string message;
};
inline constexpr size_t kFailureMessageBytesMax = 512;

/// The first message of a helper, and of a template, which enters no sandbox.
struct Ready {
  int32_t version = kProtocolVersion;
  /// Why there is no sandbox; empty when there is one.
  std::string sandbox_missing = "it has entered none";
};
inline constexpr size_t kSandboxTextBytesMax = 256;

using Reply = std::variant<Ready, Failure, Developed, Edited, Resized, FoundText, FoundObjects,
                           MediaProbe, Poster, MeasuredWaveform, Frames, Proxy, Speech,
                           DocumentProbe, DocumentPage, DocumentText, Transcribed, Classified>;

/// The descriptors of a request in the order in which they travel: the input, then the outputs.
std::vector<int> DescriptorsOf(const Request& request);

/// The first thing that is wrong with a request, if anything is. For the server, before it asks;
/// its callers may hand on numbers from clients. And for the helper, again, because both sides
/// check.
Status CheckRequest(const Request& request);

/// An order in bytes. Descriptors and names of sizes stay behind.
std::string EncodeOrder(const Order& order);
/// An order with the descriptors that came along, which stay the caller's.
Result<Order> DecodeOrder(std::string_view bytes, std::span<const int> descriptors);

std::string EncodeReply(const Reply& reply);
/// Reads what a helper says, which may have been taken over by a file that it decoded: sizes,
/// ranges and texts are checked here, and what they mean for the request by CheckReply.
Result<Reply> DecodeReply(std::string_view bytes);

/// Whether a reply can be the answer to the request. A Failure always can.
Status CheckReply(const Request& request, const Reply& reply);

/// The lines of text that a helper puts into the output of a FindTextRequest, and reads as if an
/// attacker had written them.
std::string EncodeTextLines(const std::vector<TextLine>& lines);
Result<std::vector<TextLine>> DecodeTextLines(std::string_view bytes);

/// The same of what is said in a recording, into the output of a TranscribeRequest.
std::string EncodeTranscript(const Transcript& transcript);
Result<Transcript> DecodeTranscript(std::string_view bytes);

}  // namespace tintype::darkroom
