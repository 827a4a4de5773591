#include <optional>
#include <utility>

#include "flows/change_password.h"
#include "flows/delete_account.h"
#include "flows/manage_accounts.h"
#include "http/rest/api/account_json.h"
#include "http/rest/api/cookies.h"
#include "http/rest/handlers/handlers.h"
#include "json/writer.h"
#include "views/account.h"

namespace tintype::http::rest {
namespace {

Response MeResponse(const Api& api, const Call& call, const flows::Account& account) {
  json::Writer json;
  json.OpenObject();
  WriteUser(json, account);
  if (call.caller->by_cookie) {
    json.Text("csrfToken", CsrfToken(api.keys, call.caller->session_id));
  }
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

/// The caller, who says their password again in that member.
Result<flows::OwnerProof> ReadProof(const Call& call, std::string_view name) {
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  flows::OwnerProof proof;
  proof.account_id = call.account().id;
  proof.session_id = call.caller->session_id;
  ASSIGN_OR_RETURN(proof.password, RequiredText(body, name));
  proof.address = call.request.address;
  return proof;
}

Result<flows::Account> ChangeProfile(Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  flows::Account account = call.account();
  if (body.Find("displayName") != nullptr) {
    ASSIGN_OR_RETURN(account.display_name, OptionalText(body, "displayName"));
    RETURN_IF_ERROR(flows::SetDisplayName(api.product, account, account.display_name));
    api.identity.live.Forget();
  }
  return account;
}

Status ChangeMyPassword(Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const flows::OwnerProof proof, ReadProof(call, "currentPassword"));
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  ASSIGN_OR_RETURN(const std::string password, RequiredText(body, "newPassword"));
  return flows::ChangePassword(api.product, api.identity, proof, password);
}

Status DeleteMyAccount(Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const flows::OwnerProof proof, ReadProof(call, "password"));
  if (call.account().administrator) {
    return Error::InUse(
        "An administrator's account is deleted by another administrator, or by 'tintype users "
        "delete', so that there is always one left.");
  }
  RETURN_IF_ERROR(flows::CheckOwner(api.product, api.identity, proof));
  RETURN_IF_ERROR(flows::DeleteAccount(api.product, flows::Actor{}, call.account().id));
  api.identity.live.Forget();
  api.wake();
  return OkStatus();
}

}  // namespace

Response GetMe(Api& api, const Call& call) { return MeResponse(api, call, call.account()); }

Response GetMyLimit(Api& api, const Call& call) {
  const auto limit = views::FindUploadLimit(api.views, call.account());
  if (!limit.ok()) {
    return Refuse(call, limit.error());
  }
  json::Writer json;
  json.OpenObject();
  if (*limit) {
    json.Integer("limit", **limit);
  } else {
    json.Name("limit").Null();
  }
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

Response PatchMe(Api& api, const Call& call) {
  const Result<flows::Account> changed = ChangeProfile(api, call);
  return changed.ok() ? MeResponse(api, call, *changed) : Refuse(call, changed.error());
}

Response PostMyPassword(Api& api, const Call& call) {
  const Status changed = ChangeMyPassword(api, call);
  return changed.ok() ? NoContent() : Refuse(call, changed.error());
}

Response PostMyDeletion(Api& api, const Call& call) {
  const Status begun = DeleteMyAccount(api, call);
  if (!begun.ok()) {
    return Refuse(call, begun.error());
  }
  if (call.notes != nullptr) {
    call.notes->subject = call.account().id;
  }
  Response response;
  response.status = 202;
  if (call.caller->by_cookie) {
    RemoveSessionCookies(response, api.config.secure_cookies);
  }
  return response;
}

}  // namespace tintype::http::rest
