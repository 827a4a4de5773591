#include "flows/accounts/sign_in.h"

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "contexts/common/secrets.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/identity/accounts/invitations.h"
#include "contexts/identity/reasons.h"
#include "contract/limits.h"
#include "crypto/digest.h"
#include "flows/accounts/manage_accounts.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::identity::Accounts;
using contexts::identity::AccountWithPassword;
using contexts::identity::Device;
using contexts::identity::HashingLane;
using contexts::identity::HashingTurn;
using contexts::identity::Invitation;
using contexts::identity::LogInAttempt;
using contexts::identity::Network;
using contexts::identity::NetworkOf;
using contexts::identity::SessionUse;

Error WrongLogin() { return {kInvalidCredentials, "The name or the password is wrong."}; }

/// As accounts are looked up by it.
std::string LowerCase(std::string_view name) {
  std::string lower(name);
  std::ranges::transform(lower, lower.begin(), ToLower);
  return lower;
}

/// The device that a token is of, if it is one of the account.
std::optional<std::string> DeviceOf(const Identity& identity,
                                    const std::optional<std::string>& token,
                                    std::string_view account_id) {
  const std::optional<Device> device = token ? identity.devices.Read(*token) : std::nullopt;
  return device && device->account_id == account_id ? std::optional(device->id) : std::nullopt;
}

Result<SignedIn> Begin(Identity& identity, const Account& account,
                       const std::optional<std::string>& device, const SessionUse& use) {
  ASSIGN_OR_RETURN(const auto session, identity.sessions.Begin(account, use));
  return SignedIn{account, session.id, identity.tokens.Issue(account, session.id),
                  session.refresh_token,
                  identity.devices.Issue({account.id, device.value_or(session.id)})};
}

/// Whether this may be the first account.
Status CheckSetUpToken(const SignInConfig& config, const SignUpRequest& request) {
  if (config.setup_token.empty()) {
    return OkStatus();
  }
  if (!request.setup_token) {
    return Error(kInvalidSetupToken, StrCat("The first account needs the setup token. It is in ",
                                            config.setup_token_place, "."));
  }
  if (!crypto::EqualInConstantTime(*request.setup_token, config.setup_token)) {
    return Error(kInvalidSetupToken,
                 StrCat("The setup token is wrong. It is in ", config.setup_token_place, "."));
  }
  return OkStatus();
}

/// Refuses names that are taken, before the password is hashed. AddAccount has the last word.
Status CheckNamesFree(const SignInParts& parts, const SignUpRequest& request) {
  ASSIGN_OR_RETURN(const auto by_email, parts.accounts.FindForLogin(request.email));
  if (by_email) {
    return Error(contexts::identity::kEmailTaken, "There is an account of this email already.");
  }
  ASSIGN_OR_RETURN(const auto by_username, parts.accounts.FindForLogin(request.username));
  if (by_username) {
    return Error(contexts::identity::kUsernameTaken, "This username is taken.");
  }
  return OkStatus();
}

/// Whether the password is the account's. Takes as long when there is none.
Result<bool> CheckLogIn(const SignInParts& parts, const Identity& identity,
                        const std::optional<AccountWithPassword>& found, std::string_view password,
                        const HashingTurn& turn) {
  // Accounts that were made for somebody have no password until it is set.
  if (found && !found->password_hash.empty()) {
    return identity.passwords.Verify(found->password_hash, password, turn);
  }
  if (!found) {
    // As many reads as for an account that there is.
    RETURN_IF_ERROR(parts.accounts.Find("0"));
  }
  RETURN_IF_ERROR(identity.passwords.PretendToVerify(password, turn));
  return false;
}

/// Whether the first account, or one more, may be made by this request. The invitation that it is
/// made by, if there is one.
Result<std::optional<Invitation>> CheckLeave(const SignInParts& parts, const SignInConfig& config,
                                             const SignUpRequest& request, bool set_up) {
  if (!set_up) {
    RETURN_IF_ERROR(CheckSetUpToken(config, request));
    return std::optional<Invitation>();
  }
  if (config.sign_up == SignUpMode::kClosed) {
    return Error(kSignUpClosed,
                 "Sign-up is closed here. Ask the person who runs this server for an account.");
  }
  if (!request.invitation) {
    if (config.sign_up == SignUpMode::kInvitation) {
      return Error(kInvitationRequired,
                   "Accounts are made by invitation here. Ask the person who runs this server for "
                   "one.");
    }
    return std::optional<Invitation>();
  }
  ASSIGN_OR_RETURN(const std::string email, contexts::identity::CheckEmail(request.email));
  ASSIGN_OR_RETURN(Invitation invitation,
                   contexts::identity::Invitations(parts.database, parts.clock)
                       .Find(*request.invitation, email));
  return std::optional(std::move(invitation));
}

/// Hashes a password anew that was hashed at another cost.
Status ReplaceHash(const SignInParts& parts, const Identity& identity,
                   const AccountWithPassword& found, std::string_view password,
                   const HashingTurn& turn) {
  const Result<std::string> hash = identity.passwords.Hash(password, turn);
  if (!hash.ok()) {
    return OkStatus();  // Too busy for what the next login can do as well.
  }
  const Status replaced =
      Transaction(StrCat("rehash ", found.account.id))
          .Add(Accounts::ReplaceHash(found.account.id, found.password_hash, *hash))
          .Commit(parts.database, parts.retries);
  // Somebody else may have been quicker, with the same password or with another.
  const bool changed = !replaced.ok() && replaced.error().Is(contexts::identity::kPasswordChanged);
  return changed ? OkStatus() : replaced;
}

}  // namespace

