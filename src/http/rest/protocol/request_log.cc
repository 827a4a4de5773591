#include "http/rest/protocol/request_log.h"

#include <algorithm>

#include "base/logging.h"
#include "base/random.h"

namespace tintype::http::rest {

std::string RequestIdOf(const Request& request) {
  constexpr size_t kBytesMax = 128;
  const auto given = request.Header("x-request-id");
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' ||
           c == '_' || c == '.';
  };
  if (given && !given->empty() && given->size() <= kBytesMax &&
      std::ranges::all_of(*given, is_plain)) {
    return std::string(*given);
  }
  return RandomUuid();
}

std::optional<std::string> TraceIdOf(const Request& request) {
  const auto header = request.Header("traceparent");
  const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  if (!header || header->size() != 55 || !header->starts_with("00-") || (*header)[35] != '-' ||
      !std::ranges::all_of(header->substr(3, 32), is_digit)) {
    return std::nullopt;
  }
  return std::string(header->substr(3, 32));
}

void LogRequest(const Request& request, std::string_view path, const Response& response,
                std::string_view request_id, std::chrono::steady_clock::time_point started) {
  if (!LogEnabled(LogLevel::kDebug) && response.status < 500) {
    return;
  }
  const auto took = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - started);
  Log(response.status < 500 ? LogLevel::kDebug : LogLevel::kWarning, "request",
      {{"method", request.method},
       {"path", path},
       {"status", response.status},
       {"us", took.count()},
       {"request_id", request_id},
       {"address", request.address}});
}

}  // namespace tintype::http::rest
