#include "http/rest/api/account_json.h"

#include <utility>

#include "base/strings.h"
#include "base/time_text.h"
#include "contexts/people/upload_limit.h"
#include "flows/accounts/page_link.h"
#include "flows/media_keys.h"
#include "http/rest/api/image_json.h"

namespace tintype::http::rest {
namespace {

std::string_view StateOf(const flows::Account& account) {
  return account.deleting ? "deleting" : account.disabled ? "disabled" : "active";
}

void WriteNullableText(json::Writer& json, std::string_view name,
                       const std::optional<std::string>& text) {
  json.Name(name);
  if (text) {
    json.Text(*text);
  } else {
    json.Null();
  }
}

}  // namespace

std::string_view PictureLink(LinkSigner& links, const views::ProfilePicture& picture) {
  links.SetAudience(views::NameOf(views::LinkAudience::kPeople));
  return links.Sign("", flows::ProfilePictureLinkKey(picture.account_id), picture.revision);
}

void WriteUser(json::Writer& json, LinkSigner& links, const flows::Account& account) {
  json.Text("userId", account.id);
  json.Text("email", account.email);
  json.Text("username", account.username);
  WriteNullableText(json, "displayName", account.display_name);
  WriteNullableText(json, "about", account.about);
  json.Name("picture");
  if (const auto picture = views::PictureOf(account)) {
    json.Text(PictureLink(links, *picture));
  } else {
    json.Null();
  }
  json.Bool("administrator", account.administrator);
}

Response MeResponse(const Api& api, const Call& call, const flows::Account& account) {
  json::Writer json;
  LinkSigner links = LinksOf(api);
  json.OpenObject();
  WriteUser(json, links, account);
  json.Bool("hasPassword", account.has_password);
  if (call.caller->by_cookie) {
    json.Text("csrfToken", CsrfToken(api.keys, call.caller->session_id));
  }
  json.CloseObject();
  return JsonResponse(200, std::move(json).Take());
}

void WriteManagedAccount(json::Writer& json, LinkSigner& links,
                         const flows::ListedAccount& listed) {
  json.OpenObject();
  WriteUser(json, links, listed.account);
  json.Text("state", StateOf(listed.account));
  json.Text("createdAt", TimeText(listed.account.created_ms));
  json.Name("limit");
  if (contexts::people::IsUnlimited(listed.limit)) {
    json.Null();
  } else {
    json.Integer(listed.limit);
  }
  WriteStorageUse(json, listed.storage);
  json.CloseObject();
}

void WriteStorageUse(json::Writer& json, const contexts::intake::StorageUse& use) {
  json.Integer("usedBytes", use.used);
  json.Name("quotaBytes");
  if (use.has_quota()) {
    json.Integer(use.quota());
  } else {
    json.Null();
  }
}

void WriteInvitation(json::Writer& json, const contexts::identity::Invitation& invitation) {
  json.Text("id", invitation.id);
  WriteNullableText(json, "email", invitation.email);
  json.Bool("administrator", invitation.administrator);
  WriteNullableText(
      json, "createdBy",
      invitation.created_by.empty() ? std::nullopt : std::optional(invitation.created_by));
  json.Text("createdAt", TimeText(invitation.created_ms));
  json.Text("expiresAt", TimeText(invitation.expires_ms));
}

void WritePasswordLink(json::Writer& json, const Api& api,
                       const contexts::identity::PasswordLink& link) {
  json.OpenObject();
  json.Text("link", flows::PasswordLinkAddress(api.product.config, link.token));
  json.Text("token", link.token);
  json.Text("expiresAt", TimeText(link.expires_ms));
  json.CloseObject();
}

void WriteMaybeTime(json::Writer& json, std::string_view name,
                    const std::optional<int64_t>& time_ms) {
  json.Name(name);
  if (time_ms) {
    json.Text(TimeText(*time_ms));
  } else {
    json.Null();
  }
}

Result<std::optional<bool>> OptionalFlag(const json::Value& body, std::string_view name) {
  const json::Value* member = body.Find(name);
  if (member == nullptr) {
    return std::optional<bool>();
  }
  const std::optional<bool> flag = member->boolean();
  if (!flag) {
    return Error::Validation(StrCat("`", name, "` has to be true or false."));
  }
  return flag;
}

Result<std::optional<int64_t>> OptionalNumber(const json::Value& body, std::string_view name,
                                              const limits::NumberLimit& limit) {
  const json::Value* member = body.Find(name);
  if (member == nullptr) {
    return std::optional<int64_t>();
  }
  const std::optional<int64_t> number = member->integer();
  if (!number || !limit.Allows(*number)) {
    return Error::Validation(
        StrCat("`", name, "` is a number from ", limit.min, " to ", limit.max, "."));
  }
  return number;
}

Response NoContent() {
  Response response;
  response.status = 204;
  return response;
}

}  // namespace tintype::http::rest
