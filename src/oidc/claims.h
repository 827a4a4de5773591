#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace tintype::oidc {

/// What an issuer says about somebody.
struct Claims {
  std::string subject;
  /// As it was written; whether it is an address is for the reader to check.
  std::optional<std::string> email;
  bool email_verified = false;
  /// Whether it was said at all that the address is verified, or is not.
  bool says_email_verified = false;
  /// A wish for a username, from `preferred_username` or Cognito's name for it.
  std::string username;
  /// What people call them.
  std::string name;
  /// Of the claim that is set for it. Nothing: the token does not have that claim.
  std::optional<std::vector<std::string>> roles;
  int64_t expires_s = 0;
  /// Whether it is an access token, which says little about the person.
  bool of_access_token = false;
};

/// What a token has to say to be one for this server.
struct ClaimRules {
  std::string issuer;
  std::string client_id;
  /// The audience of access tokens, if they have one of their own.
  std::string audience;
  /// The name of the claim with roles; a path, with dots between, where no claim has that name.
  /// Empty: none.
  std::string roles_claim;
};

/// How far the clocks of an issuer and this server may be apart.
inline constexpr int64_t kClockLeewayS = 60;

/// The claims of an ID token from the code flow, whose signature was verified: for this client, in
/// its time, and for this very sign-in. Errors: kInvalidToken, whose note says what is wrong.
Result<Claims> ReadIdToken(const json::Value& claims, const ClaimRules& rules,
                           std::string_view nonce, int64_t now_s);

/// The claims of a bearer token, whose signature was verified: an ID token of this client, or an
/// access token for it or for the audience. Errors: kInvalidToken.
Result<Claims> ReadBearerToken(const json::Value& claims, const ClaimRules& rules, int64_t now_s);

/// What the userinfo endpoint says about somebody. Errors: kInvalidToken when it speaks of another
/// subject.
Result<Claims> ReadUserInfo(const json::Value& claims, const ClaimRules& rules,
                            std::string_view subject);

}  // namespace tintype::oidc
