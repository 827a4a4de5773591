#include <optional>
#include <utility>

#include "base/strings.h"
#include "flows/accounts/change_password.h"
#include "flows/accounts/delete_account.h"
#include "flows/accounts/manage_accounts.h"
#include "flows/accounts/profile.h"
#include "flows/accounts/profile_picture.h"
#include "flows/accounts/settings.h"
#include "flows/uploads/storage_quota.h"
#include "http/rest/api/account_json.h"
#include "http/rest/api/cookies.h"
#include "http/rest/handlers/handlers.h"
#include "json/writer.h"
#include "views/account.h"

namespace tintype::http::rest {
namespace {

/// The caller, who says their password again in that member, if they have one.
Result<flows::OwnerProof> ReadProof(const Call& call, std::string_view name) {
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  flows::OwnerProof proof;
  proof.account_id = call.account().id;
  proof.session_id = call.caller->session_id;
  if (call.account().has_password) {
    ASSIGN_OR_RETURN(proof.password, RequiredText(body, name));
  }
  proof.address = call.request.address;
  return proof;
}

Result<flows::Account> ChangeMyProfile(Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  flows::ProfileChange change;
  if (body.Find("displayName") != nullptr) {
    ASSIGN_OR_RETURN(change.display_name.emplace(), OptionalText(body, "displayName"));
  }
  if (body.Find("about") != nullptr) {
    ASSIGN_OR_RETURN(change.about.emplace(), OptionalText(body, "about"));
  }
  Result<flows::Account> changed = flows::ChangeProfile(api.product, call.account(), change);
  api.identity.live.Forget();
  return changed;
}

Response SettingsResponse(const Api& api, const flows::Account& account) {
  json::Writer json;
  json.OpenObject();
  if (const auto options = flows::AiOptionsOf(account)) {
    json.Text("aiOptions", options->Text());
  } else {
    json.Name("aiOptions").Null();
  }
  json.Text("aiOptionsByDefault", api.product.config.ai_options.Text());
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

Result<flows::Account> ChangeMySettings(Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  if (body.Find("aiOptions") == nullptr) {
    return call.account();
  }
  ASSIGN_OR_RETURN(const std::optional<std::string> text, OptionalText(body, "aiOptions"));
  std::optional<contexts::analysis::AiOptions> options;
  if (text) {
    const auto parsed = contexts::analysis::AiOptions::Parse(*text);
    if (!parsed.ok()) {
      return Error::Validation(StrCat("`aiOptions`: ", parsed.error().message()));
    }
    options = *parsed;
  }
  Result<flows::Account> changed = flows::SetAiOptions(api.product, call.account(), options);
  api.identity.live.Forget();
  return changed;
}

Status ChangeMyPassword(Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const flows::OwnerProof proof, ReadProof(call, "currentPassword"));
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  ASSIGN_OR_RETURN(const std::string password, RequiredText(body, "newPassword"));
  return flows::ChangePassword(api.product, api.identity, proof, password);
}

Status DeleteMyAccount(Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const flows::OwnerProof proof, ReadProof(call, "password"));
  RETURN_IF_ERROR(flows::CheckOwner(api.product, api.identity, proof));
  RETURN_IF_ERROR(flows::DeleteOwnAccount(api.product, call.account().id));
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
  const auto storage = flows::FindStorageUse(api.product, call.account());
  if (!storage.ok()) {
    return Refuse(call, storage.error());
  }
  json::Writer json;
  json.OpenObject();
  if (*limit) {
    json.Integer("limit", **limit);
  } else {
    json.Name("limit").Null();
  }
  WriteStorageUse(json, *storage);
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

Response PatchMe(Api& api, const Call& call) {
  const Result<flows::Account> changed = ChangeMyProfile(api, call);
  return changed.ok() ? MeResponse(api, call, *changed) : Refuse(call, changed.error());
}

Response GetMySettings(Api& api, const Call& call) { return SettingsResponse(api, call.account()); }

Response PatchMySettings(Api& api, const Call& call) {
  const Result<flows::Account> changed = ChangeMySettings(api, call);
  return changed.ok() ? SettingsResponse(api, *changed) : Refuse(call, changed.error());
}

Response DeleteMyPicture(Api& api, const Call& call) {
  const auto changed = flows::RemoveProfilePicture(api.product, call.account().id);
  api.identity.live.Forget();
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
