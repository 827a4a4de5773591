#include "flows/sign_in.h"

#include <utility>

#include "base/strings.h"
#include "contexts/common/secrets.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts.h"
#include "contexts/identity/reasons.h"
#include "contract/limits.h"
#include "crypto/digest.h"
#include "flows/manage_accounts.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::identity::Accounts;

Error WrongLogin() { return {kInvalidCredentials, "The name or the password is wrong."}; }

Result<SignedIn> Begin(Identity& identity, const Account& account) {
  ASSIGN_OR_RETURN(const auto session, identity.sessions.Begin(account));
  return SignedIn{account, session.id, identity.tokens.Issue(account, session.id),
                  session.refresh_token};
}

/// Whether this may be the first account.
Status CheckSetUpToken(Identity& identity, const SignUpRequest& request) {
  const SignInConfig& config = identity.config;
  if (config.setup_token.empty()) {
    return OkStatus();
  }
  if (!request.setup_token) {
    return Error(kInvalidSetupToken, StrCat("The first account needs the setup token. It is in ",
                                            config.setup_token_place, "."));
  }
  if (!crypto::EqualInConstantTime(*request.setup_token, config.setup_token)) {
    identity.peer_attempts.Failed(request.address);
    return Error(kInvalidSetupToken,
                 StrCat("The setup token is wrong. It is in ", config.setup_token_place, "."));
  }
  return OkStatus();
}

}  // namespace

Result<SignedIn> SignUp(const SignInParts& parts, Identity& identity,
                        const SignUpRequest& request) {
  // Before anybody is told whether accounts are made here, and before the costly hash.
  RETURN_IF_ERROR(contexts::identity::CheckEmail(request.email));
  RETURN_IF_ERROR(contexts::identity::CheckUsername(request.username));
  RETURN_IF_ERROR(contexts::identity::CheckPassword(request.password));
  RETURN_IF_ERROR(identity.peer_attempts.Check(request.address));
  ASSIGN_OR_RETURN(const bool set_up, parts.accounts.IsSetUp());
  if (!set_up) {
    RETURN_IF_ERROR(CheckSetUpToken(identity, request));
  } else if (!identity.config.open_sign_up) {
    return Error(kSignUpClosed,
                 "Sign-up is closed here. Ask the person who runs this server for an account.");
  }
  ASSIGN_OR_RETURN(std::string hash, identity.passwords.Hash(request.password));
  ASSIGN_OR_RETURN(const Account account,
                   AddAccount(parts, {request.email, request.username, std::move(hash)},
                              /*administrator=*/!set_up));
  return Begin(identity, account);
}

Result<SignedIn> LogIn(const SignInParts& parts, Identity& identity, const LogInRequest& request) {
  if (!limits::Allows(limits::kEmail, request.name)) {
    return WrongLogin();
  }
  const std::string& address = request.address;
  RETURN_IF_ERROR(identity.peer_attempts.Check(address));
  ASSIGN_OR_RETURN(const auto found, parts.accounts.FindForLogin(request.name));
  if (!found) {
    RETURN_IF_ERROR(identity.passwords.PretendToVerify(request.password));
    identity.peer_attempts.Failed(address);
    return WrongLogin();
  }
  // By account, whichever of its names is used. Many more are free than for one address, so that
  // nobody can keep the owner out by guessing now and then.
  const Account& account = found->account;
  RETURN_IF_ERROR(identity.account_attempts.Check(account.id));
  ASSIGN_OR_RETURN(const bool right,
                   identity.passwords.Verify(found->password_hash, request.password));
  if (!right) {
    identity.peer_attempts.Failed(address);
    identity.account_attempts.Failed(account.id);
    return WrongLogin();
  }
  identity.account_attempts.Succeeded(account.id);
  if (identity.passwords.IsOutdated(found->password_hash)) {
    ASSIGN_OR_RETURN(const std::string hash, identity.passwords.Hash(request.password));
    const Status replaced = Transaction(StrCat("rehash ", account.id))
                                .Add(Accounts::ReplaceHash(account.id, found->password_hash, hash))
                                .Commit(parts.database, parts.retries);
    // Somebody else may have been quicker, with the same password or with another.
    if (!replaced.ok() && !replaced.error().Is(contexts::identity::kPasswordChanged)) {
      return replaced.error();
    }
  }
  return Begin(identity, account);
}

Result<SignedIn> RefreshSession(const SignInParts& parts, Identity& identity,
                                std::string_view refresh_token) {
  ASSIGN_OR_RETURN(const auto session, identity.sessions.Refresh(refresh_token));
  ASSIGN_OR_RETURN(const auto account, parts.accounts.Find(session.account_id));
  if (!account) {
    RETURN_IF_ERROR(identity.sessions.EndById(session.id));
    return Error(contexts::identity::kNotLoggedIn, "The account is gone.");
  }
  if (session.generation != account->session_generation) {
    RETURN_IF_ERROR(identity.sessions.EndById(session.id));
    return Error(contexts::identity::kNotLoggedIn, "The password was reset. Log in again.");
  }
  return SignedIn{*account, session.id, identity.tokens.Issue(*account, session.id),
                  session.refresh_token};
}

}  // namespace tintype::flows
