#include <utility>

#include "access/audit/audit_kinds.h"
#include "base/time_text.h"
#include "contexts/identity/accounts/outside_identity.h"
#include "flows/accounts/manage_accounts.h"
#include "flows/accounts/outside_sign_in.h"
#include "http/rest/api/account_json.h"
#include "http/rest/api/audited_operations.h"
#include "http/rest/api/authenticator.h"
#include "http/rest/api/cookies.h"
#include "http/rest/handlers/handlers.h"
#include "http/rest/handlers/sign_in_answers.h"
#include "json/writer.h"

namespace tintype::http::rest {
namespace {

using contexts::identity::OutsideIdentity;

Response BeginRedirect(const Api& api, const Call& call, const flows::OutsideBeginning& beginning) {
  const auto redirect = flows::BeginOutsideSignIn(api.product.clock, api.identity, beginning);
  if (!redirect.ok()) {
    return Refuse(call, redirect.error());
  }
  json::Writer json;
  json.OpenObject();
  json.Text("url", redirect->url);
  json.CloseObject();
  Response response = JsonResponse(200, std::move(json).Take());
  AddOutsideCookie(response, *redirect, api.config.secure_cookies);
  return response;
}

/// The session of whoever is signed in where the request comes from; empty when nobody is. The
/// request's other cookie guards what it does, so it need not carry a token against forgery.
std::string SessionOf(const Api& api, const Call& call) {
  std::optional<std::string> token = FindCookie(call.request, kAccessCookie);
  if (const auto bearer = BearerToken(call.request)) {
    token = std::string(*bearer);
  }
  const auto claims =
      token ? api.identity.tokens.Verify(*token) : Error::Validation("There is no token.");
  return claims.ok() ? claims->session_id : "";
}

Result<flows::OutsideReturn> ReadReturn(const Api& api, const json::Value& body, const Call& call) {
  flows::OutsideReturn back;
  back.session_id = SessionOf(api, call);
  back.sealed_state = FindCookie(call.request, kOutsideCookie).value_or("");
  ASSIGN_OR_RETURN(back.state, RequiredText(body, "state"));
  ASSIGN_OR_RETURN(const auto code, OptionalText(body, "code"));
  ASSIGN_OR_RETURN(const auto error, OptionalText(body, "error"));
  ASSIGN_OR_RETURN(const auto issuer, OptionalText(body, "issuer"));
  back.code = code.value_or("");
  back.error = error.value_or("");
  back.issuer = issuer.value_or("");
  back.use = {call.request.address, UserAgentOf(call)};
  return back;
}

/// The answer to somebody who is back, whatever becomes of it.
Response Arrive(Api& api, const Call& call) {
  const Result<json::Value> body = ReadBody(call);
  if (!body.ok()) {
    return Refuse(call, body.error());
  }
  const Result<flows::OutsideReturn> back = ReadReturn(api, *body, call);
  if (!back.ok()) {
    return Refuse(call, back.error());
  }
  const Result<bool> cookies = WantsCookies(*body);
  if (!cookies.ok()) {
    return Refuse(call, cookies.error());
  }
  const auto arrival = flows::FinishOutsideSignIn(api.product, api.identity, *back);
  if (!arrival.ok()) {
    return Refuse(call, arrival.error());
  }
  if (call.notes != nullptr) {
    call.notes->signed_in = arrival->signed_in;
  }
  if (arrival->linked) {
    if (call.notes != nullptr) {
      call.notes->act = access::audit::kLinkIdentity;
    }
    return NoContent();
  }
  AuditOutsideSignIn(api.audit, call, PrincipalOf(call), arrival->how);
  if (arrival->role_changed) {
    AuditRole(api.audit, call, arrival->signed_in.account);
  }
  return SignedInResponse(api, call, 200, arrival->signed_in, *cookies);
}

Response IdentitiesResponse(const Api& api, const Call& call, const flows::Account& account) {
  const auto identities = flows::ListIdentities(api.product, account);
  if (!identities.ok()) {
    return Refuse(call, identities.error());
  }
  json::Writer json;
  json.OpenObject();
  json.Name("items").OpenArray();
  for (const OutsideIdentity& identity : *identities) {
    json.OpenObject();
    json.Text("id", identity.id);
    json.Text("issuer", identity.issuer);
    json.Name("email");
    if (identity.email) {
      json.Text(*identity.email);
    } else {
      json.Null();
    }
    json.Text("createdAt", TimeText(identity.created_ms));
    json.CloseObject();
  }
  json.CloseArray();
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

}  // namespace

Response PostOutsideSignIn(Api& api, const Call& call) {
  if (auto refused = RefuseForm(call)) {
    return *std::move(refused);
  }
  const Result<json::Value> body = ReadBody(call);
  if (!body.ok()) {
    return Refuse(call, body.error());
  }
  Result<std::optional<std::string>> invitation = ReadInvitation(*body);
  if (!invitation.ok()) {
    return Refuse(call, invitation.error());
  }
  return BeginRedirect(api, call, {*std::move(invitation), "", ""});
}

Response PostOutsideReturn(Api& api, const Call& call) {
  if (auto refused = RefuseForm(call)) {
    return *std::move(refused);
  }
  Response response = Arrive(api, call);
  // The next sign-in begins anew, whatever came of this one.
  RemoveOutsideCookie(response, api.config.secure_cookies);
  return response;
}

Response GetIdentities(Api& api, const Call& call) {
  return IdentitiesResponse(api, call, call.account());
}

Response PostIdentity(Api& api, const Call& call) {
  return BeginRedirect(api, call, {{}, call.account().id, call.caller->session_id});
}

Response DeleteIdentity(Api& api, const Call& call) {
  const Status unlinked =
      flows::UnlinkIdentity(api.product, api.identity, call.account(), call.parameters[0]);
  api.identity.live.Forget();
  return unlinked.ok() ? NoContent() : Refuse(call, unlinked.error());
}

Response GetUserIdentities(Api& api, const Call& call) {
  const auto listed = flows::FindAccount(api.product, call.parameters[0]);
  return listed.ok() ? IdentitiesResponse(api, call, listed->account)
                     : Refuse(call, listed.error());
}

Response DeleteUserIdentity(Api& api, const Call& call) {
  const Status unlinked =
      flows::UnlinkIdentityOf(api.product, call.parameters[0], call.parameters[1]);
  api.identity.live.Forget();
  return unlinked.ok() ? NoContent() : Refuse(call, unlinked.error());
}

}  // namespace tintype::http::rest
