#include "http/rest/protocol/problem.h"

#include <array>
#include <utility>

#include "json/writer.h"

namespace tintype::http::rest {
namespace {

struct Row {
  ErrorCode error;
  int status;
  std::string_view code;
};

constexpr std::array kRows = {
    Row{ErrorCode::kValidation, 400, "InvalidRequest"},
    Row{ErrorCode::kSerialization, 400, "InvalidRequest"},
    Row{ErrorCode::kMissingAuthentication, 401, "NotLoggedIn"},
    Row{ErrorCode::kAccessDenied, 403, "AccessDenied"},
    Row{ErrorCode::kNotFound, 404, "NotFound"},
    Row{ErrorCode::kConditionFailed, 409, "Conflict"},
    Row{ErrorCode::kInUse, 409, "Conflict"},
    Row{ErrorCode::kRequestTooLarge, 413, "TooLarge"},
    Row{ErrorCode::kLimitExceeded, 429, "TooManyRequests"},
    Row{ErrorCode::kOverloaded, 503, "Overloaded"},
    Row{ErrorCode::kUnavailable, 503, "Unavailable"},
    Row{ErrorCode::kTransactionCanceled, 503, "Unavailable"},  // After all retries.
};

}  // namespace

Error ServerBusy() { return {ErrorCode::kOverloaded, "The server is busy. Try again."}; }

Problem ProblemOf(const Error& error) {
  for (const Row& row : kRows) {
    if (row.error == error.code()) {
      return {row.status, std::string(row.code), error.message()};
    }
  }
  return {500, "Internal", "The server made a mistake. It is in its log under the request's id."};
}

Response ProblemResponse(const Problem& problem, std::string_view request_id) {
  json::Writer json;
  json.OpenObject();
  json.Text("type", "about:blank");
  json.Text("title", ReasonPhrase(problem.status));
  json.Integer("status", problem.status);
  json.Text("detail", problem.detail);
  json.Text("code", problem.code);
  json.Text("requestId", request_id);
  json.CloseObject();
  Response response;
  response.status = problem.status;
  response.headers.emplace_back("Content-Type", "application/problem+json");
  if (problem.status == 401) {
    response.headers.emplace_back("WWW-Authenticate", "Bearer");
  }
  if (problem.status == 503) {
    response.headers.emplace_back("Retry-After", "1");
  }
  response.body = std::move(json).Take();
  return response;
}

}  // namespace tintype::http::rest
