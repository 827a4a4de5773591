#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/callback.h"
#include "contexts/identity/credentials/device_tokens.h"
#include "http/rest/protocol/in_flight.h"
#include "http/rest/protocol/pool.h"
#include "http/server/message.h"

namespace tintype::http::rest {

/// Where requests wait that hash a password, or ask another issuer: on threads of their own, since
/// they wait for long (contexts::identity::HashingQueue). Passwords have two waiting rooms: who
/// brings the token of a device in which an account has logged in goes to the members', everybody
/// else to the strangers'. So strangers wait behind strangers, and nobody else waits for either.
/// Requests that ask another issuer wait in a third. In all of them, no account and no network has
/// more than a few requests at once. Owned by the endpoint. Thread-safe.
class SignInDoor {
 public:
  /// The tokens outlive it.
  explicit SignInDoor(const contexts::identity::DeviceTokens& devices);

  /// What a request waits for that goes through the door.
  enum class For { kPassword, kOtherIssuer };
  /// Nothing for any other request. By the path as routes read it, however it is spelled.
  static std::optional<For> PurposeOf(std::string_view method, std::string_view target);

  /// Room for one request, for as long as it lives.
  struct Admission {
    Pool& pool;
    std::vector<InFlight::Ticket> tickets = {};
  };
  /// Null when enough requests like this one are on their way. Does not block.
  std::unique_ptr<Admission> Admit(const Request& request, For purpose);

  /// Ends what was begun, and refuses what waits.
  void Stop();

 private:
  const contexts::identity::DeviceTokens& devices_;
  InFlight by_account_;
  InFlight by_network_;
  InFlight by_wide_network_;
  Pool members_;
  Pool strangers_;
  /// A service that hangs keeps nobody from logging in here.
  Pool other_issuer_;
};

}  // namespace tintype::http::rest
