#pragma once

#include "access/principal.h"
#include "base/result.h"
#include "contract/contract.h"

/// The one decision about the REST API: whether a principal may call an operation at all. Whose
/// things it then sees and changes is decided by `views` and `flows`, from the principal's account.
namespace tintype::access::rest {

/// The operation is for people who are signed in, and the caller is an API key.
inline constexpr Reason kSessionRequired{ErrorKind::kAccessDenied, "SessionRequired"};
/// The API key lacks the operation's scope.
inline constexpr Reason kScopeMissing{ErrorKind::kAccessDenied, "ScopeMissing"};
inline constexpr Reason kAdministratorsOnly{ErrorKind::kAccessDenied, "AdministratorsOnly"};
/// Nobody that we know asks for what is not for everybody.
inline constexpr Reason kUnknownCaller{ErrorKind::kUnauthenticated, "UnknownCaller"};

/// Errors: those above. A denial's reason is for the audit and for programs, its text for the
/// caller. Pure; allocates nothing when it permits.
Status Decide(const Principal& principal, contract::Access access);

}  // namespace tintype::access::rest
