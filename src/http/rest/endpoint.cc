#include "http/rest/endpoint.h"

#include <chrono>
#include <utility>

#include "base/random.h"
#include "base/retry.h"
#include "base/strings.h"
#include "contract/limits.h"
#include "http/rest/api/audited_operations.h"
#include "http/rest/api/known_names.h"
#include "http/rest/protocol/host_refusal.h"
#include "http/rest/protocol/low_disk.h"
#include "http/rest/protocol/reasons.h"
#include "http/rest/protocol/request_log.h"
#include "http/rest/starting.h"
#include "http/rest/uploads/handlers.h"

namespace tintype::http::rest {
namespace {

using Place = RequestMetrics::Place;
using SteadyClock = std::chrono::steady_clock;

constexpr std::string_view kApiPrefix = "/api/";
constexpr std::string_view kMediaPrefix = "/media/";

/// Whether a path fits a template; fills what stands for its braces.
bool Fits(std::string_view path_template, const Target& target,
          std::vector<std::string>& parameters) {
  parameters.clear();
  size_t segment = 0;
  while (!path_template.empty()) {
    path_template.remove_prefix(1);  // The slash.
    const size_t end = std::min(path_template.find('/'), path_template.size());
    const std::string_view part = path_template.substr(0, end);
    path_template.remove_prefix(end);
    if (segment == target.segments.size()) {
      return false;
    }
    if (part.starts_with('{')) {
      // Nothing has such an id, and the tables would say so in words that are not for clients.
      if (!limits::CheckText("id", target.segments[segment], limits::kId).ok()) {
        return false;
      }
      parameters.push_back(target.segments[segment]);
    } else if (part != target.segments[segment]) {
      return false;
    }
    ++segment;
  }
  return segment == target.segments.size();
}

/// What a request is meant to do: clients of resumable uploads that cannot send PATCH or DELETE say
/// so in a header.
std::string_view MethodOf(const Request& request, const Target& target) {
  const auto meant = request.Header("x-http-method-override");
  const bool overrides =
      meant && request.method == "POST" && target.path.starts_with("/api/v1/uploads/");
  return overrides ? *meant : std::string_view(request.method);
}

/// Whether a request may have to wait for the blob store: uploads, in whatever way they come, and
/// profile pictures.
bool NeedsStorage(const Request& request, std::string_view path) {
  return request.sink != nullptr || path.starts_with("/api/v1/uploads") ||
         path == "/api/v1/me/picture";
}

/// The scheme and the host that the storage's links to pictures begin with. Empty when the server
/// sends them itself.
std::string ImageOrigin(const Api& api) {
  if (!api.config.redirect_to_storage) {
    return "";
  }
  const auto link = api.product.blobs.PresignGet({api.product.config.images_bucket, "any"}, {});
  if (!link.ok() || !*link) {
    return "";
  }
  const std::string& url = **link;
  return url.substr(0, url.find('/', url.find("://") + 3));
}

/// Counts an answer under its operation or, without one, the place that it is from.
void Count(RequestMetrics& metrics, const Call& call, Place place, int status,
           SteadyClock::time_point received) {
  const auto duration = SteadyClock::now() - received;
  if (call.operation != nullptr) {
    metrics.Count(*call.operation, status, duration);
  } else {
    metrics.Count(place, status, duration);
  }
}

bool IsSafe(std::string_view method) { return method == "GET" || method == "HEAD"; }

/// The answer to a request that says more than its operation takes. Fills the call's body.
std::optional<Response> RefuseUnknownNames(Call& call) {
  Status known = CheckParameters(*call.operation, call.target);
  if (known.ok()) {
    known = TakeJson(call);
  }
  return known.ok() ? std::nullopt : std::optional(Refuse(call, known.error()));
}

}  // namespace

RestEndpoint::RestEndpoint(const EndpointConfig& config, Api& api)
    : config_(config),
      api_(api),
      metrics_(api.metrics),
      image_origin_(ImageOrigin(api)),
      media_(api, {local_pool_, storage_pool_}),
      local_pool_(config_.local_pool),
      storage_pool_(config_.storage_pool),
      sign_in_door_(api.identity.devices) {}

void RestEndpoint::Stop() {
  local_pool_.Stop();
  storage_pool_.Stop();
  sign_in_door_.Stop();
}

std::optional<Response> RestEndpoint::Match(const Request& request, Matched& matched) const {
  Call& call = matched.call;
  std::optional<Target> target = ParseTarget(request.target);
  if (!target) {
    return rest::Refuse(call, ErrorKind::kValidation, "The path or the query cannot be decoded.");
  }
  call.target = *std::move(target);
  const std::string_view method = MethodOf(request, call.target);
  std::string allowed;
  for (const Route& route : Routes()) {
    std::vector<std::string> parameters;
    if (!Fits(route.path, call.target, parameters)) {
      continue;
    }
    const bool head = method == "HEAD" && route.method == "GET";
    if (route.method == method || head) {
      matched.route = &route;
      call.operation = &contract::OperationOf(route.operation_id);
      call.parameters = std::move(parameters);
      return std::nullopt;
    }
    StrAppend(allowed, allowed.empty() ? "" : ", ", route.method);
  }
  if (call.target.path.starts_with(kMediaPrefix) && !IsSafe(method)) {
    allowed = "GET, HEAD";
  }
  if (!allowed.empty()) {
    Response response =
        rest::Refuse(call, reasons::kMethodNotAllowed, StrCat("This path takes ", allowed, "."));
    response.headers.emplace_back("Allow", allowed);
    return response;
  }
  return std::nullopt;
}

std::optional<Response> RestEndpoint::Recognise(Matched& matched) const {
  if (matched.call.operation->access == contract::Access::kAnyone) {
    return std::nullopt;
  }
  Result<Caller> caller =
      Authenticator(api_.product, api_.identity, api_.keys).Recognise(matched.call.request);
  if (!caller.ok()) {
    return rest::Refuse(matched.call, caller.error());
  }
  matched.call.caller = *std::move(caller);
  return std::nullopt;
}

std::optional<Response> RestEndpoint::Authorize(Matched& matched) const {
  if (auto refusal = Recognise(matched)) {
    return refusal;
  }
  if (!matched.call.caller) {
    return std::nullopt;
  }
  const Status admitted = Admit(api_, matched.call, *matched.call.caller);
  return admitted.ok() ? std::nullopt : std::optional(rest::Refuse(matched.call, admitted.error()));
}

std::optional<Response> RestEndpoint::RefuseForRoom(const Matched& matched) const {
  const Call& call = matched.call;
  if (!config_.disk_nearly_full ||
      GoesOnLowOnDisk(matched.route->method, matched.route->operation_id) ||
      !config_.disk_nearly_full()) {
    return std::nullopt;
  }
  return rest::Refuse(call, reasons::kDiskNearlyFull,
                      "The server's disk is nearly full. You can log in, look at everything and "
                      "delete images; anything else waits until there is room.");
}

BodyDecision RestEndpoint::TakeBody(const Request& head) {
  const auto received = SteadyClock::now();
  Matched matched{nullptr, {head, {}, {}, RequestIdOf(head), TraceIdOf(head), {}}};
  CallNotes notes;
  matched.call.notes = &notes;
  const auto refuse = [&](Response response) -> BodyDecision {
    AuditAnswer(api_.audit, matched.call, response);
    Count(metrics_, matched.call, Place::kOther, response.status, received);
    AddUploadHeaders(matched.call, response);
    response.headers.emplace_back("X-Request-Id", matched.call.request_id);
    return {nullptr, std::move(response)};
  };
  if (const auto error = CheckHostAndOrigin(config_.hosts, head)) {
    return refuse(rest::Refuse(matched.call, *error));
  }
  // Refusals here are made without reading the body.
  if (auto refusal = Match(head, matched)) {
    return refuse(*std::move(refusal));
  }
  if (matched.route == nullptr || matched.route->take_body == nullptr) {
    return {};
  }
  // Whether the caller is still good, and may do this, is decided before the first bytes are kept
  // (StreamedCall): that may wait for the tables, which this thread must not.
  if (auto refusal = Recognise(matched)) {
    return refuse(*std::move(refusal));
  }
  if (const Status known = CheckParameters(*matched.call.operation, matched.call.target);
      !known.ok()) {
    return refuse(rest::Refuse(matched.call, known.error()));
  }
  // The sink keeps the call for longer than the notes live.
  matched.call.notes = nullptr;
  BodyDecision decision =
      matched.route->take_body(api_, {local_pool_, storage_pool_}, matched.call);
  return decision.refusal ? refuse(*std::move(decision.refusal)) : std::move(decision);
}

Response RestEndpoint::Answer(const Request& request, SteadyClock::time_point received) {
  const auto started = SteadyClock::now();
  Matched matched{nullptr, {request, {}, {}, RequestIdOf(request), TraceIdOf(request), {}}};
  const Call& call = matched.call;
  CallNotes notes;
  matched.call.notes = &notes;
  std::optional<Response> response;
  if (const auto error = CheckHostAndOrigin(config_.hosts, request)) {
    response = rest::Refuse(call, *error);
  } else {
    response = Match(request, matched);
  }
  // The sender of a body into a sink is looked at with each of its pieces.
  if (!response && matched.route != nullptr && request.sink == nullptr) {
    response = Authorize(matched);
  }
  if (!response && matched.route != nullptr && request.sink == nullptr) {
    response = RefuseUnknownNames(matched.call);
  }
  if (!response && matched.route != nullptr) {
    response = RefuseForRoom(matched);
  }
  if (!response && matched.route != nullptr) {
    response = RefuseUnrecorded(api_.audit, call);
  }
  if (!response && matched.route != nullptr) {
    response = matched.route->handle(api_, call);
  }
  Place place = Place::kOther;
  if (!response && IsSafe(request.method) && !call.target.path.starts_with(kApiPrefix)) {
    response = GetStaticFile(config_.page, request, call.target.path, image_origin_);
    place = response ? Place::kPage : place;
  }
  if (!response) {
    response = rest::Refuse(call, Error::NotFound("There is nothing at this path."));
  }
  AuditAnswer(api_.audit, call, *response);
  AddUploadHeaders(call, *response);
  response->headers.emplace_back("X-Request-Id", call.request_id);
  if (AsksForUpload(request)) {
    KeepUploadAlive(*response);
  }
  LogRequest(request, call.target.path, *response, call.request_id, started);
  Count(metrics_, call, place, response->status, received);
  return *std::move(response);
}

void RestEndpoint::Handle(Request request, Respond respond) {
  const std::string_view path =
      std::string_view(request.target).substr(0, request.target.find('?'));
  if (path == "/healthz" || path == "/readyz") {
    config_.health.Handle(std::move(request), Counted(Place::kHealth, std::move(respond)));
    return;
  }
  if (path.starts_with(kMediaPrefix) && IsSafe(request.method) &&
      !CheckHostAndOrigin(config_.hosts, request)) {
    media_.Handle(std::move(request), Counted(Place::kMedia, std::move(respond)));
    return;
  }
  if (const auto purpose = SignInDoor::PurposeOf(request.method, request.target)) {
    return RunSignIn(std::move(request), *purpose, std::move(respond));
  }
  Pool& pool = NeedsStorage(request, path) ? storage_pool_ : local_pool_;
  Run(pool, std::move(request), std::move(respond));
}

void RestEndpoint::Run(Pool& pool, Request request, Respond respond) {
  const bool asks_for_upload = AsksForUpload(request);
  auto shared = std::make_shared<Respond>(std::move(respond));
  pool.Submit([this, request = std::move(request), shared,
               received = SteadyClock::now()] { (*shared)(Answer(request, received)); },
              [this, asks_for_upload, shared] {
                Response busy = Refuse(503, ServerBusy().message());
                if (asks_for_upload) {
                  KeepUploadAlive(busy);
                }
                (*shared)(std::move(busy));
              });
}

void RestEndpoint::RunSignIn(Request request, SignInDoor::For purpose, Respond respond) {
  auto admission = sign_in_door_.Admit(request, purpose);
  if (admission == nullptr) {
    const Error error =
        Error(reasons::kTooManyRequests,
              "Too many people are signing in from your network at this moment. Try again in 1 s.")
            .WithDetail(std::make_shared<RetryAfter>(1));
    metrics_.Count(Place::kOther, ProblemOf(error).status, std::chrono::nanoseconds(0));
    const std::string request_id = RequestIdOf(request);
    Response refusal = ProblemResponse(error, request_id);
    refusal.headers.emplace_back("X-Request-Id", request_id);
    return respond(std::move(refusal));
  }
  Pool& pool = admission->pool;
  Run(pool, std::move(request),
      [respond = std::move(respond), admission = std::move(admission)](Response response) mutable {
        admission.reset();  // Before the client can ask again.
        respond(std::move(response));
      });
}

Respond RestEndpoint::Counted(Place place, Respond respond) {
  return [this, place, received = SteadyClock::now(),
          respond = std::move(respond)](Response response) mutable {
    metrics_.Count(place, response.status, SteadyClock::now() - received);
    respond(std::move(response));
  };
}

Response RestEndpoint::Refuse(int status, std::string_view reason) {
  metrics_.Count(Place::kOther, status, std::chrono::nanoseconds(0));
  Problem problem;
  problem.status = status;
  problem.code = status == 413 ? "TooLarge" : status == 503 ? "Overloaded" : "InvalidRequest";
  problem.detail = reason;
  return ProblemResponse(problem, RandomUuid());
}

}  // namespace tintype::http::rest
