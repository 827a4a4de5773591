#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "flows/parts.h"
#include "flows/sign_in.h"

/// Other passwords: by an account's owner who knows the current one, or by a one-time link. Nobody
/// but those who log in or change a password ever sees one.
namespace tintype::flows {

/// The current password is wrong, or there is none. Not kUnauthenticated: the caller is logged in, and stays so.
inline constexpr Reason kWrongPassword{ErrorKind::kAccessDenied, "WrongPassword"};

/// Somebody who is logged in, and says their password again.
struct OwnerProof {
  std::string account_id;
  std::string session_id;
  std::string password;
  std::string address;  // The client's, without a port.
};

/// Whether it is the account's owner who has the session, and not somebody who found it open. Wrong
/// passwords count as they do at a login. Errors: kWrongPassword; kLimitExceeded after too many
/// wrong ones; kOverloaded.
Status CheckOwner(const SignInParts& parts, Identity& identity, const OwnerProof& proof);

/// Sets another password, and ends all sessions but the proof's. API keys stay. Errors: those of
/// CheckOwner; kValidation for a password that cannot be one; identity::kPasswordChanged when
/// somebody else has just changed it.
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
