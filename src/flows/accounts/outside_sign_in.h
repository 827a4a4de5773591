#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/recent_cache.h"
#include "base/result.h"
#include "contexts/common/secrets.h"
#include "contexts/identity/accounts/outside_identity.h"
#include "flows/accounts/sign_in.h"
#include "flows/parts.h"
#include "oidc/client.h"

/// Signing in with another issuer: with a browser, by the authorization code flow, or with a bearer
/// token of the issuer's. Which account somebody comes to:
///
/// 1. The one that their identity, issuer and subject, is linked to.
/// 2. Else the one of the same email, if the issuer has verified the address, and if the maker of
///    the account vouched for it (Account::email_vouched). Anybody could have signed up with that
///    address before; without this, they would share the account of whoever comes later. That is
///    good for one identity: an address may become somebody else's. Owners of other accounts link
///    identities themselves, while they are signed in.
/// 3. Else a new one, for a verified email, as far as OutsideIssuer::sign_up lets them. An
///    invitation to the address counts as theirs.
namespace tintype::flows {

/// The other issuer does not say that the email is theirs, so nobody can tell whose account it is.
inline constexpr Reason kEmailNotVerified{ErrorKind::kAccessDenied, "EmailNotVerified"};
/// There is an account of that email, to which its owner has to link the identity.
inline constexpr Reason kLinkRequired{ErrorKind::kAccessDenied, "LinkRequired"};
/// The browser came back without what it left with, or too late.
inline constexpr Reason kSignInExpired{ErrorKind::kAccessDenied, "SignInExpired"};
/// It is the only way to sign in to the account.
inline constexpr Reason kLastSignIn{ErrorKind::kInUse, "LastSignIn"};

/// The issuer beside this server itself, and what is thought of it. Owned by the program's wiring.
struct OutsideIssuer {
  oidc::Client& client;
  /// With what a browser carries the state of its sign-in along.
  contexts::Key256 sealing_key;
  std::string name;  // As people know it.
  /// Who gets an account that has none.
  SignUpMode sign_up = SignUpMode::kInvitation;
  /// The role that makes administrators of accounts which the issuer brought about. Empty: none.
  std::string administrator_role;
  /// Of a bearer who came to no account.
  struct Refusal {
    Error why;
    int64_t at_ms = 0;
  };
  /// By subject, for kRefusedMs: asking again and again costs the tables little.
  RecentCache<Refusal> refused{10'000};
  /// The states of sign-ins whose code was exchanged: none is exchanged twice. For as long as there
  /// is room; each of several nodes remembers its own.
  RecentCache<bool> spent{20'000};
};

using OutsideParts = Uses<ConfigPart, DatabasePart, ClockPart, IdsPart, AccountsPart, PeoplePart>;

/// What came about when somebody arrived, for the audit.
enum class OutsideOutcome {
  kKnown,   ///< Nothing: they were linked before.
  kLinked,  ///< Their identity leads to the account from now on.
  kMade,    ///< The account, which is linked to them.
};

/// For whom a sign-in begins.
struct OutsideBeginning {
  std::optional<std::string> invitation = {};
  /// Where somebody who is signed in links an identity: their account and session. Else empty.
  std::string account_id = {};
  std::string session_id = {};
};

/// Where the browser goes, and what it takes along until it is back: sealed.
struct OutsideRedirect {
  std::string url;
  std::string sealed_state;
};

/// How long a browser may take.
inline constexpr std::chrono::minutes kOutsideSignInMax{15};

/// Errors: kNotFound where there is no other issuer; oidc::kIssuerUnavailable.
Result<OutsideRedirect> BeginOutsideSignIn(const Clock& clock, const Identity& identity,
                                           const OutsideBeginning& beginning);

/// What the browser brought back.
struct OutsideReturn {
  std::string sealed_state;
  std::string state;
  std::string code;
  std::string error;   // Of OAuth; empty when there is none.
  std::string issuer;  // `iss`; empty when it is not there.
  /// Of whoever is signed in in the browser that is back; empty when nobody is.
  std::string session_id;
  contexts::identity::SessionUse use;
};

struct OutsideArrival {
  /// An identity was linked to an account that was signed in already: of its session, only the ids
  /// are known.
  bool linked = false;
  SignedIn signed_in;
  OutsideOutcome how = OutsideOutcome::kKnown;
  /// Signing in has changed the account's role.
  bool role_changed = false;
};

/// Errors: kSignInExpired; those of oidc::Client::Finish; kEmailNotVerified, kLinkRequired,
/// kSignUpClosed, kInvitationRequired, identity::kInvalidInvitation, identity::kAccountDisabled,
/// identity::kIdentityTaken, identity::kTooManyIdentities; kLimitExceeded, after too many returns
/// from the network that the issuer did not confirm or too many new accounts.
Result<OutsideArrival> FinishOutsideSignIn(const OutsideParts& parts, Identity& identity,
                                           const OutsideReturn& back);

/// Somebody with a bearer token.
struct Bearer {
  Account account;
  std::string identity;  // `issuer#subject`.
  OutsideOutcome how = OutsideOutcome::kKnown;
};

/// How long somebody stays refused who came to no account with a bearer token.
inline constexpr int64_t kRefusedMs = 1000;

/// Who makes a request with a bearer token of the other issuer. Somebody who is new comes to an
/// account as above; `address` is where they come from. Errors: identity::kNotLoggedIn for a token
/// that is not good or leads to no account; kOverloaded; oidc::kIssuerUnavailable.
Result<Bearer> FindBearer(const OutsideParts& parts, Identity& identity, std::string_view token,
                          std::string_view address);

using UnlinkParts = Uses<DatabasePart, AccountsPart>;

/// Errors: kNotFound; kLastSignIn when the account has no password and no other identity of the
/// issuer that there is now.
Status UnlinkIdentity(const UnlinkParts& parts, const Identity& identity, const Account& account,
                      std::string_view id);
/// The same by an administrator, who may take the last way in as well: a password link opens
/// another. Errors: kNotFound.
Status UnlinkIdentityOf(const UnlinkParts& parts, std::string_view account_id, std::string_view id);
Result<std::vector<contexts::identity::OutsideIdentity>> ListIdentities(const UnlinkParts& parts,
                                                                        const Account& account);

}  // namespace tintype::flows
