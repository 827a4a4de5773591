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
/// The profile picture is another than it was a moment ago.
inline constexpr Reason kPictureChanged{ErrorKind::kConditionFailed, "PictureChanged"};
/// The account is being deleted: it cannot be changed any more.
inline constexpr Reason kAccountDeleting{ErrorKind::kInUse, "AccountDeleting"};
/// The acting administrator is none any more, or is disabled.
inline constexpr Reason kAdministratorNoMore{ErrorKind::kAccessDenied, "AdministratorNoMore"};
/// An administrator's account, which another administrator has to change first.
inline constexpr Reason kIsAdministrator{ErrorKind::kInUse, "IsAdministrator"};
/// The password is right, but nobody can sign in to the account.
inline constexpr Reason kAccountDisabled{ErrorKind::kAccessDenied, "AccountDisabled"};
/// The invitation was used, taken back or has expired; or it is for another email address.
inline constexpr Reason kInvalidInvitation{ErrorKind::kAccessDenied, "InvalidInvitation"};
/// The one-time link was used, was replaced or has expired.
inline constexpr Reason kInvalidOneTimeLink{ErrorKind::kAccessDenied, "InvalidOneTimeLink"};
/// The account has as many API keys as it may have.
inline constexpr Reason kTooManyApiKeys{ErrorKind::kInUse, "TooManyApiKeys"};
/// The outside identity belongs to an account already.
inline constexpr Reason kIdentityTaken{ErrorKind::kInUse, "IdentityTaken"};
/// The account has as many outside identities as it may have.
inline constexpr Reason kTooManyIdentities{ErrorKind::kInUse, "TooManyIdentities"};
/// The access token or the session is not good (any more).
inline constexpr Reason kNotLoggedIn{ErrorKind::kUnauthenticated, "NotLoggedIn"};

}  // namespace tintype::contexts::identity
