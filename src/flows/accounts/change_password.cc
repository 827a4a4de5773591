#include "flows/accounts/change_password.h"

#include <optional>
#include <utility>

#include "base/strings.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/identity/credentials/password_links.h"
#include "contexts/identity/reasons.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::identity::Accounts;
using contexts::identity::AccountWithPassword;
using contexts::identity::HashingLane;
using contexts::identity::HashingTurn;
using contexts::identity::LogInAttempt;
using contexts::identity::NetworkOf;

/// Whether the owner of an account without a password has just signed in.
Status CheckSignedInLately(const SignInParts& parts, Identity& identity, const OwnerProof& proof) {
  ASSIGN_OR_RETURN(const int64_t began_ms, identity.sessions.BeganAt(proof.session_id));
  const int64_t age_ms = parts.clock.NowMs() - began_ms;
  if (age_ms < 0 || age_ms > std::chrono::milliseconds(kSignedInLately).count()) {
    return Error(kSignInAgain,
                 StrCat("Your account has no password to prove that it is you. Log out, sign in "
                        "again, and do this within ",
                        kSignedInLately.count(), " minutes."));
  }
  return OkStatus();
}

/// The account of a proof that is good.
Result<AccountWithPassword> Recognise(const SignInParts& parts, Identity& identity,
                                      const OwnerProof& proof) {
  ASSIGN_OR_RETURN(auto found, parts.accounts.FindWithPassword(proof.account_id));
  if (!found) {
    return Error(contexts::identity::kNotLoggedIn, "The account is gone.");
  }
  if (found->password_hash.empty()) {
    RETURN_IF_ERROR(CheckSignedInLately(parts, identity, proof));
    return *std::move(found);
  }
  // As a device of its own, so that strangers who try the account's name are not in the way.
  LogInAttempt attempt{found->account.email, NetworkOf(proof.address), proof.session_id};
  RETURN_IF_ERROR(identity.throttle.TakeLogIn(attempt));
  const Result<bool> right = identity.passwords.Verify(found->password_hash, proof.password,
                                                       {HashingLane::kMember, proof.account_id});
  if (!right.ok()) {
    identity.throttle.GiveBack(attempt);
    return right.error();
  }
  if (!*right) {
    return Error(kWrongPassword, "The current password is wrong.");
  }
  identity.throttle.Succeeded(attempt);
  return *std::move(found);
}

}  // namespace

Status CheckOwner(const SignInParts& parts, Identity& identity, const OwnerProof& proof) {
  RETURN_IF_ERROR(Recognise(parts, identity, proof));
  return OkStatus();
}

Status ChangePassword(const SignInParts& parts, Identity& identity, const OwnerProof& proof,
                      std::string_view new_password) {
  RETURN_IF_ERROR(contexts::identity::CheckPassword(new_password));
  ASSIGN_OR_RETURN(const AccountWithPassword owner, Recognise(parts, identity, proof));
  const std::string& id = owner.account.id;
  ASSIGN_OR_RETURN(const std::string hash,
                   identity.passwords.Hash(new_password, {HashingLane::kMember, id}));
  // If the account is disabled meanwhile, its generation is a higher one, and the session ends too.
  Status changed = Transaction(StrCat("change-password ", id))
                       .Add(Accounts::ChangePassword(id, owner.password_hash, hash))
                       .Add(contexts::identity::Sessions::KeepIn(
                           proof.session_id, owner.account.session_generation + 1))
                       .Commit(parts.database, parts.retries);
  identity.live.Forget();
  return changed;
}

Result<SignedIn> SetPasswordByLink(const SignInParts& parts, Identity& identity,
                                   const PasswordByLink& request) {
  RETURN_IF_ERROR(contexts::identity::CheckPassword(request.password));
  RETURN_IF_ERROR(identity.throttle.TakeSignUp(NetworkOf(request.address)));
  contexts::identity::PasswordLinks links(parts.database, parts.clock);
  ASSIGN_OR_RETURN(const std::string id, links.FindAccount(request.token));
  ASSIGN_OR_RETURN(const auto account, parts.accounts.Find(id));
  if (!account || account->disabled) {
    return Error(contexts::identity::kAccountDisabled,
                 "This account is disabled. Ask the person who runs this server.");
  }
  // The link was made for an account's owner, who is no stranger.
  ASSIGN_OR_RETURN(const std::string hash,
                   identity.passwords.Hash(request.password, {HashingLane::kMember, id}));
  const Status set = Transaction(StrCat("password-by-link ", id))
                         .Add(contexts::identity::PasswordLinks::Use(request.token))
                         .Add(Accounts::ResetPassword(id, hash))
                         .Commit(parts.database, parts.retries);
  identity.live.Forget();
  RETURN_IF_ERROR(set);
  // Of the generation that has begun with the password.
  ASSIGN_OR_RETURN(const auto renewed, parts.accounts.Find(id));
  if (!renewed) {
    return Error(contexts::identity::kNotLoggedIn, "The account is gone.");
  }
  return BeginSession(identity, *renewed, {request.address, request.user_agent});
}

}  // namespace tintype::flows
