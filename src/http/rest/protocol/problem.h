#pragma once

#include <string>
#include <string_view>

#include "base/error.h"
#include "http/server/message.h"

namespace tintype::http::rest {

/// An error as clients see it: RFC 9457, with a `code` that programs can tell apart.
struct Problem {
  int status = 500;
  std::string code;
  std::string detail;
};

/// No thread has time for a request.
Error ServerBusy();

/// The one table from what went wrong inside to what a client is told.
Problem ProblemOf(const Error& error);

Response ProblemResponse(const Problem& problem, std::string_view request_id);

}  // namespace tintype::http::rest
