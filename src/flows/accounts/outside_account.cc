#include "flows/accounts/outside_account.h"

#include <algorithm>
#include <utility>

#include "base/big_endian.h"
#include "base/logging.h"
#include "base/random.h"
#include "base/strings.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/identity/accounts/invitations.h"
#include "contexts/identity/accounts/outside_identities.h"
#include "contexts/identity/reasons.h"
#include "contract/limits.h"
#include "flows/accounts/manage_accounts.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::identity::Accounts;
using contexts::identity::Invitation;
using contexts::identity::OutsideIdentities;
using contexts::identity::OutsideIdentity;

/// How often somebody is looked for again because another request was quicker.
constexpr int kAttempts = 3;
constexpr int kUsernameAttempts = 8;

Error NotVerified(const OutsideIssuer& issuer) {
  return {kEmailNotVerified,
          StrCat(issuer.name,
                 " does not say that an email address is yours, so that no account here can be "
                 "yours. Sign in with a password, and link the two in your settings.")};
}

Error Disabled() {
  return {contexts::identity::kAccountDisabled,
          "This account is disabled. Ask the person who runs this server."};
}

/// A username out of what the issuer calls somebody; `attempt` makes others of it.
std::string UsernameOf(const oidc::Claims& claims, std::string_view email, int attempt) {
  const std::string& wish = claims.username.empty() ? std::string(email) : claims.username;
  constexpr size_t kRoomForNumber = 6;
  std::string name;
  for (const char c : wish.substr(0, wish.find('@'))) {
    const char lower = ToLower(c);
    const bool plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9') ||
                       lower == '.' || lower == '_' || lower == '-';
    if (plain && name.size() + kRoomForNumber < static_cast<size_t>(limits::kUsername.max)) {
      name.push_back(lower);
    }
  }
  if (attempt == 0 && limits::Allows(limits::kUsername, name)) {
    return name;
  }
  constexpr uint64_t kNumbers = 100'000;
  const uint64_t number = ReadBigEndian64(RandomBytes(sizeof(uint64_t))) % kNumbers;
  return StrCat(name.empty() ? "user" : name, "-", number);
}

/// The invitation to the address itself, whoever has the link.
Result<std::optional<Invitation>> FindInvitationTo(const OutsideParts& parts,
                                                   const std::string& email) {
  ASSIGN_OR_RETURN(const auto listed,
                   contexts::identity::Invitations(parts.database, parts.clock).List());
  const auto found = std::ranges::find(listed, email, &Invitation::email);
  return found == listed.end() ? std::nullopt : std::optional(*found);
}

/// Whether somebody without an account gets one, and by which invitation, if by any.
Result<std::optional<Invitation>> CheckWelcome(const OutsideParts& parts,
                                               const OutsideIssuer& issuer,
                                               const Newcomer& newcomer, const std::string& email) {
  ASSIGN_OR_RETURN(const bool set_up, parts.accounts.IsSetUp());
  if (!set_up) {
    return Error(kInvalidSetupToken,
                 "The first account of this server is made with the setup token, not with another "
                 "service.");
  }
  if (issuer.sign_up == SignUpMode::kClosed) {
    return Error(kSignUpClosed,
                 StrCat("You have no account here, and ", issuer.name,
                        " brings no new ones. Ask the person who runs this server for one."));
  }
  if (newcomer.invitation) {
    ASSIGN_OR_RETURN(Invitation invitation,
                     contexts::identity::Invitations(parts.database, parts.clock)
                         .Find(*newcomer.invitation, email));
    return std::optional(std::move(invitation));
  }
  ASSIGN_OR_RETURN(auto invitation, FindInvitationTo(parts, email));
  if (!invitation && issuer.sign_up == SignUpMode::kInvitation) {
    return Error(kInvitationRequired,
                 "You have no account here. Accounts are made by invitation: ask the person who "
                 "runs this server for one.");
  }
  return invitation;
}

/// Makes an account that is linked to the identity from its first moment. `counted`: the attempt
/// has been taken from what its network has.
Result<Account> MakeAccount(const OutsideParts& parts, Identity& identity,
                            const oidc::Claims& claims, const Newcomer& newcomer,
                            const std::string& email, bool& counted) {
  const OutsideIssuer& issuer = *identity.outside;
  ASSIGN_OR_RETURN(const auto invitation, CheckWelcome(parts, issuer, newcomer, email));
  // Somebody invited as an administrator stays one, whatever the other service says.
  const bool invited_to_administrate = invitation && invitation->administrator;
  if (invited_to_administrate && !newcomer.signs_in) {
    // The invitation is kept for when they sign in.
    return Error(
        kInvitationRequired,
        StrCat("You have no account here yet. Sign in once in the page with ", issuer.name, "."));
  }
  if (!counted) {
    RETURN_IF_ERROR(identity.throttle.TakeSignUp(contexts::identity::NetworkOf(newcomer.address)));
    counted = true;
  }
  NewAccount described;
  described.email = email;
  described.invitation = invitation;
  described.role_from_outside = !issuer.administrator_role.empty() && !invited_to_administrate;
  // A token may be older than a change of the role: only signing in makes an administrator.
  described.administrator = described.role_from_outside
                                ? newcomer.signs_in && IsAdministrator(issuer, claims)
                                : invited_to_administrate;
  if (limits::Allows(limits::kDisplayName, claims.name)) {
    described.display_name = claims.name;
  }
  described.outside = IdentityOf(issuer.client.issuer(), claims, "", parts.clock.NowMs());
  for (int attempt = 0;; ++attempt) {
    described.username = UsernameOf(claims, email, attempt);
    Result<Account> made = AddAccount(parts, described);
    if (made.ok() || attempt == kUsernameAttempts ||
        !made.error().Is(contexts::identity::kUsernameTaken)) {
      return made;
    }
  }
}

