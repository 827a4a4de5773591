#pragma once

#include "base/error.h"

/// The cases of errors that the rules of accounts and sessions tell apart.
namespace tintype::contexts::identity {

inline constexpr Reason kEmailTaken{ErrorKind::kInUse, "EmailTaken"};
inline constexpr Reason kUsernameTaken{ErrorKind::kInUse, "UsernameTaken"};
/// The first account exists: nobody else becomes administrator by the setup token.
inline constexpr Reason kSetUpAlready{ErrorKind::kAccessDenied, "SetUpAlready"};
/// The account has had another password set.
inline constexpr Reason kPasswordChanged{ErrorKind::kConditionFailed, "PasswordChanged"};
/// The account is being deleted: it cannot be changed any more.
inline constexpr Reason kAccountDeleting{ErrorKind::kInUse, "AccountDeleting"};
/// The password is right, but nobody can sign in to the account.
inline constexpr Reason kAccountDisabled{ErrorKind::kAccessDenied, "AccountDisabled"};
/// The invitation was used, taken back or has expired; or it is for another email address.
inline constexpr Reason kInvalidInvitation{ErrorKind::kAccessDenied, "InvalidInvitation"};
/// The one-time link was used, was replaced or has expired.
inline constexpr Reason kInvalidOneTimeLink{ErrorKind::kAccessDenied, "InvalidOneTimeLink"};
/// The account has as many API keys as it may have.
inline constexpr Reason kTooManyApiKeys{ErrorKind::kInUse, "TooManyApiKeys"};
/// The access token or the session is not good (any more).
inline constexpr Reason kNotLoggedIn{ErrorKind::kUnauthenticated, "NotLoggedIn"};

}  // namespace tintype::contexts::identity
