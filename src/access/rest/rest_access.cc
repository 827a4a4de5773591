#include "access/rest/rest_access.h"

#include <algorithm>

#include "base/strings.h"

namespace tintype::access::rest {
namespace {

using contract::Access;

/// The kinds of principals that act for an account over REST. Keys of the tables do not.
bool ActsForAccount(const Principal& principal) {
  switch (principal.kind) {
    case PrincipalKind::kSession:
    case PrincipalKind::kApiKey:
    case PrincipalKind::kOutsideIdentity:
      return !principal.account_id.empty();
    case PrincipalKind::kAnonymous:
    case PrincipalKind::kServer:
    case PrincipalKind::kRootKey:
    case PrincipalKind::kAccessKey:
      break;
  }
  return false;
}

Status DecideForApiKey(const Principal& key, Access access) {
  if (access == Access::kSession) {
    return Error(kSessionRequired,
                 "API keys cannot do this, since it guards the account itself. Log in instead.");
  }
  const std::string_view scope = contract::NameOf(access);
  if (std::ranges::find(key.scopes, scope) == key.scopes.end()) {
    return Error(kScopeMissing, StrCat("This API key lacks the scope `", scope,
                                       "`. Make a key that has it, or log in."));
  }
  return OkStatus();
}

}  // namespace

Status Decide(const Principal& principal, Access access) {
  if (access == Access::kAnyone) {
    return OkStatus();
  }
  if (!ActsForAccount(principal)) {
    return Error(kUnknownCaller, "Log in first: there is no access token.");
  }
  if (principal.kind == PrincipalKind::kApiKey) {
    RETURN_IF_ERROR(DecideForApiKey(principal, access));
  }
  // A bearer token of another issuer is no session here: what guards an account needs one.
  if (principal.kind == PrincipalKind::kOutsideIdentity && access == Access::kSession) {
    return Error(kSessionRequired, "A token of another issuer cannot do this. Log in instead.");
  }
  if (access == Access::kAdminister && !principal.administrator) {
    return Error(kAdministratorsOnly, "Only administrators may do this.");
  }
  return OkStatus();
}

}  // namespace tintype::access::rest