Result<Account> LinkByEmail(const OutsideParts& parts, const OutsideIssuer& issuer,
                            const Account& account, const oidc::Claims& claims) {
  const Error link_required(kLinkRequired,
                            StrCat("There is an account of this email address. Sign in to it with "
                                   "its password, and link it with ",
                                   issuer.name, " in your settings."));
  if (!account.email_vouched) {
    return link_required;
  }
  // The link first: of one person's two windows, the later one finds it and comes in as well.
  RETURN_IF_ERROR(Transaction(StrCat("link-by-email ", account.id, " ", claims.subject))
                      .Add(OutsideIdentities::Link(IdentityOf(issuer.client.issuer(), claims,
                                                              account.id, parts.clock.NowMs())))
                      .Add(Accounts::SpendVouch(account.id, link_required))
                      .Commit(parts.database, parts.retries));
  return account;
}

/// The account that the identity is linked to. Nothing when there is none, or none any more.
/// Errors: kAccountDisabled.
Result<std::optional<FoundAccount>> FindLinked(const OutsideParts& parts,
                                               const OutsideIssuer& issuer,
                                               const oidc::Claims& claims) {
  OutsideIdentities identities(parts.database);
  ASSIGN_OR_RETURN(const auto linked, identities.Find(issuer.client.issuer(), claims.subject));
  if (!linked) {
    return std::optional<FoundAccount>();
  }
  ASSIGN_OR_RETURN(auto account, parts.accounts.Find(linked->account_id));
  if (!account) {
    RETURN_IF_ERROR(Transaction(StrCat("forget-identity ", linked->id, " ", linked->account_id))
                        .Add(OutsideIdentities::Forget(*linked))
                        .Commit(parts.database, parts.retries));
    return std::optional<FoundAccount>();
  }
  if (account->disabled) {
    return Disabled();
  }
  return std::optional(FoundAccount{*std::move(account), OutsideOutcome::kKnown});
}

Result<FoundAccount> FindOrMakeOnce(const OutsideParts& parts, Identity& identity,
                                    const oidc::Claims& claims, const Newcomer& newcomer,
                                    bool& counted) {
  const OutsideIssuer& issuer = *identity.outside;
  ASSIGN_OR_RETURN(auto known, FindLinked(parts, issuer, claims));
  if (known) {
    return *std::move(known);
  }
  if (!claims.email || !claims.email_verified) {
    return NotVerified(issuer);
  }
  ASSIGN_OR_RETURN(const std::string email, contexts::identity::CheckEmail(*claims.email));
  ASSIGN_OR_RETURN(const auto found, parts.accounts.FindForLogin(email));
  if (found && found->account.disabled) {
    return Disabled();
  }
  if (found) {
    ASSIGN_OR_RETURN(Account linked, LinkByEmail(parts, issuer, found->account, claims));
    return FoundAccount{std::move(linked), OutsideOutcome::kLinked};
  }
  ASSIGN_OR_RETURN(Account made, MakeAccount(parts, identity, claims, newcomer, email, counted));
  return FoundAccount{std::move(made), OutsideOutcome::kMade};
}

}  // namespace

OutsideIdentity IdentityOf(std::string_view issuer, const oidc::Claims& claims,
                           std::string_view account_id, int64_t now_ms) {
  return {OutsideIdentities::IdOf(issuer, claims.subject),
          std::string(issuer),
          claims.subject,
          std::string(account_id),
          claims.email,
          now_ms};
}

Result<FoundAccount> FindOrMakeAccount(const OutsideParts& parts, Identity& identity,
                                       const oidc::Claims& claims, const Newcomer& newcomer) {
  bool counted = false;
  for (int attempt = 1;; ++attempt) {
    Result<FoundAccount> found = FindOrMakeOnce(parts, identity, claims, newcomer, counted);
    if (found.ok()) {
      return found;
    }
    if (!found.error().Is(contexts::identity::kIdentityTaken) &&
        !found.error().Is(contexts::identity::kEmailTaken)) {
      // Another request of the same person may have used up what lets them in, the invitation or
      // the vouch, a moment ago: then they are linked.
      auto known = FindLinked(parts, *identity.outside, claims);
      return known.ok() && *known ? Result<FoundAccount>(**std::move(known)) : std::move(found);
    }
    if (attempt == kAttempts) {
      return found;
    }
  }
}

bool IsAdministrator(const OutsideIssuer& issuer, const oidc::Claims& claims) {
  return !issuer.administrator_role.empty() && claims.roles &&
         std::ranges::find(*claims.roles, issuer.administrator_role) != claims.roles->end();
}

Result<Account> FollowRole(const OutsideParts& parts, const OutsideIssuer& issuer,
                           const Account& account, const oidc::Claims& claims) {
  const bool administrator = IsAdministrator(issuer, claims);
  if (!account.role_from_outside || account.administrator == administrator) {
    return account;
  }
  ASSIGN_OR_RETURN(ListedAccount changed,
                   ChangeAccount(parts, Actor{}, account.id, {.administrator = administrator}));
  if (changed.account.disabled) {
    return Disabled();
  }
  LogInfo("outside_role_followed",
          {{"accountId", account.id}, {"administrator", administrator ? "true" : "false"}});
  return std::move(changed.account);
}

}  // namespace tintype::flows
