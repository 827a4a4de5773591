#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "backend.h"
#include "http/server/testing/client.h"
#include "sigv4/sigv4.h"

namespace tintype::conformance {

/// Sends cases as they are, as signed requests to a port of this machine. A connection that is
/// closed without an answer gives the status 0, which no step expects.
class SignedClient {
 public:
  SignedClient(uint16_t port, sigv4::Credentials credentials);

  Answer Call(std::string_view operation, std::string_view body);

 private:
  const uint16_t port_;
  const sigv4::Credentials credentials_;
  sigv4::SigningKeyCache signing_keys_;
  std::unique_ptr<http::testing::Client> connection_;
};

}  // namespace tintype::conformance
