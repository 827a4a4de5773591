#include "flows/accounts/outside_sign_in.h"

#include <algorithm>
#include <utility>

#include "base/base64.h"
#include "base/random.h"
#include "base/strings.h"
#include "contexts/common/transaction.h"
#include "contexts/identity/accounts/accounts.h"
#include "contexts/identity/accounts/outside_identities.h"
#include "contexts/identity/reasons.h"
#include "crypto/digest.h"
#include "flows/accounts/outside_account.h"
#include "json/jwt.h"
#include "json/writer.h"
#include "oidc/reasons.h"
#include "tables/language/database.h"

namespace tintype::flows {
namespace {

using contexts::Transaction;
using contexts::identity::Accounts;
using contexts::identity::OutsideIdentities;
using contexts::identity::OutsideIdentity;

constexpr std::string_view kSealedFor = "outside sign-in";
constexpr size_t kStateBytesMax = 4096;

/// What is known of a sign-in that has begun: nobody but the browser remembers it.
struct SignInState {
  oidc::SignInBegun begun;
  OutsideBeginning beginning;
  int64_t began_ms = 0;
};

std::string SealState(const OutsideIssuer& issuer, const SignInState& state) {
  json::Writer json;
  json.OpenObject();
  json.Text("state", state.begun.state);
  json.Text("nonce", state.begun.nonce);
  json.Text("verifier", state.begun.verifier);
  json.MaybeText("invitation", state.beginning.invitation);
  json.Text("account", state.beginning.account_id);
  json.Text("session", state.beginning.session_id);
  json.Integer("began", state.began_ms);
  json.CloseObject();
  return Base64Url(contexts::Seal(issuer.sealing_key, kSealedFor, std::move(json).Take()));
}

Error Expired() {
  return {kSignInExpired, "The sign-in took too long, or began in another window. Try again."};
}

Result<SignInState> OpenState(const OutsideIssuer& issuer, std::string_view sealed_text) {
  const std::string sealed =
      sealed_text.size() <= kStateBytesMax ? ParseBase64Url(sealed_text).value_or("") : "";
  const Result<std::string> text = contexts::Unseal(issuer.sealing_key, kSealedFor, sealed);
  if (!text.ok()) {
    return Expired();
  }
  ASSIGN_OR_RETURN(const json::Value json, json::Parse(*text, kStateBytesMax));
  SignInState state;
  state.begun.state = TextOf(json, "state");
  state.begun.nonce = TextOf(json, "nonce");
  state.begun.verifier = TextOf(json, "verifier");
  if (std::string invitation = TextOf(json, "invitation"); !invitation.empty()) {
    state.beginning.invitation = std::move(invitation);
  }
  state.beginning.account_id = TextOf(json, "account");
  state.beginning.session_id = TextOf(json, "session");
  state.began_ms = IntegerOf(json, "began");
  return state;
}

Result<OutsideIssuer*> IssuerOf(const Identity& identity) {
  if (identity.outside == nullptr) {
    return Error::NotFound("No other service to sign in with is configured here.");
  }
  return identity.outside;
}

/// What the browser left with, if it is the one that is back.
Result<SignInState> Recognise(const Clock& clock, const OutsideIssuer& issuer,
                              const OutsideReturn& back) {
  ASSIGN_OR_RETURN(SignInState state, OpenState(issuer, back.sealed_state));
  const int64_t age_ms = clock.NowMs() - state.began_ms;
  if (!crypto::EqualInConstantTime(state.begun.state, back.state) || age_ms < 0 ||
      age_ms > std::chrono::milliseconds(kOutsideSignInMax).count()) {
    return Expired();
  }
  return state;
}

/// Links somebody to the account of the session that the sign-in began in.
Result<OutsideArrival> Link(const OutsideParts& parts, Identity& identity,
                            const OutsideBeginning& beginning, const oidc::Claims& claims) {
  ASSIGN_OR_RETURN(const auto caller,
                   identity.live.OfSession(beginning.session_id, beginning.account_id));
  OutsideIdentities identities(parts.database);
  ASSIGN_OR_RETURN(const auto others, identities.List(caller.account.id));
  // Two at the same moment may both be the last one: the bound keeps lists short, no more.
  if (others.size() >= OutsideIdentities::kIdentitiesMax) {
    return Error(contexts::identity::kTooManyIdentities,
                 StrCat("The account has ", OutsideIdentities::kIdentitiesMax,
                        " outside sign-ins already. Remove one."));
  }
  const OutsideIdentity linked =
      IdentityOf(identity.outside->client.issuer(), claims, caller.account.id, parts.clock.NowMs());
  const Status committed = Transaction(StrCat("link ", caller.account.id, " ", linked.id))
                               .Add(OutsideIdentities::Link(linked))
                               .Add(Accounts::DropVouch(caller.account.id))
                               .Commit(parts.database, parts.retries);
  if (!committed.ok()) {
    // That it was linked to this very account before is fine.
    ASSIGN_OR_RETURN(const auto found, identities.Find(linked.issuer, linked.subject));
    if (!found || found->account_id != caller.account.id) {
      return committed.error();
    }
  }
  OutsideArrival arrival;
  arrival.linked = true;
  arrival.how = OutsideOutcome::kLinked;
  arrival.signed_in.account = caller.account;
  arrival.signed_in.session_id = beginning.session_id;
  return arrival;
}

/// A bearer token that is not good, or leads to no account, is no login, whatever was asked for;
/// that too many are new at once passes.
Error AsNotLoggedIn(const Error& error) {
  switch (error.kind()) {
    case ErrorKind::kUnauthenticated:
    case ErrorKind::kAccessDenied:
    case ErrorKind::kValidation:
      return Error(error).WithReason(contexts::identity::kNotLoggedIn);
    case ErrorKind::kLimitExceeded:
      return Error(error).WithReason(ErrorKind::kOverloaded);
    default:
      return error;
  }
}

/// Why somebody was refused a moment ago, if they were.
std::optional<Error> FindRefusal(const Clock& clock, OutsideIssuer& issuer,
                                 const std::string& subject) {
  auto refusal = issuer.refused.Find(subject);
  const int64_t age_ms = refusal ? clock.NowMs() - refusal->at_ms : 0;
  const bool lately = refusal && age_ms >= 0 && age_ms < kRefusedMs;
  return lately ? std::optional(std::move(refusal->why)) : std::nullopt;
}

/// What is known of the person behind a bearer token. Access tokens say little, so the issuer is
/// asked whose address it is, once: afterwards the identity leads to an account.
Result<oidc::Claims> DescribeBearer(oidc::Client& client, std::string_view token,
                                    oidc::Claims claims) {
  if (!claims.of_access_token || claims.email_verified) {
    return claims;
  }
  ASSIGN_OR_RETURN(oidc::Claims person, client.AskUserInfo(token, claims.subject));
  if (!person.roles) {
    person.roles = std::move(claims.roles);
  }
  return person;
}

Transaction Unlinking(std::string_view account_id, std::string_view id) {
  // The random part keeps two removals apart, with the same link made again in between.
  Transaction unlink(StrCat("unlink ", account_id, " ", id, " ", RandomUuid()));
  // The person who has the address there must not come back by it.
  unlink.Add(OutsideIdentities::Unlink(account_id, id)).Add(Accounts::DropVouch(account_id));
  return unlink;
}

}  // namespace

Result<OutsideRedirect> BeginOutsideSignIn(const Clock& clock, const Identity& identity,
                                           const OutsideBeginning& beginning) {
  ASSIGN_OR_RETURN(OutsideIssuer* const issuer, IssuerOf(identity));
  ASSIGN_OR_RETURN(oidc::SignInBegun begun, issuer->client.Begin());
  std::string url = begun.url;
  return OutsideRedirect{std::move(url), SealState(*issuer, {begun, beginning, clock.NowMs()})};
}

Result<OutsideArrival> FinishOutsideSignIn(const OutsideParts& parts, Identity& identity,
                                           const OutsideReturn& back) {
  ASSIGN_OR_RETURN(OutsideIssuer* const issuer, IssuerOf(identity));
  ASSIGN_OR_RETURN(const SignInState state, Recognise(parts.clock, *issuer, back));
  if (!back.error.empty() || back.code.empty()) {
    return Error(oidc::kIssuerRefused, StrCat(issuer->name, " did not sign you in."))
        .WithNote(back.error);
  }
  const OutsideBeginning& beginning = state.beginning;
  // A link is for whoever is signed in where it began: at a shared computer, or with somebody
  // else's state, that may be another person by now.
  if (!beginning.session_id.empty() && beginning.session_id != back.session_id) {
    return Expired();
  }
  // Each sign-in exchanges one code: made-up ones cost the issuer one request per sign-in.
  if (issuer->spent.Find(state.begun.state)) {
    return Expired();
  }
  const auto network = contexts::identity::NetworkOf(back.use.address);
  RETURN_IF_ERROR(identity.throttle.TakeReturn(network));
  issuer->spent.Add(state.begun.state, true);
  ASSIGN_OR_RETURN(
      const oidc::Claims claims,
      issuer->client.Finish({back.code, back.issuer}, state.begun.nonce, state.begun.verifier));
  identity.throttle.GiveReturnBack(network);
  if (!beginning.account_id.empty()) {
    return Link(parts, identity, beginning, claims);
  }
  ASSIGN_OR_RETURN(const FoundAccount found,
                   FindOrMakeAccount(parts, identity, claims,
                                     {beginning.invitation, back.use.address,
                                      /*signs_in=*/true}));
  ASSIGN_OR_RETURN(const Account current, FollowRole(parts, *issuer, found.account, claims));
  ASSIGN_OR_RETURN(SignedIn signed_in, BeginSession(identity, current, back.use));
  const bool role_changed = current.administrator != found.account.administrator;
  return OutsideArrival{false, std::move(signed_in), found.how, role_changed};
}

Result<Bearer> FindBearer(const OutsideParts& parts, Identity& identity, std::string_view token,
                          std::string_view address) {
  ASSIGN_OR_RETURN(OutsideIssuer* const issuer, IssuerOf(identity));
  Result<oidc::Claims> claims = issuer->client.VerifyBearer(token);
  if (!claims.ok()) {
    return AsNotLoggedIn(claims.error());
  }
  ASSIGN_OR_RETURN(auto known, identity.live.OfIdentity(issuer->client.issuer(), claims->subject));
  Bearer bearer;
  bearer.identity = StrCat(issuer->client.issuer(), "#", claims->subject);
  Account& account = bearer.account;
  if (known) {
    account = std::move(known->account);
  } else if (auto refusal = FindRefusal(parts.clock, *issuer, claims->subject)) {
    return *std::move(refusal);
  } else {
    const Result<oidc::Claims> person = DescribeBearer(issuer->client, token, *claims);
    if (!person.ok()) {
      return AsNotLoggedIn(person.error());
    }
    auto found = FindOrMakeAccount(parts, identity, *person, {{}, std::string(address)});
    if (!found.ok()) {
      Error why = AsNotLoggedIn(found.error());
      if (why.Is(contexts::identity::kNotLoggedIn)) {
        issuer->refused.Add(claims->subject, {why, parts.clock.NowMs()});
      }
      return why;
    }
    account = std::move(found->account);
    bearer.how = found->how;
  }
  // A token may be older than a change of the role, so it can only take away: an administrator is
  // made by signing in. One without the claim has no role: issuers leave it out for whoever is in
  // no group.
  if (account.role_from_outside) {
    account.administrator = account.administrator && IsAdministrator(*issuer, *claims);
  }
  return bearer;
}

Status UnlinkIdentity(const UnlinkParts& parts, const Identity& identity, const Account& account,
                      std::string_view id) {
  ASSIGN_OR_RETURN(const auto linked, OutsideIdentities(parts.database).List(account.id));
  ASSIGN_OR_RETURN(const auto found, parts.accounts.FindWithPassword(account.id));
  Transaction unlink = Unlinking(account.id, id);
  if (!found || found->password_hash.empty()) {
    const Error last(kLastSignIn,
                     "This is the only way to sign in to your account. Set a password first.");
    // One of an issuer that is not configured any more leads nowhere.
    const std::string issuer = identity.outside == nullptr ? "" : identity.outside->client.issuer();
    const auto other = std::ranges::find_if(linked, [&](const OutsideIdentity& each) {
      return each.id != id && each.issuer == issuer;
    });
    if (other == linked.end()) {
      return last;
    }
    unlink.Add(OutsideIdentities::CheckLinked(*other, last));
  }
  return unlink.Commit(parts.database, parts.retries);
}

Status UnlinkIdentityOf(const UnlinkParts& parts, std::string_view account_id,
                        std::string_view id) {
  return Unlinking(account_id, id).Commit(parts.database, parts.retries);
}

Result<std::vector<OutsideIdentity>> ListIdentities(const UnlinkParts& parts,
                                                    const Account& account) {
  return OutsideIdentities(parts.database).List(account.id);
}

}  // namespace tintype::flows
