#pragma once

#include "base/error.h"

/// The cases of errors of what other issuers say.
namespace tintype::oidc {

/// The token is not one of the issuer for this server, or not any more.
inline constexpr Reason kInvalidToken{ErrorKind::kUnauthenticated, "InvalidToken"};
/// The issuer did not let the person in, or does not know the code.
inline constexpr Reason kIssuerRefused{ErrorKind::kAccessDenied, "IssuerRefused"};
/// The issuer cannot be reached, or what it answers cannot be understood.
inline constexpr Reason kIssuerUnavailable{ErrorKind::kUnavailable, "IssuerUnavailable"};

}  // namespace tintype::oidc
