#include <optional>
#include <utility>

#include "base/strings.h"
#include "contexts/identity/reasons.h"
#include "flows/accounts/change_password.h"
#include "flows/accounts/outside_sign_in.h"
#include "http/rest/api/account_json.h"
#include "http/rest/api/cookies.h"
#include "http/rest/handlers/handlers.h"
#include "http/rest/handlers/sign_in_answers.h"
#include "http/rest/protocol/reasons.h"
#include "json/writer.h"
#include "views/account.h"

namespace tintype::http::rest {
namespace {

Result<flows::PasswordByLink> ReadPasswordByLink(const json::Value& body, const Call& call) {
  flows::PasswordByLink request;
  ASSIGN_OR_RETURN(request.token, RequiredText(body, "token"));
  ASSIGN_OR_RETURN(request.password, RequiredText(body, "password"));
  request.address = call.request.address;
  request.user_agent = UserAgentOf(call);
  return request;
}

Result<flows::SignUpRequest> ReadSignUp(const json::Value& body, const Call& call) {
  flows::SignUpRequest request;
  ASSIGN_OR_RETURN(request.email, RequiredText(body, "email"));
  ASSIGN_OR_RETURN(request.username, RequiredText(body, "username"));
  ASSIGN_OR_RETURN(request.password, RequiredText(body, "password"));
  ASSIGN_OR_RETURN(request.setup_token, OptionalText(body, "setupToken"));
  ASSIGN_OR_RETURN(request.invitation, ReadInvitation(body));
  request.address = call.request.address;
  request.user_agent = UserAgentOf(call);
  return request;
}

Result<flows::LogInRequest> ReadLogIn(const json::Value& body, const Call& call) {
  flows::LogInRequest request;
  const bool by_username = body.Find("email") == nullptr;
  ASSIGN_OR_RETURN(request.name, RequiredText(body, by_username ? "username" : "email"));
  ASSIGN_OR_RETURN(request.password, RequiredText(body, "password"));
  request.address = call.request.address;
  request.device_token = DeviceTokenOf(call.request);
  request.user_agent = UserAgentOf(call);
  return request;
}

}  // namespace

Response GetAuthState(Api& api, const Call& call) {
  const Result<bool> set_up = views::IsSetUp(api.views);
  if (!set_up.ok()) {
    return Refuse(call, set_up.error());
  }
  json::Writer json;
  json.OpenObject();
  json.Bool("setupRequired", !*set_up);
  const flows::SignUpMode mode = api.identity.config.sign_up;
  json.Bool("signUpOpen", !*set_up || mode == flows::SignUpMode::kOpen);
  json.Text("signUp", NameOf(mode));
  if (api.identity.outside != nullptr) {
    json.Name("outside").OpenObject();
    json.Text("name", api.identity.outside->name);
    json.Text("signUp", NameOf(api.identity.outside->sign_up));
    json.CloseObject();
  }
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

Response PostSignUp(Api& api, const Call& call) {
  if (auto refused = RefuseForm(call)) {
    return *std::move(refused);
  }
  const Result<json::Value> body = ReadBody(call);
  if (!body.ok()) {
    return Refuse(call, body.error());
  }
  const Result<flows::SignUpRequest> request = ReadSignUp(*body, call);
  if (!request.ok()) {
    return Refuse(call, request.error());
  }
  const Result<bool> cookies = WantsCookies(*body);
  if (!cookies.ok()) {
    return Refuse(call, cookies.error());
  }
  const auto signed_in = flows::SignUp(api.product, api.identity, *request);
  return signed_in.ok() ? SignedInResponse(api, call, 201, *signed_in, *cookies)
                        : Refuse(call, signed_in.error());
}

Response PostLogIn(Api& api, const Call& call) {
  if (auto refused = RefuseForm(call)) {
    return *std::move(refused);
  }
  const Result<json::Value> body = ReadBody(call);
  if (!body.ok()) {
    return Refuse(call, body.error());
  }
  const Result<flows::LogInRequest> request = ReadLogIn(*body, call);
  if (!request.ok()) {
    return Refuse(call, request.error());
  }
  const Result<bool> cookies = WantsCookies(*body);
  if (!cookies.ok()) {
    return Refuse(call, cookies.error());
  }
  const auto signed_in = flows::LogIn(api.product, api.identity, *request);
  return signed_in.ok() ? SignedInResponse(api, call, 200, *signed_in, *cookies)
                        : Refuse(call, signed_in.error());
}

Response PostRefresh(Api& api, const Call& call) {
  if (auto refused = RefuseForm(call)) {
    return *std::move(refused);
  }
  const Result<json::Value> body = ReadBody(call);
  if (!body.ok()) {
    return Refuse(call, body.error());
  }
  const Result<bool> cookies = WantsCookies(*body);
  if (!cookies.ok()) {
    return Refuse(call, cookies.error());
  }
  const Result<std::optional<std::string>> given = OptionalText(*body, "refreshToken");
  if (!given.ok()) {
    return Refuse(call, given.error());
  }
  const std::optional<std::string> token =
      *cookies ? FindCookie(call.request, kRefreshCookie) : *given;
  if (!token) {
    return Refuse(call, contexts::identity::kNotLoggedIn, "There is no refresh token.");
  }
  const auto signed_in = flows::RefreshSession(
      api.product, api.identity,
      {*token, DeviceTokenOf(call.request), call.request.address, UserAgentOf(call)});
  if (signed_in.ok()) {
    return SignedInResponse(api, call, 200, *signed_in, *cookies);
  }
  Response refused = Refuse(call, signed_in.error());
  if (*cookies && signed_in.error().Is(contexts::identity::kNotLoggedIn)) {
    RemoveSessionCookies(refused, api.config.secure_cookies);
  }
  return refused;
}

Response PostLogOut(Api& api, const Call& call) {
  const Status ended = api.identity.sessions.EndById(call.caller->session_id);
  api.identity.live.Forget();
  if (!ended.ok()) {
    return Refuse(call, ended.error());
  }
  Response response;
  response.status = 204;
  if (call.caller->by_cookie) {
    RemoveSessionCookies(response, api.config.secure_cookies);
  }
  return response;
}

Response PostPasswordByLink(Api& api, const Call& call) {
  if (auto refused = RefuseForm(call)) {
    return *std::move(refused);
  }
  const Result<json::Value> body = ReadBody(call);
  if (!body.ok()) {
    return Refuse(call, body.error());
  }
  const Result<flows::PasswordByLink> request = ReadPasswordByLink(*body, call);
  if (!request.ok()) {
    return Refuse(call, request.error());
  }
  const Result<bool> cookies = WantsCookies(*body);
  if (!cookies.ok()) {
    return Refuse(call, cookies.error());
  }
  const auto signed_in = flows::SetPasswordByLink(api.product, api.identity, *request);
  return signed_in.ok() ? SignedInResponse(api, call, 200, *signed_in, *cookies)
                        : Refuse(call, signed_in.error());
}

Response GetJwks(Api& api, const Call& /*call*/) {
  Response response = JsonResponse(200, api.identity.tokens.Jwks());
  response.headers.back().second = "public, max-age=300";
  return response;
}

}  // namespace tintype::http::rest