std::string_view NameOf(SignUpMode mode) {
  switch (mode) {
    case SignUpMode::kOpen:
      return "open";
    case SignUpMode::kInvitation:
      return "invitation";
    case SignUpMode::kClosed:
      return "closed";
  }
  return "";
}

Result<SignedIn> BeginSession(Identity& identity, const Account& account, const SessionUse& use) {
  return Begin(identity, account, std::nullopt, use);
}

Result<SignedIn> SignUp(const SignInParts& parts, Identity& identity,
                        const SignUpRequest& request) {
  // Before anybody is told whether accounts are made here, and before the costly hash.
  RETURN_IF_ERROR(contexts::identity::CheckEmail(request.email));
  RETURN_IF_ERROR(contexts::identity::CheckUsername(request.username));
  RETURN_IF_ERROR(contexts::identity::CheckPassword(request.password));
  const Network network = NetworkOf(request.address);
  RETURN_IF_ERROR(identity.throttle.TakeSignUp(network));
  ASSIGN_OR_RETURN(const bool set_up, parts.accounts.IsSetUp());
  ASSIGN_OR_RETURN(const std::optional<Invitation> invitation,
                   CheckLeave(parts, identity.config, request, set_up));
  RETURN_IF_ERROR(CheckNamesFree(parts, request));
  // No stranger, with the setup token or an invitation.
  const bool known = !set_up || invitation.has_value();
  const HashingTurn turn{known ? HashingLane::kMember : HashingLane::kStranger};
  ASSIGN_OR_RETURN(std::string hash, identity.passwords.Hash(request.password, turn));
  NewAccount described{request.email, request.username, std::move(hash)};
  described.administrator = !set_up || (invitation && invitation->administrator);
  described.first = !set_up;
  described.invitation = invitation;
  ASSIGN_OR_RETURN(const Account account, AddAccount(parts, described));
  return Begin(identity, account, std::nullopt, {request.address, request.user_agent});
}

Result<SignedIn> LogIn(const SignInParts& parts, Identity& identity, const LogInRequest& request) {
  if (!limits::Allows(limits::kEmail, request.name)) {
    return WrongLogin();
  }
  LogInAttempt attempt{LowerCase(request.name), NetworkOf(request.address), {}};
  const bool has_token = request.device_token && identity.devices.Read(*request.device_token);
  // Strangers are refused before anything is read; for the holder of a token, the account has to be
  // known.
  if (!has_token) {
    RETURN_IF_ERROR(identity.throttle.TakeLogIn(attempt));
  }
  ASSIGN_OR_RETURN(const auto found, parts.accounts.FindForLogin(request.name));
  const std::optional<std::string> device =
      found ? DeviceOf(identity, request.device_token, found->account.id) : std::nullopt;
  if (has_token) {
    attempt.device = device.value_or("");
    RETURN_IF_ERROR(identity.throttle.TakeLogIn(attempt));
  }
  const HashingTurn turn = device ? HashingTurn{HashingLane::kMember, found->account.id}
                                  : HashingTurn{HashingLane::kStranger};
  const Result<bool> right = CheckLogIn(parts, identity, found, request.password, turn);
  if (!right.ok()) {
    identity.throttle.GiveBack(attempt);
    return right.error();
  }
  if (!*right) {
    return WrongLogin();
  }
  identity.throttle.Succeeded(attempt);
  if (found->account.disabled) {
    return Error(contexts::identity::kAccountDisabled,
                 "This account is disabled. Ask the person who runs this server.");
  }
  if (identity.passwords.IsOutdated(found->password_hash)) {
    RETURN_IF_ERROR(ReplaceHash(parts, identity, *found, request.password, turn));
  }
  return Begin(identity, found->account, device, {request.address, request.user_agent});
}

Result<SignedIn> RefreshSession(const SignInParts& parts, Identity& identity,
                                const RefreshRequest& request) {
  ASSIGN_OR_RETURN(
      const auto session,
      identity.sessions.Refresh(request.refresh_token, {request.address, request.user_agent}));
  ASSIGN_OR_RETURN(const auto account, parts.accounts.Find(session.account_id));
  if (!account) {
    RETURN_IF_ERROR(identity.sessions.EndById(session.id));
    return Error(contexts::identity::kNotLoggedIn, "The account is gone.");
  }
  if (session.generation != account->session_generation || account->disabled) {
    RETURN_IF_ERROR(identity.sessions.EndById(session.id));
    return Error(contexts::identity::kNotLoggedIn,
                 account->disabled ? "This account is disabled."
                                   : "All sessions were ended, as a new password does. Log in "
                                     "again.");
  }
  const auto device = DeviceOf(identity, request.device_token, account->id);
  return SignedIn{*account, session.id, identity.tokens.Issue(*account, session.id),
                  session.refresh_token,
                  identity.devices.Issue({account->id, device.value_or(session.id)})};
}

}  // namespace tintype::flows
