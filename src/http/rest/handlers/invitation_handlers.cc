#include <chrono>
#include <utility>

#include "contract/limits.h"
#include "flows/accounts/invite.h"
#include "flows/accounts/page_link.h"
#include "http/rest/api/account_json.h"
#include "http/rest/handlers/handlers.h"
#include "json/writer.h"

namespace tintype::http::rest {
namespace {

using contexts::identity::CreatedInvitation;
using contexts::identity::Invitation;

Result<CreatedInvitation> MakeInvitation(Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  if (api.identity.config.sign_up == flows::SignUpMode::kClosed) {
    return Error::InUse("Sign-up is closed here (--sign-up), so that invitations open nothing.");
  }
  flows::NewInvitation wanted;
  ASSIGN_OR_RETURN(wanted.email, OptionalText(body, "email"));
  ASSIGN_OR_RETURN(const auto administrator, OptionalFlag(body, "administrator"));
  wanted.administrator = administrator.value_or(false);
  ASSIGN_OR_RETURN(const auto hours,
                   OptionalNumber(body, "expiresInHours", limits::kInvitationHours));
  wanted.kept = std::chrono::hours(hours.value_or(limits::kInvitationHours.otherwise));
  wanted.created_by = call.account().id;
  return flows::Invite(api.product, wanted);
}

}  // namespace

Response GetInvitations(Api& api, const Call& call) {
  const auto invitations = flows::ListInvitations(api.product);
  if (!invitations.ok()) {
    return Refuse(call, invitations.error());
  }
  json::Writer json;
  json.OpenObject();
  json.Name("items");
  json.OpenArray();
  for (const Invitation& invitation : *invitations) {
    json.OpenObject();
    WriteInvitation(json, invitation);
    json.CloseObject();
  }
  json.CloseArray();
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

Response PostInvitation(Api& api, const Call& call) {
  const Result<CreatedInvitation> created = MakeInvitation(api, call);
  if (!created.ok()) {
    return Refuse(call, created.error());
  }
  if (call.notes != nullptr) {
    call.notes->subject = created->invitation.id;
  }
  json::Writer json;
  json.OpenObject();
  json.Text("link", flows::InvitationAddress(api.product.config, created->token));
  json.Text("token", created->token);
  WriteInvitation(json, created->invitation);
  json.CloseObject();
  return JsonResponse(201, std::move(json).Take());
}

Response DeleteInvitation(Api& api, const Call& call) {
  const Status deleted = flows::TakeInvitationBack(api.product, call.parameters[0]);
  return deleted.ok() ? NoContent() : Refuse(call, deleted.error());
}

}  // namespace tintype::http::rest
