#pragma once

#include <functional>

#include "http/dynamodb/metrics.h"
#include "http/server/message.h"

namespace tintype::http::dynamodb {

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
  explicit MetricsHandler(const Metrics& metrics) : metrics_(metrics) {}

  void Handle(Request request, Respond respond) override;
  Response Refuse(int status, std::string_view reason) override;

 private:
  const Metrics& metrics_;
};

}  // namespace tintype::http::dynamodb
