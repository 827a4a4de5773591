#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/result.h"
#include "darkroom/limits.h"
#include "darkroom/protocol/messages.h"

namespace tintype::darkroom {

/// The requests of this trade.
template <typename T, typename... All>
concept OneOf = (std::same_as<T, All> || ...);
template <typename T>
concept MediaRequest = OneOf<std::remove_cvref_t<T>, ProbeMediaRequest, PosterRequest,
                             WaveformRequest, FramesRequest, ProxyRequest, SpeechRequest>;

// What messages.h does for all requests, of those of media_requests.h.

/// Whether the request is one about films and sound.
bool IsMediaRequest(const Request& request);

/// REQUIRES, of these: IsMediaRequest(request).
std::vector<int> MediaDescriptorsOf(const Request& request);
/// `descriptors` are as many as MediaDescriptorsOf has.
void SetMediaDescriptors(Request& request, std::span<const int> descriptors);
Status CheckMediaRequest(const Request& request);
Status CheckMediaReply(const Request& request, const Reply& reply);

/// What a request may take where that depends on how long its film or sound is; nothing where the
/// limits of all items will do, or where the length is not known. Six hours at most.
std::optional<ItemTime> TimeOf(const Request& request);

/// Whether a text is a date and time in ISO 8601, to the second, with or without an offset: such as
/// "2024-05-01T10:11:12", "2024-05-01T10:11:12Z" or "2024-05-01T10:11:12+02:00".
bool IsIsoTime(std::string_view text);

}  // namespace tintype::darkroom
