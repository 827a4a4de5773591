#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "contexts/identity/accounts/outside_identity.h"
#include "flows/accounts/outside_sign_in.h"

/// Which account somebody comes to whom another issuer vouches for: the rules of
/// flows/accounts/outside_sign_in.h.
namespace tintype::flows {

/// How somebody comes who may be new.
struct Newcomer {
  std::optional<std::string> invitation;
  std::string address;    // The client's, without a port.
  bool signs_in = false;  // With the code flow; not by a token that they have had for a while.
};

/// The account that somebody has come to.
struct FoundAccount {
  Account account;
  OutsideOutcome how = OutsideOutcome::kKnown;
};

contexts::identity::OutsideIdentity IdentityOf(std::string_view issuer, const oidc::Claims& claims,
                                               std::string_view account_id, int64_t now_ms);

/// The account of somebody, which is made or linked where need be. Errors: as FinishOutsideSignIn.
Result<FoundAccount> FindOrMakeAccount(const OutsideParts& parts, Identity& identity,
                                       const oidc::Claims& claims, const Newcomer& newcomer);

/// Whether the roles of somebody make them an administrator. Where no role does, they make nobody.
bool IsAdministrator(const OutsideIssuer& issuer, const oidc::Claims& claims);

/// The account, with the role that its issuer says that it has now, if it follows the issuer in
/// that. A token without that claim says that there is no role.
Result<Account> FollowRole(const OutsideParts& parts, const OutsideIssuer& issuer,
                           const Account& account, const oidc::Claims& claims);

}  // namespace tintype::flows
