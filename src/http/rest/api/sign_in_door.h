#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/callback.h"
#include "contexts/identity/device_tokens.h"
#include "http/rest/protocol/in_flight.h"
#include "http/rest/protocol/pool.h"
#include "http/server/message.h"

namespace tintype::http::rest {

/// Where requests wait that hash a password: on threads of their own, since they wait for long
/// (contexts::identity::HashingQueue). There are two waiting rooms. Who brings the token of a
/// device in which an account has logged in goes to the members', everybody else to the strangers';
/// in both, no account and no network has more than a few requests at once. So strangers wait
/// behind strangers, and nobody else waits for either. Owned by the endpoint. Thread-safe.
class SignInDoor {
 public:
  /// The tokens outlive it.
  explicit SignInDoor(const contexts::identity::DeviceTokens& devices);

  /// Whether a request of this method at this path, without its query, may hash a password.
  static bool IsFor(std::string_view method, std::string_view path);

  /// Room for one request, for as long as it lives.
  struct Admission {
    Pool& pool;
    std::vector<InFlight::Ticket> tickets = {};
  };
  /// Null when enough requests like this one are on their way. Does not block.
  std::unique_ptr<Admission> Admit(const Request& request);

  /// Ends what was begun, and refuses what waits.
  void Stop();

 private:
  const contexts::identity::DeviceTokens& devices_;
  InFlight by_account_;
  InFlight by_network_;
  InFlight by_wide_network_;
  Pool members_;
  Pool strangers_;
};

}  // namespace tintype::http::rest
