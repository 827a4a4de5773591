#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"
#include "flows/accounts/sign_in.h"
#include "flows/parts.h"

/// Other passwords: by an account's owner who knows the current one, or by a one-time link. Nobody
/// but those who log in or change a password ever sees one.
namespace tintype::flows {

/// The current password is wrong. Not kUnauthenticated: the caller is logged in, and stays so.
inline constexpr Reason kWrongPassword{ErrorKind::kAccessDenied, "WrongPassword"};
/// The account has no password that its owner could say, and they signed in too long ago.
inline constexpr Reason kSignInAgain{ErrorKind::kAccessDenied, "SignInAgain"};

/// How long signing in stands for the password of an account that has none.
inline constexpr std::chrono::minutes kSignedInLately{10};

/// Somebody who is logged in, and says their password again.
struct OwnerProof {
  std::string account_id;
  std::string session_id;
  std::string password;  // Not looked at where the account has none.
  std::string address;   // The client's, without a port.
};

/// Whether it is the account's owner who has the session, and not somebody who found it open. Wrong
/// passwords count as they do at a login; where there is none, the session has to have begun within
/// kSignedInLately. Errors: kWrongPassword; kSignInAgain; kLimitExceeded after too many wrong ones;
/// kOverloaded.
Status CheckOwner(const SignInParts& parts, Identity& identity, const OwnerProof& proof);

/// Sets another password, or the first one, and ends all sessions but the proof's. API keys stay.
/// Errors: those of CheckOwner; kValidation for a password that cannot be one;
/// identity::kPasswordChanged when somebody else has just changed it.
Status ChangePassword(const SignInParts& parts, Identity& identity, const OwnerProof& proof,
                      std::string_view new_password);

struct PasswordByLink {
  std::string token;
  std::string password;
  std::string address;
  std::string user_agent;
};

/// Uses a one-time link up: sets the password, ends all sessions, and signs in. Errors:
/// identity::kInvalidOneTimeLink; identity::kAccountDisabled; kValidation; kLimitExceeded after too
/// many attempts from the network; kOverloaded.
Result<SignedIn> SetPasswordByLink(const SignInParts& parts, Identity& identity,
                                   const PasswordByLink& request);

}  // namespace tintype::flows
