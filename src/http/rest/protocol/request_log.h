#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "http/server/message.h"

/// What ties a request to its answer and to the log.
namespace tintype::http::rest {

/// The client's own id, if it is one that can be logged as it is, else a new one.
std::string RequestIdOf(const Request& request);

/// The trace in a W3C `traceparent`: `00-{32 digits}-{16 digits}-{2 digits}`.
std::optional<std::string> TraceIdOf(const Request& request);

/// Failures of ours as warnings, all others at the level of debugging. `path` has no query: that of
/// a media link is its key.
void LogRequest(const Request& request, std::string_view path, const Response& response,
                std::string_view request_id, std::chrono::steady_clock::time_point started);

}  // namespace tintype::http::rest
