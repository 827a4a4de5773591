#pragma once

#include <functional>
#include <utility>

#include "http/server/message.h"
#include "metrics/registry.h"

/// What those ask who watch over the server.
namespace tintype::http::monitoring {

/// Answers `/healthz` (the process runs) and `/readyz` (it can serve); anything else is 404. Errors
/// are problem details (RFC 9457). Thread-safe.
class HealthHandler : public Handler {
 public:
  /// `ready` is called for each request to `/readyz`, on the server's threads.
  explicit HealthHandler(std::function<bool()> ready) : ready_(std::move(ready)) {}

  void Handle(Request request, Respond respond) override;
  Response Refuse(int status, std::string_view reason) override;

 private:
  const std::function<bool()> ready_;
};

/// Answers `/metrics` with Prometheus's text format; anything else is 404. Thread-safe.
class MetricsHandler : public Handler {
 public:
  explicit MetricsHandler(const metrics::Registry& registry) : registry_(registry) {}

  void Handle(Request request, Respond respond) override;
  Response Refuse(int status, std::string_view reason) override;

 private:
  const metrics::Registry& registry_;
};

}  // namespace tintype::http::monitoring
