#include <utility>

#include "base/time_text.h"
#include "http/rest/api/account_json.h"
#include "http/rest/handlers/handlers.h"
#include "json/writer.h"

namespace tintype::http::rest {

Response GetSessions(Api& api, const Call& call) {
  const auto sessions = api.identity.sessions.List(call.account());
  if (!sessions.ok()) {
    return Refuse(call, sessions.error());
  }
  json::Writer json;
  json.OpenObject();
  json.Name("items");
  json.OpenArray();
  for (const contexts::identity::ListedSession& session : *sessions) {
    json.OpenObject();
    json.Text("id", session.id);
    json.Text("createdAt", TimeText(session.created_ms));
    json.Text("lastUsedAt", TimeText(session.last_used_ms));
    json.Text("endsAt", TimeText(session.ends_ms));
    json.Text("address", session.use.address);
    json.Text("userAgent", session.use.user_agent);
    json.Bool("current", session.id == call.caller->session_id);
    json.CloseObject();
  }
  json.CloseArray();
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

Response DeleteOtherSessions(Api& api, const Call& call) {
  const Status ended = api.identity.sessions.EndAll(call.account().id, call.caller->session_id);
  api.identity.live.Forget();
  return ended.ok() ? NoContent() : Refuse(call, ended.error());
}

Response DeleteSession(Api& api, const Call& call) {
  const Status ended = api.identity.sessions.End(call.account(), call.parameters[0]);
  api.identity.live.Forget();
  return ended.ok() ? NoContent() : Refuse(call, ended.error());
}

}  // namespace tintype::http::rest
