#include "http/rest/starting.h"

#include <utility>

#include "base/random.h"
#include "http/rest/api/problem.h"

namespace tintype::http::rest {
namespace {

bool IsHealthCheck(const Request& request) {
  return request.target == "/healthz" || request.target == "/readyz";
}

Response NotYet(const Request& request) {
  Response response = ProblemResponse(
      Error(ErrorKind::kUnavailable, "The server is starting. Try again in a moment."),
      RandomUuid());
  if (AsksForUpload(request)) {
    KeepUploadAlive(response);
  }
  return response;
}

}  // namespace

void StartingHandler::Handle(Request request, Respond respond) {
  if (IsHealthCheck(request)) {
    health_.Handle(std::move(request), std::move(respond));
  } else {
    respond(NotYet(request));
  }
}

BodyDecision StartingHandler::TakeBody(const Request& head) {
  return IsHealthCheck(head) ? health_.TakeBody(head) : BodyDecision{nullptr, NotYet(head)};
}

Response StartingHandler::Refuse(int status, std::string_view reason) {
  return health_.Refuse(status, reason);
}

bool AsksForUpload(const Request& request) {
  return request.method == "HEAD" && request.target.starts_with("/api/v1/uploads/");
}

void KeepUploadAlive(Response& response) {
  constexpr int kLocked = 423;
  if (response.status >= 500) {
    response.status = kLocked;
  }
}

}  // namespace tintype::http::rest
