#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/server/message.h"

/// Conditional requests (RFC 9110, section 13).
namespace tintype::http::rest {

/// What tells one state of a representation from another.
struct Validators {
  std::string etag;        // A strong one, with its quotes.
  int64_t modified_s = 0;  // Since the Unix epoch.
};

enum class Precondition {
  kHolds,        ///< Answer as if nothing had been asked.
  kNotModified,  ///< 304: the client has it.
  kFailed,       ///< 412: it is not what the client thinks.
};

/// What `If-Match`, `If-Unmodified-Since`, `If-None-Match` and `If-Modified-Since` of a GET or HEAD
/// come to, in the order of precedence that the RFC gives. Dates that cannot be read count for
/// nothing.
Precondition CheckPreconditions(const Request& request, const Validators& validators);

/// Whether `Range` is to be looked at: not when `If-Range` names another state.
bool RangeStands(const Request& request, const Validators& validators);

/// A date as HTTP writes it: `Sun, 06 Nov 1994 08:49:37 GMT`.
std::string HttpDate(int64_t seconds);
/// Seconds since the Unix epoch of a date in any of the three forms that RFC 9110 knows.
std::optional<int64_t> ParseHttpDate(std::string_view text);

}  // namespace tintype::http::rest
