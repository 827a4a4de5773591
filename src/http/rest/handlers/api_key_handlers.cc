#include <algorithm>
#include <array>
#include <utility>

#include "base/clock.h"
#include "base/strings.h"
#include "base/time_text.h"
#include "contract/contract.h"
#include "contract/limits.h"
#include "flows/accounts/api_keys.h"
#include "http/rest/api/account_json.h"
#include "http/rest/handlers/handlers.h"
#include "json/writer.h"

namespace tintype::http::rest {
namespace {

using contexts::identity::ApiKey;
using contexts::identity::NewApiKey;
using contract::Access;

constexpr std::array kScopes = {Access::kRead, Access::kUpload, Access::kEdit, Access::kDelete,
                                Access::kAdminister};

void WriteApiKey(json::Writer& json, const ApiKey& key) {
  json.Text("id", key.id);
  json.Text("name", key.name);
  json.Name("scopes");
  json.OpenArray();
  for (const std::string& scope : key.scopes) {
    json.Text(scope);
  }
  json.CloseArray();
  json.Text("createdAt", TimeText(key.created_ms));
  WriteMaybeTime(json, "expiresAt", key.expires_ms);
  WriteMaybeTime(json, "lastUsedAt", key.last_used_ms);
}

Result<std::vector<std::string>> ReadScopes(const json::Value& body) {
  const json::Value* member = body.Find("scopes");
  const json::Value::Array* given = member == nullptr ? nullptr : member->array();
  if (given == nullptr || given->size() < limits::kScopes.min ||
      given->size() > limits::kScopes.max) {
    return Error::Validation("`scopes` is a list of at least one scope.");
  }
  std::vector<std::string> scopes;
  for (const json::Value& each : *given) {
    const std::string* name = each.text();
    const bool known =
        name != nullptr && std::ranges::find(kScopes, *name, contract::NameOf) != kScopes.end();
    if (!known || std::ranges::find(scopes, *name) != scopes.end()) {
      return Error::Validation(
          "`scopes` are `read`, `upload`, `edit`, `delete` and `administer`, each once at most.");
    }
    scopes.push_back(*name);
  }
  return scopes;
}

Result<NewApiKey> ReadNewKey(const Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  NewApiKey key;
  ASSIGN_OR_RETURN(key.name, RequiredText(body, "name"));
  RETURN_IF_ERROR(limits::CheckText("name", key.name, limits::kApiKeyName));
  ASSIGN_OR_RETURN(key.scopes, ReadScopes(body));
  ASSIGN_OR_RETURN(const auto days, OptionalNumber(body, "expiresInDays", limits::kApiKeyDays));
  if (days) {
    constexpr int64_t kDayMs = int64_t{24} * 60 * 60 * 1000;
    key.expires_ms = api.product.clock.NowMs() + *days * kDayMs;
  }
  return key;
}

}  // namespace

Response GetApiKeys(Api& api, const Call& call) {
  const auto keys = flows::ListApiKeys(api.product, call.account());
  if (!keys.ok()) {
    return Refuse(call, keys.error());
  }
  json::Writer json;
  json.OpenObject();
  json.Name("items");
  json.OpenArray();
  for (const ApiKey& key : *keys) {
    json.OpenObject();
    WriteApiKey(json, key);
    json.CloseObject();
  }
  json.CloseArray();
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

Response PostApiKey(Api& api, const Call& call) {
  const Result<NewApiKey> wanted = ReadNewKey(api, call);
  if (!wanted.ok()) {
    return Refuse(call, wanted.error());
  }
  const auto created = flows::CreateApiKey(api.product, call.account(), *wanted);
  if (!created.ok()) {
    return Refuse(call, created.error());
  }
  if (call.notes != nullptr) {
    call.notes->subject = created->key.id;
  }
  json::Writer json;
  json.OpenObject();
  json.Text("key", created->text);
  WriteApiKey(json, created->key);
  json.CloseObject();
  return JsonResponse(201, std::move(json).Take());
}

Response DeleteApiKey(Api& api, const Call& call) {
  const Status deleted = flows::DeleteApiKey(api.product, call.account(), call.parameters[0]);
  api.identity.live.Forget();
  return deleted.ok() ? NoContent() : Refuse(call, deleted.error());
}

}  // namespace tintype::http::rest
