#include "http/monitoring/health.h"

#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "metrics/exposition.h"

namespace tintype::http::monitoring {
namespace {

Response Json(int status, std::string body) {
  return {.status = status,
          .headers = {{"Content-Type", "application/json"}, {"Cache-Control", "no-store"}},
          .body = std::move(body)};
}

// Problem details. `detail` is a constant of ours, without characters that JSON would escape.
Response Problem(int status, std::string_view title, std::string_view detail) {
  return {.status = status,
          .headers = {{"Content-Type", "application/problem+json"}},
          .body = StrCat(R"({"type":"about:blank","title":")", title, R"(","status":)", status,
                         R"(,"detail":")", detail, R"("})")};
}

Response RefusalProblem(int status, std::string_view reason) {
  return Problem(status, "The request was refused", reason);
}

// Null when the request may go on to its path.
std::optional<Response> CheckMethod(const Request& request) {
  if (request.method == "GET" || request.method == "HEAD") {
    return std::nullopt;
  }
  Response response = Problem(405, "Method Not Allowed", "Only GET and HEAD are understood here.");
  response.headers.emplace_back("Allow", "GET, HEAD");
  return response;
}

std::string_view PathOf(const Request& request) {
  return std::string_view(request.target).substr(0, request.target.find('?'));
}

Response NotFound() { return Problem(404, "Not Found", "There is nothing at this path."); }

}  // namespace

void HealthHandler::Handle(Request request, Respond respond) {
  if (auto refused = CheckMethod(request)) {
    respond(std::move(*refused));
  } else if (PathOf(request) == "/healthz") {
    respond(Json(200, R"({"status":"ok"})"));
  } else if (PathOf(request) == "/readyz") {
    respond(ready_() ? Json(200, R"({"status":"ready"})") : Json(503, R"({"status":"not ready"})"));
  } else {
    respond(NotFound());
  }
}

Response HealthHandler::Refuse(int status, std::string_view reason) {
  return RefusalProblem(status, reason);
}

void MetricsHandler::Handle(Request request, Respond respond) {
  if (auto refused = CheckMethod(request)) {
    respond(std::move(*refused));
  } else if (PathOf(request) == "/metrics") {
    respond({.status = 200,
             .headers = {{"Content-Type", std::string(metrics::kExpositionType)}},
             .body = registry_.Render()});
  } else {
    respond(NotFound());
  }
}

Response MetricsHandler::Refuse(int status, std::string_view reason) {
  return RefusalProblem(status, reason);
}

}  // namespace tintype::http::monitoring
