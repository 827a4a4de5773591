#pragma once

#include <memory>

#include "net/http.h"

namespace tintype::net {

/// Sends one request and waits for its answer. Thread-safe. An interface, so that tests can answer
/// as no service does on demand.
class HttpClient {
 public:
  virtual ~HttpClient() = default;
  virtual HttpOutcome Perform(const HttpRequest& request) = 0;
};

/// The network, over connections that are kept for the next request: one for each thread that needs
/// one just then.
std::unique_ptr<HttpClient> NewHttpClient(const HttpConfig& config);

}  // namespace tintype::net
