#include "http/monitoring/health.h"

#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"
#include "crypto/digest.h"
#include "http/server/host_check.h"
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
  Response response = Problem(status, "The request was refused", reason);
  if (status == 503) {
    response.headers.emplace_back("Retry-After", "1");
  }
  return response;
}

std::string_view NameOf(Writes writes) {
  switch (writes) {
    case Writes::kAccepted:
      return "accepted";
    case Writes::kLimited:
      return "limited";
    case Writes::kRefused:
      break;
  }
  return "refused";
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
    const Readiness now = readiness_();
    Response response =
        now.ready
            ? Json(200, StrCat(R"({"status":"ready","writes":")", NameOf(now.writes), R"("})"))
            : Json(503, R"({"status":"not ready"})");
    if (!now.ready) {
      response.headers.emplace_back("Retry-After", "1");
    }
    respond(std::move(response));
  } else {
    respond(NotFound());
  }
}

Response HealthHandler::Refuse(int status, std::string_view reason) {
  return RefusalProblem(status, reason);
}

// Null when the request may go on.
std::optional<Response> MetricsHandler::CheckToken(const Request& request) const {
  if (token_.empty()) {
    static const HostCheck this_machine({});
    if (this_machine.AllowsHost(request.Header("host").value_or(""))) {
      return std::nullopt;
    }
    return Problem(421, "Misdirected Request",
                   "Without a token, metrics are for requests to an IP address or localhost.");
  }
  constexpr std::string_view kScheme = "Bearer ";
  const std::string_view given = request.Header("authorization").value_or("");
  if (EqualsIgnoreCase(given.substr(0, kScheme.size()), kScheme) &&
      crypto::EqualInConstantTime(Trim(given.substr(kScheme.size())), token_)) {
    return std::nullopt;
  }
  Response response =
      Problem(401, "Unauthorized", "Metrics need the token of --metrics-token-file.");
  response.headers.emplace_back("WWW-Authenticate", "Bearer");
  return response;
}

void MetricsHandler::Handle(Request request, Respond respond) {
  if (auto refused = CheckMethod(request)) {
    respond(std::move(*refused));
  } else if (auto unknown = CheckToken(request)) {
    respond(*std::move(unknown));
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
