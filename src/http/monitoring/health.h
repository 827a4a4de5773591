#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "http/server/message.h"
#include "metrics/registry.h"

/// What those ask who watch over the server.
namespace tintype::http::monitoring {

/// What is written at the moment.
enum class Writes {
  kAccepted,  ///< Everything.
  kLimited,   ///< Sign-in and deletions alone: the disk is nearly full.
  kRefused,   ///< Nothing: the disk is full.
};

struct Readiness {
  bool ready = false;
  Writes writes = Writes::kAccepted;
};

/// Answers `/healthz` (the process runs) and `/readyz` (it can serve); anything else is 404. Errors
/// are problem details (RFC 9457). Thread-safe.
///
/// A server whose disk is full stays ready, 200, and says `"writes":"limited"` or
/// `"writes":"refused"`: it still serves what people mostly do, and a balancer that took it away
/// would turn a full disk into an outage, for a server alone as for all of several, which fill up
/// together. The body and the metrics tell those who want to know.
class HealthHandler : public Handler {
 public:
  /// `readiness` is called for each request to `/readyz`, on the server's threads.
  explicit HealthHandler(std::function<Readiness()> readiness) : readiness_(std::move(readiness)) {}

  void Handle(Request request, Respond respond) override;
  Response Refuse(int status, std::string_view reason) override;

 private:
  const std::function<Readiness()> readiness_;
};

/// Answers `/metrics` with Prometheus's text format; anything else is 404. Thread-safe.
class MetricsHandler : public Handler {
 public:
  /// `token` is what requests have to carry, as `Authorization: Bearer TOKEN`. Without one, which
  /// is for loopback, anybody is answered but a web page that gave its own name our address.
  explicit MetricsHandler(const metrics::Registry& registry, std::string token = {})
      : registry_(registry), token_(std::move(token)) {}

  void Handle(Request request, Respond respond) override;
  Response Refuse(int status, std::string_view reason) override;

 private:
  std::optional<Response> CheckToken(const Request& request) const;

  const metrics::Registry& registry_;
  const std::string token_;  // Empty: none is asked for.
};

}  // namespace tintype::http::monitoring
