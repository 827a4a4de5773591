#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/identity/attempts.h"
#include "contexts/identity/passwords.h"
#include "contexts/identity/sessions.h"
#include "contexts/identity/tokens.h"
#include "flows/parts.h"

/// Signing up, logging in and out.
namespace tintype::flows {

using SignInParts = Uses<ConfigPart, DatabasePart, ClockPart, IdsPart, AccountsPart>;

/// The name or the password is wrong; which of them, nobody is told.
inline constexpr Reason kInvalidCredentials{ErrorKind::kUnauthenticated, "InvalidCredentials"};
/// Only who runs the server makes accounts (`tintype users create`).
inline constexpr Reason kSignUpClosed{ErrorKind::kAccessDenied, "SignUpClosed"};
/// The first account needs the setup token, which is missing or wrong.
inline constexpr Reason kInvalidSetupToken{ErrorKind::kAccessDenied, "InvalidSetupToken"};

struct SignInConfig {
  /// The one-time token of a new server. Empty: the first account needs none.
  std::string setup_token;
  /// Where the person finds it, for messages.
  std::string setup_token_place = "the file setup-token of the data directory";
  /// Whether anyone may make an account once there is a first one.
  bool open_sign_up = true;
};

/// What signing in works with, beside the product. Owned by the program's wiring; thread-safe.
struct Identity {
  SignInConfig config;
  const contexts::identity::Passwords& passwords;
  contexts::identity::Sessions& sessions;
  const contexts::identity::Tokens& tokens;
  contexts::identity::Attempts& peer_attempts;     // By address.
  contexts::identity::Attempts& account_attempts;  // By account, from anywhere.
};

struct SignedIn {
  Account account;
  std::string session_id;
  std::string access_token;
  std::string refresh_token;
};

struct SignUpRequest {
  std::string email;
  std::string username;
  std::string password;
  std::optional<std::string> setup_token;
  std::string address;  // Whose guesses at the setup token are counted.
};

/// Makes an account with its user and limit, and signs in. The first account needs the setup token
/// and becomes administrator, who has no limit. Errors: kValidation; kInUse when email or username
/// are taken; kAccessDenied when the setup token is missing or wrong, or sign-up is closed.
Result<SignedIn> SignUp(const SignInParts& parts, Identity& identity, const SignUpRequest& request);

struct LogInRequest {
  std::string name;  // Email or username.
  std::string password;
  std::string address;
};

/// Errors: kAccessDenied, which does not tell whether there is such an account; kLimitExceeded
/// after too many wrong passwords for the account or from the address.
Result<SignedIn> LogIn(const SignInParts& parts, Identity& identity, const LogInRequest& request);

/// Goes on with a session: another refresh token, another access token. Errors: kAccessDenied.
Result<SignedIn> RefreshSession(const SignInParts& parts, Identity& identity,
                                std::string_view refresh_token);

}  // namespace tintype::flows
