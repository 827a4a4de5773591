#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "http/rest/api/api.h"
#include "http/rest/api/request_metrics.h"
#include "http/rest/api/sign_in_door.h"
#include "http/rest/media/media.h"
#include "http/rest/page/static_files.h"
#include "http/rest/protocol/pool.h"
#include "http/server/host_check.h"
#include "http/server/message.h"

namespace tintype::http::rest {

struct EndpointConfig {
  Pool::Config local_pool;
  Pool::Config storage_pool;
  /// The page's files; empty in a build without it.
  std::span<const StaticFile> page;
  /// Answers `/healthz` and `/readyz`, at once.
  Handler& health;
  /// Which hosts requests may be for. Default: this machine's addresses. Health checks may be for
  /// any.
  HostCheck hosts{HostCheck::Config{}};
  /// Whether the tables accept little but deletions. Default: never. Thread-safe; quick.
  std::function<bool()> disk_nearly_full{};
};

/// The listener for people: the REST API by its route table, media by signed links, the page, and
/// the health checks. Anything that may block runs on one of the pools. Owned by the program's
/// wiring; outlives the server that it answers for. Thread-safe.
class RestEndpoint : public Handler {
 public:
  RestEndpoint(const EndpointConfig& config, Api& api);

  void Handle(Request request, Respond respond) override;
  BodyDecision TakeBody(const Request& head) override;
  Response Refuse(int status, std::string_view reason) override;

  /// Finishes what it has taken on. Call when the server has stopped.
  void Stop();

 private:
  /// A request, and the route that it is for, if there is one.
  struct Matched {
    const Route* route = nullptr;
    Call call;
  };
  /// The answer if the request cannot be for any handler.
  std::optional<Response> Match(const Request& request, Matched& matched) const;
  /// Fills in who makes the call, by the request alone, if its operation is not for anyone. The
  /// answer when nobody can be recognised.
  std::optional<Response> Recognise(Matched& matched) const;
  /// The same, by the tables too; the answer when they may not make the call.
  std::optional<Response> Authorize(Matched& matched) const;
  /// The answer while the disk has no room for what the operation would write.
  std::optional<Response> RefuseForRoom(const Matched& matched) const;
  Response Answer(const Request& request, std::chrono::steady_clock::time_point received);
  void Run(Pool& pool, Request request, Respond respond);
  /// The same for a request that hashes a password.
  void RunSignIn(Request request, SignInDoor::For purpose, Respond respond);
  /// The same, counting the answer.
  Respond Counted(RequestMetrics::Place place, Respond respond);

  const EndpointConfig config_;
  Api& api_;
  RequestMetrics metrics_;
  const std::string image_origin_;  // Where the page's pictures are, beside here. Or empty.
  Media media_;                     // Before the pools, whose tasks use it.
  Pool local_pool_;
  Pool storage_pool_;
  SignInDoor sign_in_door_;
};

}  // namespace tintype::http::rest
