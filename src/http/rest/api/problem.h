#pragma once

#include <span>
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

/// One line of the table from reasons to problems.
struct ProblemRow {
  Reason reason;  // Without a name it stands for every other error of its kind.
  int status;
  std::string_view code;
};

/// The one table from reasons to HTTP status and `code`. A reason without a row is told as its
/// kind.
std::span<const ProblemRow> ProblemRows();

/// No thread has time for a request.
Error ServerBusy();

Problem ProblemOf(const Error& error);

/// The response to an error, with `Retry-After` where it is known how long to wait.
Response ProblemResponse(const Error& error, std::string_view request_id);
Response ProblemResponse(const Problem& problem, std::string_view request_id);

}  // namespace tintype::http::rest
