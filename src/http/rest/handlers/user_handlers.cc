#include <optional>
#include <utility>

#include "contexts/common/item.h"
#include "contexts/identity/credentials/passwords.h"
#include "contexts/people/upload_limit.h"
#include "contract/limits.h"
#include "flows/accounts/delete_account.h"
#include "flows/accounts/manage_accounts.h"
#include "http/rest/api/account_json.h"
#include "http/rest/api/image_json.h"
#include "http/rest/handlers/handlers.h"
#include "json/writer.h"

namespace tintype::http::rest {
namespace {

constexpr std::string_view kUsersList = "users";

flows::Actor ActorOf(const Call& call) { return {call.account().id}; }

Response ManagedAccountResponse(const Api& api, const Call& call, int status,
                                const Result<flows::ListedAccount>& listed) {
  if (!listed.ok()) {
    return Refuse(call, listed.error());
  }
  json::Writer json;
  LinkSigner links = LinksOf(api);
  WriteManagedAccount(json, links, *listed);
  return JsonResponse(status, std::move(json).Take());
}

/// The email behind which a list goes on.
Result<std::optional<std::string>> ReadUsersCursor(const Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const views::PageRequest page, ReadPage(api, call, kUsersList));
  if (!page.after) {
    return std::optional<std::string>();
  }
  return contexts::ItemReader(*page.after).OptionalText("PK");
}

struct CreatedUser {
  flows::ListedAccount listed;
  std::optional<contexts::identity::PasswordLink> link;
};

Result<CreatedUser> CreateUser(Api& api, const Call& call) {
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  flows::NewAccount described;
  described.email_vouched = true;
  ASSIGN_OR_RETURN(described.email, RequiredText(body, "email"));
  ASSIGN_OR_RETURN(described.username, RequiredText(body, "username"));
  ASSIGN_OR_RETURN(const auto password, OptionalText(body, "password"));
  if (password) {
    RETURN_IF_ERROR(contexts::identity::CheckPassword(*password));
    ASSIGN_OR_RETURN(described.password_hash,
                     api.identity.passwords.Hash(
                         *password, {contexts::identity::HashingLane::kMember, call.account().id}));
  }
  ASSIGN_OR_RETURN(const flows::Account account, flows::AddAccount(api.product, described));
  CreatedUser created;
  ASSIGN_OR_RETURN(created.listed, flows::FindAccount(api.product, account.id));
  if (!password) {
    ASSIGN_OR_RETURN(created.link, flows::MakePasswordLink(api.product, account.id));
  }
  return created;
}

Result<flows::AccountChange> ReadAccountChange(const Call& call) {
  ASSIGN_OR_RETURN(const json::Value body, ReadBody(call));
  flows::AccountChange change;
  ASSIGN_OR_RETURN(change.disabled, OptionalFlag(body, "disabled"));
  ASSIGN_OR_RETURN(change.administrator, OptionalFlag(body, "administrator"));
  const json::Value* limit = body.Find("limit");
  if (limit != nullptr && limit->is_null()) {
    change.limit = contexts::people::kUnlimited;
  } else {
    ASSIGN_OR_RETURN(change.limit, OptionalNumber(body, "limit", limits::kUploadsLeft));
  }
  const json::Value* quota = body.Find("quotaBytes");
  if (quota != nullptr && quota->is_null()) {
    change.quota = contexts::intake::kNoQuota;
  } else {
    ASSIGN_OR_RETURN(change.quota, OptionalNumber(body, "quotaBytes", limits::kQuotaBytes));
  }
  return change;
}

}  // namespace

Response GetUsers(Api& api, const Call& call) {
  const auto after = ReadUsersCursor(api, call);
  if (!after.ok()) {
    return Refuse(call, after.error());
  }
  const auto limit = PageLimit(call);
  if (!limit.ok()) {
    return Refuse(call, limit.error());
  }
  const auto page = flows::ListAccounts(api.product, *limit, *after);
  if (!page.ok()) {
    return Refuse(call, page.error());
  }
  json::Writer json;
  LinkSigner links = LinksOf(api);
  json.OpenObject();
  json.Name("items");
  json.OpenArray();
  for (const flows::ListedAccount& listed : page->accounts) {
    WriteManagedAccount(json, links, listed);
  }
  json.CloseArray();
  std::optional<tables::Item> next;
  if (page->next) {
    next = contexts::ItemBuilder().Text("PK", *page->next).Build();
  }
  WriteCursor(json, api, call, kUsersList, next);
  json.Bool("hasMore", next.has_value());
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

Response PostUser(Api& api, const Call& call) {
  const Result<CreatedUser> created = CreateUser(api, call);
  if (!created.ok()) {
    return Refuse(call, created.error());
  }
  if (call.notes != nullptr) {
    call.notes->subject = created->listed.account.id;
  }
  json::Writer json;
  LinkSigner links = LinksOf(api);
  json.OpenObject();
  json.Name("account");
  WriteManagedAccount(json, links, created->listed);
  json.Name("passwordLink");
  if (created->link) {
    WritePasswordLink(json, api, *created->link);
  } else {
    json.Null();
  }
  json.CloseObject();
  return JsonResponse(201, std::move(json).Take());
}

Response GetUser(Api& api, const Call& call) {
  return ManagedAccountResponse(api, call, 200,
                                flows::FindAccount(api.product, call.parameters[0]));
}

Response PatchUser(Api& api, const Call& call) {
  const Result<flows::AccountChange> change = ReadAccountChange(call);
  if (!change.ok()) {
    return Refuse(call, change.error());
  }
  const auto changed =
      flows::ChangeAccount(api.product, ActorOf(call), call.parameters[0], *change);
  api.identity.live.Forget();
  return ManagedAccountResponse(api, call, 200, changed);
}

Response DeleteUser(Api& api, const Call& call) {
  const Status begun = flows::DeleteAccount(api.product, ActorOf(call), call.parameters[0]);
  api.identity.live.Forget();
  if (!begun.ok()) {
    return Refuse(call, begun.error());
  }
  api.wake();
  return ManagedAccountResponse(api, call, 202,
                                flows::FindAccount(api.product, call.parameters[0]));
}

Response PostPasswordLink(Api& api, const Call& call) {
  const auto link = flows::MakePasswordLink(api.product, call.parameters[0]);
  if (!link.ok()) {
    return Refuse(call, link.error());
  }
  json::Writer json;
  WritePasswordLink(json, api, *link);
  return JsonResponse(201, std::move(json).Take());
}

}  // namespace tintype::http::rest
