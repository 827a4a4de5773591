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
/// The access token or the session is not good (any more).
inline constexpr Reason kNotLoggedIn{ErrorKind::kUnauthenticated, "NotLoggedIn"};

}  // namespace tintype::contexts::identity
