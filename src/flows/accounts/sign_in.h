#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/identity/callers/live_callers.h"
#include "contexts/identity/credentials/device_tokens.h"
#include "contexts/identity/credentials/passwords.h"
#include "contexts/identity/credentials/sessions.h"
#include "contexts/identity/credentials/tokens.h"
#include "contexts/identity/throttling/sign_in_throttle.h"
#include "flows/parts.h"

/// Signing up, logging in and out.
namespace tintype::flows {

using SignInParts = Uses<ConfigPart, DatabasePart, ClockPart, IdsPart, AccountsPart>;

/// The name or the password is wrong; which of them, nobody is told.
inline constexpr Reason kInvalidCredentials{ErrorKind::kUnauthenticated, "InvalidCredentials"};
/// Only the person who runs the server makes accounts (`tintype users create`).
inline constexpr Reason kSignUpClosed{ErrorKind::kAccessDenied, "SignUpClosed"};
/// Accounts are made by invitation, and the request has none.
inline constexpr Reason kInvitationRequired{ErrorKind::kAccessDenied, "InvitationRequired"};
/// The first account needs the setup token, which is missing or wrong.
inline constexpr Reason kInvalidSetupToken{ErrorKind::kAccessDenied, "InvalidSetupToken"};

/// Who may make an account once there is a first one.
enum class SignUpMode { kOpen, kInvitation, kClosed };
/// `open`, `invitation` or `closed`.
std::string_view NameOf(SignUpMode mode);

struct SignInConfig {
  /// The one-time token of a new server. Empty: the first account needs none.
  std::string setup_token;
  /// Where the person finds it, for messages.
  std::string setup_token_place = "the file setup-token of the data directory";
  SignUpMode sign_up = SignUpMode::kInvitation;
};

struct OutsideIssuer;

/// What signing in works with, beside the product. Owned by the program's wiring; thread-safe.
struct Identity {
  SignInConfig config;
  const contexts::identity::Passwords& passwords;
  contexts::identity::Sessions& sessions;
  const contexts::identity::Tokens& tokens;
  contexts::identity::SignInThrottle& throttle;
  const contexts::identity::DeviceTokens& devices;
  /// Whether callers are still who their tokens say.
  contexts::identity::LiveCallers& live;
  /// The other issuer by which people sign in; null where there is none.
  OutsideIssuer* outside = nullptr;
};

struct SignedIn {
  Account account;
  std::string session_id;
  std::string access_token;
  std::string refresh_token;
  /// Tells the next login that somebody was here before.
  std::string device_token;
};

struct SignUpRequest {
  std::string email;
  std::string username;
  std::string password;
  std::optional<std::string> setup_token;
  std::string address;  // The client's, without a port.
  std::optional<std::string> invitation = {};
  std::string user_agent = {};  // As the client calls itself.
};

/// Makes an account with its user and limit, and signs in. The first account needs the setup token
/// and becomes administrator, who has no limit. All that can be refused is refused before the
/// password is hashed, and every attempt counts against its network: where sign-up is open,
/// strangers can learn whether a name is taken, but only so often.
///
/// An invitation is used up by it, and says whether the account is an administrator's. One that
/// is not needed has to be good all the same.
///
/// Errors: kValidation; kLimitExceeded after too many attempts from the network; kInUse when email
/// or username are taken; kAccessDenied when the setup token or the invitation is missing or not
/// good, or sign-up is closed; kOverloaded.
Result<SignedIn> SignUp(const SignInParts& parts, Identity& identity, const SignUpRequest& request);

struct LogInRequest {
  std::string name;  // Email or username.
  std::string password;
  std::string address;  // The client's, without a port.
  /// Of an earlier login. One that is not good, or of another account, is as good as none.
  std::optional<std::string> device_token = {};
  std::string user_agent = {};  // As above.
};

/// Errors: kUnauthenticated; kLimitExceeded after too many wrong passwords; kOverloaded. None of
/// them tells whether there is such an account, and neither does the time that they take.
/// identity::kAccountDisabled is only for those who have the right password.
Result<SignedIn> LogIn(const SignInParts& parts, Identity& identity, const LogInRequest& request);

struct RefreshRequest {
  std::string refresh_token;
  std::optional<std::string> device_token = {};  // As above.
  std::string address = {};
  std::string user_agent = {};
};

/// Goes on with a session: another refresh token, another access token. Errors: kUnauthenticated.
Result<SignedIn> RefreshSession(const SignInParts& parts, Identity& identity,
                                const RefreshRequest& request);

/// Begins a session for an account whose owner was recognised in another way.
Result<SignedIn> BeginSession(Identity& identity, const Account& account,
                              const contexts::identity::SessionUse& use);

}  // namespace tintype::flows
