#include "http/rest/handlers/sign_in_answers.h"

#include <utility>

#include "base/strings.h"
#include "contract/limits.h"
#include "http/rest/api/account_json.h"
#include "http/rest/api/cookies.h"
#include "http/rest/api/image_json.h"
#include "http/rest/protocol/reasons.h"
#include "json/writer.h"

namespace tintype::http::rest {

std::optional<Response> RefuseForm(const Call& call) {
  constexpr std::string_view kJson = "application/json";
  const std::string_view type = call.request.Header("content-type").value_or("");
  if (EqualsIgnoreCase(type.substr(0, kJson.size()), kJson)) {
    return std::nullopt;
  }
  return Refuse(call, reasons::kUnsupportedContentType, "The body has to be application/json.");
}

Result<bool> WantsCookies(const json::Value& body) {
  ASSIGN_OR_RETURN(const auto session, OptionalText(body, "session"));
  if (session && *session != "cookie" && *session != "token") {
    return Error::Validation("`session` is `cookie` or `token`.");
  }
  return session == "cookie";
}

Result<std::optional<std::string>> ReadInvitation(const json::Value& body) {
  ASSIGN_OR_RETURN(auto invitation, OptionalText(body, "invitation"));
  if (invitation) {
    RETURN_IF_ERROR(limits::CheckText("invitation", *invitation, limits::kInvitationToken));
  }
  return invitation;
}

Response SignedInResponse(const Api& api, const Call& call, int status,
                          const flows::SignedIn& signed_in, bool cookies) {
  if (call.notes != nullptr) {
    call.notes->signed_in = signed_in;
  }
  json::Writer json;
  json.OpenObject();
  if (cookies) {
    json.Text("csrfToken", CsrfToken(api.keys, signed_in.session_id));
  } else {
    json.Text("accessToken", signed_in.access_token);
    json.Text("refreshToken", signed_in.refresh_token);
    json.Text("tokenType", "Bearer");
    json.Text("deviceToken", signed_in.device_token);
  }
  json.Name("user");
  json.OpenObject();
  LinkSigner links = LinksOf(api);
  WriteUser(json, links, signed_in.account);
  json.CloseObject();
  json.CloseObject();
  Response response = JsonResponse(status, std::move(json).Take());
  if (cookies) {
    AddSessionCookies(response, signed_in, api.config.secure_cookies);
  }
  return response;
}

std::string UserAgentOf(const Call& call) {
  return std::string(call.request.Header("user-agent").value_or(""));
}

}  // namespace tintype::http::rest
