#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "access/principal.h"
#include "base/result.h"
#include "flows/accounts/outside_sign_in.h"
#include "flows/accounts/sign_in.h"
#include "flows/product.h"
#include "http/rest/protocol/keys.h"
#include "http/server/message.h"

namespace tintype::http::rest {

/// Who a request comes from.
struct Caller {
  flows::Account account;
  access::Principal principal;
  std::string session_id;  // Empty for API keys.
  bool by_cookie = false;
  std::string api_key;  // All of it. Empty for others.
  std::string bearer;   // A token of the other issuer. Empty for others.
  /// What its first use brought about.
  flows::OutsideOutcome outcome = flows::OutsideOutcome::kKnown;
};

/// The token that a request brings in its Authorization header.
std::optional<std::string_view> BearerToken(const Request& request);

/// Finds out who a request comes from, in two steps: Recognise looks at the request alone, so that
/// the server's own threads can do it before they take a body; Confirm looks at the tables.
/// Thread-safe.
class Authenticator {
 public:
  /// All outlive it.
  Authenticator(flows::Product& product, flows::Identity& identity, const SignatureKeys& keys)
      : product_(product), identity_(identity), keys_(keys) {}

  /// Checks what a request shows: an access token by its signature and time, with the CSRF token of
  /// a cookie's session; of an API key or a token of the other issuer, that it looks like one. The
  /// account is as the token has it, and none for the other two, until Confirm was asked. Does not
  /// block. Errors: kNotLoggedIn, kInvalidCsrfToken.
  Result<Caller> Recognise(const Request& request) const;

  /// Whether the session or key is still good, by what was known at most half a second ago; fills
  /// the account and the principal with what they are now. May block. Errors: kNotLoggedIn; those
  /// of flows::FindBearer.
  Status Confirm(Caller& caller) const;

 private:
  Status ConfirmBearer(Caller& caller) const;

  flows::Product& product_;
  flows::Identity& identity_;
  const SignatureKeys& keys_;
};

}  // namespace tintype::http::rest
